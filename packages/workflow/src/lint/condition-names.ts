import type { ASTNode } from '@marcbachmann/cel-js';
import type { CelProgram } from '../language/cel-environment.ts';

/** A variable in a condition. */
export interface NamedVariable {
  readonly name: string;
  /** Where it stands, in UTF-16 code units. */
  readonly within: number;
}

/** Calls whose first argument is a name of their own. */
const BINDING = new Set([
  'all',
  'exists',
  'exists_one',
  'map',
  'filter',
  'bind',
  'existsOne',
  'transformList',
  'transformMap',
]);
/** The receivers of functions, which are no variables. */
const SPACES = new Set(['cel', 'optional', 'math', 'strings', 'google']);

/** The variables that a condition asks for. */
export function conditionNames({ ast }: CelProgram): readonly NamedVariable[] {
  const names: NamedVariable[] = [];
  walk(ast, new Set(), names);
  return names;
}

function walk(node: ASTNode, bound: ReadonlySet<string>, names: NamedVariable[]): void {
  if (node.op === 'id') {
    if (!bound.has(node.args)) names.push({ name: node.args, within: node.start });
    return;
  }
  if (node.op === 'rcall') {
    const [name, receiver, given] = node.args;
    const isSpace = receiver.op === 'id' && SPACES.has(receiver.args);
    if (!isSpace) walk(receiver, bound, names);
    const own = BINDING.has(name)
      ? given.slice(0, -1).flatMap((one) => (one.op === 'id' ? [one.args] : []))
      : [];
    // Of `map(x, condition, result)` only the first is a name.
    const inner = new Set([
      ...bound,
      ...own.slice(0, name === 'map' || name === 'bind' ? 1 : own.length),
    ]);
    for (const [index, one] of given.entries()) {
      if (own.length > 0 && index === 0) continue;
      walk(one, inner, names);
    }
    return;
  }
  for (const child of childrenOf(node.args)) walk(child, bound, names);
}

function childrenOf(args: unknown): readonly ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(childrenOf);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only nodes have an operator
  return typeof args === 'object' && args !== null && 'op' in args ? [args as ASTNode] : [];
}
