import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { highestOf } from '../flow/edit-flow.ts';
import { FlowGraph } from '../flow/flow-graph.ts';
import type { Flow, FlowConnection, FlowNode } from '../flow/flow.ts';
import { compareTimes } from '../format/ids-and-times.ts';
import { mergeKeys, mergeValue, type Sides } from './three-way.ts';

/** A field that both sides changed, each in its own way. */
export type FlowConflict = 'name' | 'alias' | 'description' | 'source' | 'branch' | 'connections';

/** Two versions of a flow as one. */
export interface MergedFlow {
  /** All nodes and connections; of what is in conflict, the newer side's. */
  readonly flow: Flow;
  /** `connections`: together they would close a circle, and `flow` has it. */
  readonly conflicts: readonly FlowConflict[];
}

/**
 * Merges two versions of a flow by what they mean. What one side added is there, what one side took
 * away is not, unless the other side has gone on from it. Where both gave a new node the same index,
 * one gets another: connections follow the ids. Times are the widest, and the head is that of the side
 * that was changed last. The result does not depend on whose side is called ours.
 */
export function mergeFlows(sides: Sides<Flow>): MergedFlow {
  const [first, last] = inOrder(sides);
  const ordered: Sides<Flow> = { base: sides.base, ours: last, theirs: first };
  const conflicts: FlowConflict[] = [];
  const scalar = (name: 'name' | 'alias' | 'description' | 'source'): string | undefined => {
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
    ...defined({ alias: scalar('alias'), source: scalar('source') }),
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
  const realHead = [head, last.head, first.head].find((id) => id !== undefined && ids.has(id));
  const flow: Flow = {
    id: last.id,
    ...names,
    created: compareTimes(first.created, last.created) <= 0 ? first.created : last.created,
    updated: last.updated,
    ...defined({ head: realHead ?? nodes.nodes.at(-1)?.id }),
    nodes: nodes.nodes,
    connections,
  };
  if (new FlowGraph(flow).findCycle()) conflicts.push('connections');
  return { flow, conflicts };
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
  // A node that stays because one side went on from it keeps its place there.
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
  /** Those that one side took away, and that stay because the other went on from them. */
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
  // Nodes that both sides have stand as if they had been there before.
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
