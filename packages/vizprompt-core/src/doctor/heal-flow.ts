import type { FilePlace } from '../errors.ts';
import { highestOf } from '../flow/edit-flow.ts';
import { completeFlow } from '../flow/flow-file.ts';
import type { Flow } from '../flow/flow.ts';
import type { RawFlow } from '../flow/parse-flow-yaml.ts';
import { isUuid } from '../format/ids-and-times.ts';
import type { FindingCode } from './finding.ts';
import { healConnections } from './heal-connections.ts';

/** What is wrong in a flow that can be read. */
interface FlowFault {
  readonly code: FindingCode;
  readonly severity: 'error' | 'warning';
  readonly place: FilePlace;
  readonly message: string;
}

/** A flow as it can be understood. */
export interface HealedFlow {
  readonly flow: Flow;
  /** Where each node stands. */
  readonly places: ReadonlyMap<string, FilePlace>;
  readonly faults: readonly FlowFault[];
  /** Something of the file is not in the flow. */
  readonly isLossy: boolean;
}

/** What healing may use. */
export interface HealContext {
  /** Whether a file holds the node. */
  readonly isNode: (id: string) => boolean;
  readonly createId: () => string;
}

/**
 * Makes the best of what a flow file says: what is wrong is named and set right, and only what means
 * nothing is left out. It agrees with `checkFlow`: a flow without faults is the same for both.
 */
export function healFlow(file: string, raw: RawFlow, context: HealContext): HealedFlow {
  const faults: FlowFault[] = [];
  const add = (code: FindingCode, place: FilePlace, message: string, isDoubt = false): void => {
    faults.push({ code, severity: isDoubt ? 'warning' : 'error', place, message });
  };
  const { fields } = raw;
  const id = fields['id'] ?? '';
  if (!isUuid(id)) {
    add('ill-formed', { file }, id === '' ? "there is no 'id'" : `the id '${id}' is no UUID`);
  }
  const nodes = healNodes(raw.nodes, add);
  const { connections, isLossy } = healConnections(raw.connections, nodes, context, add);
  const flow = completeFlow(file, fields, {
    id: isUuid(id) ? id : context.createId(),
    nodes: [...nodes.indices].map(([node, index]) => ({ index, id: node })),
    connections,
  });
  const { head } = fields;
  if (head !== undefined && head !== flow.head) {
    add('doubtful-flow', { file }, `the head '${head}' is no node of this flow`, true);
  }
  return { flow, places: nodes.places, faults, isLossy: isLossy || nodes.isLossy };
}

/** The nodes of a flow: each once, each with an index of its own. */
export interface HealedNodes {
  readonly indices: Map<string, number>;
  readonly places: Map<string, FilePlace>;
  /** The nodes that an index names in the file. */
  readonly named: ReadonlyMap<number, readonly string[]>;
  readonly isLossy: boolean;
}

/** Notes a fault. */
export type AddFault = (
  code: FindingCode,
  place: FilePlace,
  message: string,
  isDoubt?: boolean,
) => void;

function healNodes(raw: RawFlow['nodes'], add: AddFault): HealedNodes {
  const indices = new Map<string, number>();
  const places = new Map<string, FilePlace>();
  const named = new Map<number, string[]>();
  const homeless: string[] = [];
  let isLossy = false;
  for (const { index, id, place } of raw) {
    if (id === undefined || !isUuid(id)) {
      add('ill-formed', place, `the node id '${id ?? ''}' is no UUID`);
      isLossy = true;
      continue;
    }
    const isTwice = places.has(id);
    if (isTwice) add('duplicate-id', place, `node ${id} stands already in this flow`);
    else places.set(id, place);
    if (index === undefined) {
      add('ill-formed', place, 'a node without an index');
      if (!isTwice) homeless.push(id);
      continue;
    }
    const others = named.get(index) ?? [];
    if (others.length > 0 && !others.includes(id)) {
      add('duplicate-index', place, `index ${index} is that of another node already`);
    }
    if (!others.includes(id)) named.set(index, [...others, id]);
    if (isTwice) continue;
    if (others.length === 0) indices.set(id, index);
    else homeless.push(id);
  }
  let highest = highestOf(named.keys());
  // In the order of the file, whatever index they get.
  const numbers = new Map(homeless.map((id) => [id, ++highest]));
  const all = [...places.keys()].map(
    (id) => [id, indices.get(id) ?? numbers.get(id) ?? 0] as const,
  );
  return { indices: new Map(all), places, named, isLossy };
}
