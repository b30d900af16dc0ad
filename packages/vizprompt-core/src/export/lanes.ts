import type { FlowView } from './flow-view.ts';

/** Where a node is drawn: its row counts down from the first, its lane to the right. */
export interface LaneNode {
  readonly id: string;
  readonly row: number;
  readonly lane: number;
}

/**
 * Lays a flow out like a history of commits: a row for each node, each behind its parents, and a
 * lane for each branch. The first child of a node stays in its lane. The others get a lane of their
 * own where they branch off, the first that is free all the way down to them, so that no line runs
 * through the node of another branch.
 */
export function layoutLanes({ graph }: FlowView): readonly LaneNode[] {
  const order = graph.topologicalOrder();
  const rows = new Map(order.map((id, row) => [id, row]));
  const lanes = new Map<string, number>();
  /** The row down to which each lane is taken. */
  const taken: number[] = [];
  const takeLane = (from: number, to: number): number => {
    const free = taken.findIndex((end) => end < from);
    const lane = free < 0 ? taken.length : free;
    taken[lane] = to;
    return lane;
  };
  return order.map((id, row) => {
    const lane = lanes.get(id) ?? takeLane(row, row);
    const children = graph.children(id);
    const last = children.reduce((end, child) => Math.max(end, rows.get(child) ?? row), row);
    taken[lane] = Math.max(taken[lane] ?? 0, last);
    for (const [place, child] of children.entries()) {
      if (graph.parents(child)[0] !== id) continue;
      lanes.set(child, place === 0 ? lane : takeLane(row, rows.get(child) ?? row));
    }
    return { id, row, lane };
  });
}
