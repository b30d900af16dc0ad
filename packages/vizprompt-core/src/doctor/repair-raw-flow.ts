import type { FilePlace } from '../errors.ts';
import { completeFlow, NO_HEAD } from '../flow/flow-file.ts';
import { FlowGraph, highestOf } from '../flow/flow-graph.ts';
import type { Flow, FlowConnection } from '../flow/flow.ts';
import type { RawConnection, RawFlow } from '../flow/scan-flow-yaml.ts';
import { isUuid } from '../format/ids-and-times.ts';
import type { FindingCode } from './findings.ts';

/** A fault of a flow that can be read. */
interface FlowFault {
  readonly code: FindingCode;
  readonly severity: 'error' | 'warning';
  readonly place: FilePlace;
  readonly message: string;
}

/** A flow as it can be understood. */
export interface RepairedFlow {
  readonly flow: Flow;
  /** The place of each node. */
  readonly places: ReadonlyMap<string, FilePlace>;
  readonly faults: readonly FlowFault[];
  /** Something of the file is not in the flow. */
  readonly isLossy: boolean;
}

/** The tools for repairing what a flow file says. */
export interface FlowRepairTools {
  /** Returns the node that no flow names and that is meant by an id that no node has. */
  readonly meantNode?: (written: string) => string | undefined;
  /** Checks whether a file holds the node. */
  readonly isNode: (id: string) => boolean;
  readonly createId: () => string;
}

/**
 * Makes the best of what a flow file says: what is wrong is named and set right, and only what means
 * nothing is left out. It agrees with `checkFlow`: a flow without faults is the same for both.
 */
export function repairRawFlow(file: string, raw: RawFlow, context: FlowRepairTools): RepairedFlow {
  const faults: FlowFault[] = [];
  const add = (code: FindingCode, place: FilePlace, message: string, isDoubt = false): void => {
    faults.push({ code, severity: isDoubt ? 'warning' : 'error', place, message });
  };
  const { fields } = raw;
  const id = fields['id'] ?? '';
  if (!isUuid(id)) {
    add('ill-formed', { file }, id === '' ? "there is no 'id'" : `the id '${id}' is no UUID`);
  }
  const named = withMeantIds(raw, context, add);
  const nodes = repairRawNodes(withMeantIndex(named, add), add);
  const { connections, isLossy } = repairRawConnections(raw.connections, nodes, context, add);
  const flow = completeFlow(file, fields, {
    id: isUuid(id) ? id : context.createId(),
    nodes: [...nodes.indices].map(([node, index]) => ({ index, id: node })),
    connections,
  });
  const { head } = fields;
  if (head !== undefined && head !== NO_HEAD && head !== flow.head) {
    add('doubtful-flow', { file }, `the head '${head}' is no node of this flow`, true);
  }
  // An id that was guessed is not what the file says.
  return { flow, places: nodes.places, faults, isLossy: isLossy || nodes.isLossy || named !== raw };
}

/** Returns a flow with the nodes that ids with a slip mean. */
function withMeantIds(
  raw: RawFlow,
  { meantNode, isNode }: FlowRepairTools,
  add: AddFault,
): RawFlow {
  const nodes = raw.nodes.map((node) => {
    const { id, place } = node;
    const meant = id === undefined || isNode(id) ? undefined : meantNode?.(id);
    if (id === undefined || meant === undefined) return node;
    add('ill-formed', place, `the node id '${id}' was meant to be '${meant}'`);
    return { ...node, id: meant };
  });
  return nodes.every((node, at) => node === raw.nodes[at]) ? raw : { ...raw, nodes };
}

/**
 * Returns the nodes of a flow, where one of two with the same index has the one that connections name and no node
 * has, if that puts all of them in order.
 */
function withMeantIndex({ nodes, connections }: RawFlow, add: AddFault): RawFlow['nodes'] {
  const indices = nodes.map(({ index }) => index);
  const own = new Set(indices);
  const named = connections.flatMap(({ from, to }) => [from, to]);
  const [missing, ...others] = new Set(named.filter((index) => !own.has(index)));
  if (missing === undefined || others.length > 0) return nodes;
  const without = indices.flatMap((index, at) => (index === undefined ? [at] : []));
  const [bare, ...bares] = without;
  const nameless = bare === undefined ? undefined : nodes[bare];
  if (bare !== undefined && nameless && bares.length === 0) {
    add('ill-formed', nameless.place, `a node without an index: ${missing} was meant`);
    return nodes.with(bare, { ...nameless, index: missing });
  }
  if (own.size !== indices.length - 1) return nodes;
  const fits = indices.flatMap((index, at) => {
    if (indices.filter((each) => each === index).length < 2) return [];
    const tried = indices.with(at, missing);
    const isRow = tried.every((each = 0, place) => place === 0 || each > (tried[place - 1] ?? 0));
    return isRow ? [at] : [];
  });
  const [at, ...more] = fits;
  const node = at === undefined ? undefined : nodes[at];
  if (at === undefined || !node || more.length > 0) return nodes;
  const message = `index ${node.index} is that of another node already: ${missing} was meant`;
  add('duplicate-index', node.place, message);
  return nodes.with(at, { ...node, index: missing });
}

/** The nodes of a flow: each once, each with an index of its own. */
interface RepairedNodes {
  readonly indices: Map<string, number>;
  readonly places: Map<string, FilePlace>;
  /** The nodes that an index names in the file. */
  readonly named: ReadonlyMap<number, readonly string[]>;
  readonly isLossy: boolean;
}

/** Notes a fault. */
type AddFault = (code: FindingCode, place: FilePlace, message: string, isDoubt?: boolean) => void;

function repairRawNodes(raw: RawFlow['nodes'], add: AddFault): RepairedNodes {
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
    if (isTwice) add('duplicate-id', place, `node ${id} is already in this flow`);
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

type End = 'from' | 'to';

/**
 * Returns the connections of a flow. One that names a node of the project which the flow lacks brings it in;
 * one that leads nowhere, or closes a circle, is left out.
 */
function repairRawConnections(
  raw: readonly RawConnection[],
  nodes: RepairedNodes,
  context: FlowRepairTools,
  add: AddFault,
): { readonly connections: FlowConnection[]; readonly isLossy: boolean } {
  let isLossy = false;
  const placed = new Map<string, { connection: FlowConnection; at: RawConnection }>();
  const mentions = countMentions(raw);
  const seen = { from: new Map<number, number>(), to: new Map<number, number>() };

  /** The nodes that an end means: one, unless an index is that of several. */
  const resolve = (at: RawConnection, end: End): readonly string[] => {
    const [index, id] = end === 'from' ? [at.from, at.fromId] : [at.to, at.toId];
    const named = (index === undefined ? undefined : nodes.named.get(index)) ?? [];
    if (id !== undefined) {
      if (!nodes.indices.has(id)) {
        add('dangling-edge', at.place, `'${end}_id: ${id}' is no node of this flow`);
        if (!isUuid(id) || !context.isNode(id)) return [];
        nodes.indices.set(id, highestOf(nodes.indices.values()) + 1);
        nodes.places.set(id, at.place);
      } else if (index !== undefined && !named.includes(id)) {
        const message = `'${end}: ${index}' is not the node of '${end}_id: ${id}', which rules`;
        add('doubtful-flow', at.place, message, true);
      }
      return [id];
    }
    if (index === undefined) add('dangling-edge', at.place, `a connection has no '${end}'`);
    else if (named.length === 0) {
      add('dangling-edge', at.place, `a connection has '${end}: ${index}', and no such node`);
    } else if (named.length > 1) {
      const place = seen[end].get(index) ?? 0;
      seen[end].set(index, place + 1);
      return choose(named, place, mentions[end].get(index) ?? 0, end);
    }
    return named;
  };

  for (const at of raw) {
    const [starts, ends] = [resolve(at, 'from'), resolve(at, 'to')];
    if (starts.length === 0 || ends.length === 0) isLossy = true;
    for (const from of starts) {
      for (const to of ends) {
        const key = `${from} ${to}`;
        const known = placed.get(key);
        if (known) {
          add('doubtful-flow', at.place, 'this connection is already above', true);
          if (at.branch !== undefined && at.branch !== known.connection.branch) isLossy = true;
          continue;
        }
        const { branch } = at;
        const connection = { from, to, ...(branch === undefined ? {} : { branch }) };
        placed.set(key, { connection, at });
      }
    }
  }
  return { connections: withoutCycles(), isLossy };

  function withoutCycles(): FlowConnection[] {
    const list = [...nodes.indices.keys()].map((id) => ({ id, index: 0 }));
    const connections = [...placed.values()].map(({ connection }) => connection);
    const graph = new FlowGraph({ nodes: list, connections });
    for (const { from, to, way } of closingConnections([...nodes.indices.keys()], graph)) {
      const key = `${from} ${to}`;
      const place = placed.get(key)?.at.place;
      const shown = way.map((id) => nodes.indices.get(id) ?? id).join(' → ');
      if (place) add('cycle', place, `this connection closes a circle: ${shown}`);
      placed.delete(key);
      isLossy = true;
    }
    return [...placed.values()].map(({ connection }) => connection);
  }
}

function countMentions(raw: readonly RawConnection[]): Record<End, Map<number, number>> {
  const count = (list: readonly (number | undefined)[]): Map<number, number> => {
    const counts = new Map<number, number>();
    for (const index of list) {
      if (index !== undefined) counts.set(index, (counts.get(index) ?? 0) + 1);
    }
    return counts;
  };
  return {
    from: count(raw.map(({ from, fromId }) => (fromId === undefined ? from : undefined))),
    to: count(raw.map(({ to, toId }) => (toId === undefined ? to : undefined))),
  };
}

/**
 * Which node is meant by an index that several have, as after two lists were put together: the first
 * mention means the first of them, the second the second. A single connection to it leads to all.
 */
function choose(
  named: readonly string[],
  place: number,
  mentions: number,
  end: End,
): readonly string[] {
  const [first = '', ...others] = named;
  if (mentions === named.length) return [named[place] ?? first];
  return end === 'to' && mentions < named.length ? [first, ...others] : [first];
}

/** A node from which every way was taken. */
const DONE = -1;
/** The number of nodes that are shown at each end of a long circle. */
const SHOWN = 10;

/** A connection that closes a circle. */
interface ClosingConnection {
  readonly from: string;
  readonly to: string;
  /** The circle from `to` over `from` back to `to`; the middle of a long one is `…`. */
  readonly way: readonly string[];
}

/**
 * Returns the connections that close circles when all ways are taken in the order of the flow. Without them there is no
 * circle. The time is linear, however many circles there are.
 */
export function closingConnections(
  ids: readonly string[],
  graph: FlowGraph,
): readonly ClosingConnection[] {
  const found: ClosingConnection[] = [];
  /** The depth of a node on the path, or {@link DONE}. */
  const depths = new Map<string, number>();
  for (const root of ids) {
    if (depths.has(root)) continue;
    const path = [{ id: root, next: 0 }];
    depths.set(root, 0);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const child = graph.children(top.id)[top.next++];
      if (child === undefined) {
        depths.set(top.id, DONE);
        path.pop();
        continue;
      }
      const depth = depths.get(child);
      if (depth === undefined) {
        depths.set(child, path.length);
        path.push({ id: child, next: 0 });
      } else if (depth !== DONE) {
        const isLong = path.length - depth > 2 * SHOWN;
        const parts = isLong
          ? [path.slice(depth, depth + SHOWN), [{ id: '…' }], path.slice(-SHOWN)]
          : [path.slice(depth)];
        found.push({ from: top.id, to: child, way: [...parts.flat().map(({ id }) => id), child] });
      }
    }
  }
  return found;
}
