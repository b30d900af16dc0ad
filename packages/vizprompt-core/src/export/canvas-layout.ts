import type { FlowGraph } from '../flow/flow-graph.ts';

/** A place in a grid: no two nodes have the same. */
export interface GridPlace {
  readonly column: number;
  /** Greater than that of every parent. */
  readonly depth: number;
}

/** The depths that a column holds, both included. */
type Taken = [from: number, to: number][];

/**
 * Lays a graph out as columns that run down. The first child of a node goes on in its column; the
 * others begin a column to the right of it, the nearest that is free all the way down.
 */
export function layoutGrid(graph: FlowGraph): ReadonlyMap<string, GridPlace> {
  const order = graph.topologicalOrder();
  const depths = new Map<string, number>();
  const depthOf = (id: string): number => depths.get(id) ?? 0;
  for (const id of order) {
    const above = graph.parents(id).map(depthOf);
    depths.set(id, above.reduce((most, depth) => Math.max(most, depth), -1) + 1);
  }
  const columns: Taken[] = [];
  const places = new Map<string, GridPlace>();
  for (const id of order) {
    if (places.has(id)) continue;
    const run = runFrom(graph, id);
    const parent = places.get(graph.parents(id)[0] ?? '');
    const column = takeColumn(columns, parent ? parent.column + 1 : 0, [
      parent ? parent.depth + 1 : depthOf(id),
      depthOf(run.at(-1) ?? id),
    ]);
    for (const member of run) places.set(member, { column, depth: depthOf(member) });
  }
  return places;
}

/** A node, its first child, the first child of that, and so on, as far as they are main children. */
function runFrom(graph: FlowGraph, start: string): string[] {
  const run: string[] = [];
  for (let id: string | undefined = start; id !== undefined;) {
    const last: string = id;
    run.push(last);
    const [first] = graph.children(last);
    id = first !== undefined && graph.parents(first)[0] === last ? first : undefined;
  }
  return run;
}

function takeColumn(columns: Taken[], first: number, [from, to]: Taken[number]): number {
  const isFree = (taken: Taken): boolean => !taken.some(([a, b]) => a <= to && from <= b);
  let column = first;
  for (let taken = columns[column]; taken && !isFree(taken); taken = columns[column]) column++;
  while (columns.length <= column) columns.push([]);
  columns[column]?.push([from, to]);
  return column;
}
