import type { FlowGraph } from '../flow/flow-graph.ts';

/**
 * The nodes and all that they go on from, each once and behind its parents: the line of the main
 * parent first, then what only the others add. A node that is added at the end changes nothing
 * before it.
 *
 * @param starts - The nodes themselves, the main one first.
 */
export function orderAncestors(graph: FlowGraph, starts: readonly string[]): string[] {
  const order: string[] = [];
  const seen = new Set<string>();
  const stack: { readonly id: string; next: number }[] = [];
  const enter = (id: string): void => {
    if (seen.has(id) || !graph.has(id)) return;
    seen.add(id);
    stack.push({ id, next: 0 });
  };
  for (const start of starts) {
    enter(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const parent = graph.parents(top.id)[top.next++];
      if (parent !== undefined) enter(parent);
      else order.push(stack.pop()?.id ?? top.id);
    }
  }
  return order;
}
