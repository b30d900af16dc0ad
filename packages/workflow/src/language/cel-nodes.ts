import type { ASTNode } from '@marcbachmann/cel-js';

/** Calls whose first arguments are names of their own. */
const BINDING: Readonly<Record<string, number>> = {
  all: 2,
  bind: 1,
  exists: 2,
  exists_one: 2,
  filter: 1,
  map: 1,
};

/** The names that a call such as `list.all(x, x > 1)` makes, for what stands within its brackets. */
export function boundNames(node: ASTNode): readonly string[] {
  if (node.op !== 'rcall') return [];
  const [name, , given] = node.args;
  const most = Object.hasOwn(BINDING, name) ? (BINDING[name] ?? 0) : 0;
  return given
    .slice(0, Math.min(most, given.length - 1))
    .flatMap((one) => (one.op === 'id' ? [one.args] : []));
}

/** The nodes right below, in whatever form a node has them. */
export function nodesIn(args: unknown): readonly ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(nodesIn);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only nodes have an operator
  return typeof args === 'object' && args !== null && 'op' in args ? [args as ASTNode] : [];
}
