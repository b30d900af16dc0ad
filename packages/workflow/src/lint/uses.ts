import { conditionsOf } from '../check/languages.ts';
import type { Step } from '../definition/step.ts';
import { agentCalls } from '../definition/walk-steps.ts';
import { WorkflowError } from '../errors.ts';
import { parseCondition } from '../language/condition.ts';
import type { Path } from '../problems/finding.ts';
import { conditionNames } from './condition-names.ts';

/** A variable that is asked for. */
export interface Use {
  readonly name: string;
  /** The whole dotted path, where it is one. */
  readonly dotted?: string;
  /** Below the step. */
  readonly path: Path;
  /** Where in the text of the value. */
  readonly within: number;
  /** Whether it is asked for after the body of the step. */
  readonly isAfterBody: boolean;
}

/** The variables that a step asks for, but for those of the steps in its body. */
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

/** What cannot be parsed is told of elsewhere. */
export function namesIn(source: string): ReturnType<typeof conditionNames> {
  try {
    return conditionNames(parseCondition(source));
  } catch (error) {
    if (WorkflowError.isInstance(error)) return [];
    throw error;
  }
}
