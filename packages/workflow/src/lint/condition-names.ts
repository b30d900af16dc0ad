import type { ASTNode } from '@marcbachmann/cel-js';
import { boundNames, nodesIn } from '../language/cel-nodes.ts';
import type { CelProgram } from '../language/cel-environment.ts';

/** A variable in a condition. */
export interface NamedVariable {
  readonly name: string;
  /** Where it stands, in UTF-16 code units. */
  readonly within: number;
}

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
    const [, receiver, given] = node.args;
    const isSpace = receiver.op === 'id' && SPACES.has(receiver.args);
    if (!isSpace) walk(receiver, bound, names);
    const own = boundNames(node);
    const inner = new Set([...bound, ...own]);
    for (const [index, one] of given.entries()) {
      if (own.length > 0 && index === 0) continue;
      walk(one, inner, names);
    }
    return;
  }
  for (const child of nodesIn(node.args)) walk(child, bound, names);
}
