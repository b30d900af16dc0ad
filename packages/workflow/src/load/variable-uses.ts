import type { ASTNode } from '@marcbachmann/cel-js';
import type { Step } from '../definition/step.ts';
import { agentCalls } from '../definition/walk-steps.ts';
import { WorkflowError } from '../errors.ts';
import { boundNames, type CelProgram, nodesIn } from '../language/cel.ts';
import { parseCondition } from '../language/condition.ts';
import { conditionsOf } from './check-definitions.ts';
import type { Path } from '../problems/finding.ts';

/** A variable that is asked for. */
export interface Use {
  readonly name: string;
  /** The whole dotted path, where it is one. */
  readonly dotted?: string;
  /** Below the step. */
  readonly path: Path;
  /** Where in the text of the value. */
  readonly within: number;
  /** True if it is asked for after the body of the step. */
  readonly isAfterBody: boolean;
}

/** Returns the variables that a step asks for, but for those of the steps in its body. */
export function usesOf(step: Step): readonly Use[] {
  const uses: Use[] = [];
  const dotted = (value: string | undefined, path: Path, isAfterBody = false): void => {
    if (value === undefined) return;
    const [name = ''] = value.split('.');
    uses.push({ name, dotted: value, path, within: 0, isAfterBody });
  };
  const inputs = (all: Readonly<Record<string, string>> = {}, path: Path): void => {
    for (const [key, value] of Object.entries(all))
      dotted(value, [...path, 'input_variables', key]);
  };
  for (const { call, path } of agentCalls(step)) inputs(call.input_variables, path);
  if (step.type !== 'agent_interaction' && 'input_variables' in step) {
    inputs(step.input_variables, []);
  }
  if (step.type === 'retrieve') dotted(step.query, ['query']);
  if (step.type === 'sleep') dotted(step.until, ['until']);
  if (step.type === 'foreach') dotted(step.result, ['result'], true);
  for (const { source, path } of conditionsOf(step)) {
    const isAfterBody = step.type === 'loop' && path[0] === 'until';
    for (const { name, within } of namesIn(source)) uses.push({ name, path, within, isAfterBody });
  }
  return uses;
}

/** Lists the names in an expression; syntax errors are reported elsewhere. */
export function namesIn(source: string): ReturnType<typeof conditionNames> {
  try {
    return conditionNames(parseCondition(source));
  } catch (error) {
    if (WorkflowError.isInstance(error)) return [];
    throw error;
  }
}

/** A variable in a condition. */
interface NamedVariable {
  readonly name: string;
  /** Its offset, in UTF-16 code units. */
  readonly within: number;
}

/** The receivers of functions, which are not variables. */
const SPACES = new Set(['cel', 'optional', 'math', 'strings', 'google']);

/** Returns the variables that a condition asks for. */
function conditionNames({ ast }: CelProgram): readonly NamedVariable[] {
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

/** Names that CEL keeps for types of its own, so that no variable of that name is seen. */
export const CEL_NAMES: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'dyn',
  'int',
  'list',
  'map',
  'null_type',
  'optional_type',
  'string',
  'type',
  'uint',
]);
