import type { FlowGraph } from '../flow/flow-graph.ts';

/** A node from which every way was taken. */
const DONE = -1;
/** The number of nodes that are shown at each end of a long circle. */
const SHOWN = 10;

/** A connection that closes a circle. */
export interface ClosingConnection {
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
