import type { JsonValue } from '@vizprompt/providers';
import { errorsIn, type OwnVariables } from './execution-context.ts';

/** Returns the error that a step has in the variable `errors`. */
export function errorOf(variables: OwnVariables, stepId: string): JsonValue | undefined {
  const errors = errorsIn(variables);
  return Object.hasOwn(errors, stepId) ? errors[stepId] : undefined;
}

/**
 * Removes the error of an earlier visit of a step that has now succeeded, unless it set another one.
 *
 * @param before - The result of `errorOf` before the step ran.
 */
export function forgetError(
  variables: OwnVariables,
  stepId: string,
  before: JsonValue | undefined,
): void {
  if (before === undefined || errorOf(variables, stepId) !== before) return;
  const others = Object.entries(errorsIn(variables)).filter(([id]) => id !== stepId);
  variables['errors'] = Object.fromEntries(others);
}
