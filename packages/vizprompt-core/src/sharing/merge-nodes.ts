import { highestOf } from '../flow/edit-flow.ts';
import type { Flow, FlowNode } from '../flow/flow.ts';
import { mergeKeys, mergeValue, type Sides } from './three-way.ts';

/** The nodes of two versions of a flow. */
export interface MergedNodes {
  readonly nodes: readonly FlowNode[];
  /** Those that one side took away, and that stay because the other went on from them. */
  readonly rescued: ReadonlySet<string>;
}

/** Merges the node lists: what both began with, then what the first added, then the last. */
export function mergeNodes({ base, ours, theirs }: Sides<Flow>): MergedNodes {
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
