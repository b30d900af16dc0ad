import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { type Document, isMap, isScalar, visit } from 'yaml';
import { readFlowFile, writeFlowFile } from '../flow/flow-document.ts';
import type { FlowFile } from '../flow/flow-file.ts';
import { FlowGraph, highestOf } from '../flow/flow-graph.ts';
import type { Flow, FlowConnection, FlowNode } from '../flow/flow.ts';
import { FLOW_FIELDS } from '../flow/scan-flow-yaml.ts';
import { compareTimes } from '../format/ids-and-times.ts';
import { markConflict } from '../format/merge-conflict.ts';

/** Two versions of a value, and their base. */
export interface Sides<T> {
  /** The value that both started from; `undefined` if it is unknown. */
  readonly base: T | undefined;
  readonly ours: T;
  readonly theirs: T;
}

/** Returns the value after both changes, if only one side changed it or both did the same. */
export function mergeValue<T>({ base, ours, theirs }: Sides<T>): { value: T; isClear: boolean } {
  if (ours === theirs || theirs === base) return { value: ours, isClear: true };
  return ours === base ? { value: theirs, isClear: true } : { value: ours, isClear: false };
}

/** Merges sets of keys to which both sides added and from which both removed. */
export function mergeKeys({ base, ours, theirs }: Sides<ReadonlySet<string>>): Set<string> {
  const all = [...(base ?? []), ...ours, ...theirs];
  return new Set(all.filter((key) => (ours.has(key) && theirs.has(key)) || isAdded(key)));

  function isAdded(key: string): boolean {
    return !base?.has(key) && (ours.has(key) || theirs.has(key));
  }
}

/** A field that both sides changed, each in its own way. */
type FlowConflict = ScalarField | 'meta' | 'branch' | 'connections';
type ScalarField = 'name' | 'alias' | 'description' | 'source' | 'owner';

/** Two versions of a flow as one. */
interface MergedFlow {
  /** All nodes and connections; of what is in conflict, the newer side's. */
  readonly flow: Flow;
  /** `connections`: together they would close a circle, and `flow` has it. */
  readonly conflicts: readonly FlowConflict[];
}

/**
 * Merges two versions of a flow by what they mean. Additions of either side are there, removals
 * are done, unless the other side has continued from the node. Where both gave a new node the same index,
 * one gets another: connections follow the ids. Times are the widest, and the head is that of the side
 * that was changed last. The result does not depend on whose side is called ours.
 */
export function mergeFlows(sides: Sides<Flow>): MergedFlow {
  const [first, last] = inOrder(sides);
  const ordered: Sides<Flow> = { base: sides.base, ours: last, theirs: first };
  const conflicts: FlowConflict[] = [];
  const scalar = (name: ScalarField): string | undefined => {
    const { value, isClear } = mergeValue({
      base: ordered.base?.[name],
      ours: last[name],
      theirs: first[name],
    });
    if (!isClear) conflicts.push(name);
    return value;
  };
  const names = {
    name: scalar('name') ?? '',
    description: scalar('description') ?? '',
    ...defined({ alias: scalar('alias'), source: scalar('source'), owner: scalar('owner') }),
    ...defined({ meta: mergeMeta(ordered, conflicts) }),
  };

  const nodes = mergeNodes(ordered);
  const ids = new Set(nodes.nodes.map(({ id }) => id));
  const connections = mergeConnections(ordered, nodes.rescued, conflicts).filter(
    ({ from, to }) => ids.has(from) && ids.has(to),
  );
  const { value: head } = mergeValue({
    base: ordered.base?.head,
    ours: last.head,
    theirs: first.head,
  });
  const isNone = head === undefined && last.nodes.length > 0;
  const realHead = isNone
    ? undefined
    : ([head, last.head, first.head].find((id) => id !== undefined && ids.has(id)) ??
      nodes.nodes.at(-1)?.id);
  const flow: Flow = {
    id: last.id,
    ...names,
    created: compareTimes(first.created, last.created) <= 0 ? first.created : last.created,
    updated: last.updated,
    ...defined({ head: realHead }),
    nodes: nodes.nodes,
    connections,
  };
  if (new FlowGraph(flow).findCycle()) conflicts.push('connections');
  return { flow, conflicts };
}

/** Merges what applications store with a flow, key by key. */
function mergeMeta(sides: Sides<Flow>, conflicts: FlowConflict[]): JsonObject | undefined {
  const metas = [sides.base?.meta, sides.theirs.meta, sides.ours.meta];
  if (metas.every((meta) => meta === undefined)) return undefined;
  const merged: Record<string, JsonValue> = {};
  for (const key of new Set(metas.flatMap((meta) => Object.keys(meta ?? {})))) {
    // Values are compared as JSON to see whether they changed.
    const [base, theirs, ours] = metas.map((meta) => JSON.stringify(meta?.[key]));
    const { value, isClear } = mergeValue({ base, ours, theirs });
    if (!isClear && !conflicts.includes('meta')) conflicts.push('meta');
    if (value !== undefined) merged[key] = JSON.parse(value);
  }
  return merged;
}

/** The side that was changed last comes last; of two of the same time, any that is always the same. */
function inOrder({ ours, theirs }: Sides<Flow>): readonly [first: Flow, last: Flow] {
  const order =
    compareTimes(ours.updated, theirs.updated) ||
    (JSON.stringify(ours) < JSON.stringify(theirs) ? -1 : 1);
  return order < 0 ? [ours, theirs] : [theirs, ours];
}

function keyOf({ from, to }: FlowConnection): string {
  return `${from} ${to}`;
}

function mergeConnections(
  { base, ours, theirs }: Sides<Flow>,
  rescued: ReadonlySet<string>,
  conflicts: FlowConflict[],
): FlowConnection[] {
  const index = ({ connections }: Flow): Map<string, FlowConnection> =>
    new Map(connections.map((connection) => [keyOf(connection), connection]));
  const maps = { base: base && index(base), ours: index(ours), theirs: index(theirs) };
  const keys = mergeKeys({
    base: maps.base && new Set(maps.base.keys()),
    ours: new Set(maps.ours.keys()),
    theirs: new Set(maps.theirs.keys()),
  });
  // A node that stays because one side continued from it keeps its place there.
  const all = [...(maps.base?.keys() ?? []), ...maps.theirs.keys(), ...maps.ours.keys()];
  const kept = new Set(all.filter((key) => keys.has(key) || isRescued(key)));
  return [...kept].map((key) => {
    const [mine, other] = [maps.ours.get(key), maps.theirs.get(key)];
    const found = mine ?? other;
    if (!found) throw new Error(`no side has the connection ${key}`);
    if (!mine || !other) return found;
    const branches = {
      base: maps.base?.get(key)?.branch,
      ours: mine.branch,
      theirs: other.branch,
    };
    const { value, isClear } = mergeValue(branches);
    if (!isClear && !conflicts.includes('branch')) conflicts.push('branch');
    return { from: found.from, to: found.to, ...defined({ branch: value }) };
  });

  function isRescued(key: string): boolean {
    const [from = '', to = ''] = key.split(' ');
    const isThere = maps.ours.has(key) || maps.theirs.has(key);
    return isThere && (rescued.has(from) || rescued.has(to));
  }
}

/** The nodes of two versions of a flow. */
interface MergedNodes {
  readonly nodes: readonly FlowNode[];
  /** Those that one side took away, and that stay because the other continued from them. */
  readonly rescued: ReadonlySet<string>;
}

/** Merges the node lists: what both began with, then what the first added, then the last. */
function mergeNodes({ base, ours, theirs }: Sides<Flow>): MergedNodes {
  const maps = { base: base && indices(base), ours: indices(ours), theirs: indices(theirs) };
  const kept = mergeKeys({
    base: maps.base && new Set(maps.base.keys()),
    ours: new Set(maps.ours.keys()),
    theirs: new Set(maps.theirs.keys()),
  });
  const rescued = new Set([...touched(ours, base), ...touched(theirs, base)]);
  for (const id of rescued) if (kept.has(id)) rescued.delete(id);
  // Nodes that both sides have are placed as if they had been there before.
  const shared = [...maps.theirs.keys()].filter((id) => maps.ours.has(id));
  const order = [...(maps.base?.keys() ?? shared), ...maps.theirs.keys(), ...maps.ours.keys()];
  const ids = [...new Set(order)].filter((id) => kept.has(id) || rescued.has(id));

  const taken = new Set<number>();
  const wanted = ids.map((id) => {
    const index = indexOf(id);
    const isFree = !taken.has(index);
    taken.add(index);
    return { id, index, isFree };
  });
  let highest = highestOf(taken);
  return {
    nodes: wanted.map(({ id, index, isFree }) => ({ index: isFree ? index : ++highest, id })),
    rescued,
  };

  function indexOf(id: string): number {
    const [mine, other] = [maps.ours.get(id), maps.theirs.get(id)];
    if (mine === undefined || other === undefined) return mine ?? other ?? 0;
    return mergeValue({ base: maps.base?.get(id), ours: mine, theirs: other }).value;
  }
}

function indices({ nodes }: Flow): Map<string, number> {
  return new Map(nodes.map(({ id, index }) => [id, index]));
}

/** The nodes at the ends of connections that a side has added. */
function touched({ connections }: Flow, base: Flow | undefined): Set<string> {
  const known = new Set(base?.connections.map(({ from, to }) => `${from} ${to}`));
  const added = connections.filter(({ from, to }) => !known.has(`${from} ${to}`));
  return new Set(added.flatMap(({ from, to }) => [from, to]));
}

/** A merged flow file. */
interface MergedFlowFile {
  /** With the marks of git where the sides are in conflict. */
  readonly text: string;
  /** Empty: the text is a flow. */
  readonly conflicts: readonly (FlowConflict | 'id' | 'comments')[];
}

/**
 * Merges the texts of a flow file.
 *
 * @param file - The name of the file, for errors.
 * @param texts - Without a base the file was made on both sides.
 * @throws VizPromptError with the code `flow-invalid` if one of them is not a flow.
 */
export function mergeFlowFiles(file: string, texts: Sides<string>): MergedFlowFile {
  const ours = readFlowFile(file, texts.ours);
  const theirs = readFlowFile(file, texts.theirs);
  if (ours.flow.id !== theirs.flow.id) {
    return { text: markConflict(texts.ours, texts.theirs), conflicts: ['id'] };
  }
  const base = texts.base === undefined ? undefined : readFlowFile(file, texts.base);
  const files = { base, ours, theirs };
  const { flow, conflicts } = mergeFlows({
    base: base?.flow,
    ours: ours.flow,
    theirs: theirs.flow,
  });
  const withIds = ours.withIds || theirs.withIds;
  const { document, isClear } = mergeExtras(files);
  const merged = { flow, withIds, ...(document ? { document } : {}) };
  if (conflicts.includes('connections') || !isClear) {
    const all = isClear ? conflicts : [...conflicts, 'comments' as const];
    return { text: markConflict(texts.ours, texts.theirs), conflicts: all };
  }
  if (conflicts.length === 0) return { text: writeFlowFile(merged), conflicts };
  return {
    text: markConflict(
      writeFlowFile({ ...merged, flow: withFieldsOf(ours, flow) }),
      writeFlowFile({ ...merged, flow: withFieldsOf(theirs, flow) }),
    ),
    conflicts,
  };

  /** Returns the merged flow as a side would have it: with its own words where both have changed them. */
  function withFieldsOf(side: FlowFile, whole: Flow): Flow {
    // The time of the side itself shows which side is the newer.
    const fields: Record<string, unknown> = { ...whole, updated: side.flow.updated };
    for (const name of conflicts) {
      if (name === 'branch' || name === 'connections') continue;
      fields[name] = side.flow[name];
      if (side.flow[name] === undefined) delete fields[name];
    }
    const branches = new Map(
      side.flow.connections.map((connection) => [
        `${connection.from} ${connection.to}`,
        connection,
      ]),
    );
    const isBranchOpen = conflicts.includes('branch');
    const connections = whole.connections.map((connection) => {
      const own = branches.get(`${connection.from} ${connection.to}`);
      return isBranchOpen && own ? own : connection;
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a flow with other texts in it
    return { ...fields, connections } as unknown as Flow;
  }
}

const KNOWN: ReadonlySet<string> = new Set([
  ...FLOW_FIELDS,
  'nodes',
  'connections',
  'index',
  'from',
  'to',
  'from_id',
  'to_id',
  'branch',
]);

/** Returns the comments and unknown keys of a flow file as one string to compare. */
function extrasOf(document: Document): string {
  const found: string[] = [document.commentBefore ?? '', document.comment ?? ''];
  visit(document, {
    Node(_, node) {
      found.push(node.commentBefore ?? '', node.comment ?? '');
    },
    Pair(_, { key, value }) {
      const name = isScalar(key) ? String(key.value) : JSON.stringify(key);
      if (!KNOWN.has(name)) found.push(name, JSON.stringify(value));
    },
  });
  return found.filter((text) => text !== '').join('\n');
}

type WithDocument = Pick<FlowFile, 'document'>;

/** Returns the document that holds the additions of both sides to the flow, if one of them does. */
export function mergeExtras({ base, ours, theirs }: Sides<WithDocument>): {
  readonly document: FlowFile['document'];
  readonly isClear: boolean;
} {
  const text = (file: WithDocument | undefined): string | undefined =>
    file && (file.document && isMap(file.document.contents) ? extrasOf(file.document) : '');
  const [mine, other] = [text(ours) ?? '', text(theirs) ?? ''];
  const { value, isClear } = mergeValue({ base: text(base) ?? '', ours: mine, theirs: other });
  return { document: value === mine ? ours.document : theirs.document, isClear };
}
