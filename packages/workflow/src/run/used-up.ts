import type { JsonObject } from '@vizprompt/providers';
import { toErrorJson, WorkflowError } from '../errors.ts';
import { errorsIn, type ExecutionContext, type Place } from './execution-context.ts';

/** Rounds of a loop, or turns of a team, that were used up without the end that they were for. */
interface UsedUp {
  readonly stepId: string;
  readonly rounds: number;
  readonly message: string;
  readonly onExhausted: 'continue' | 'fail';
}

/**
 * Reports that the rounds of a step are used up: `errors` holds it where the run continues.
 *
 * @throws WorkflowError with the code `exhausted` where the step fails.
 */
export function usedUp(
  { services, variables }: ExecutionContext,
  { path, stepId }: Place,
  { stepId: id, rounds, message, onExhausted }: UsedUp,
): void {
  const context = { runId: services.runId, path, stepId, rounds };
  const error = new WorkflowError('exhausted', message, { context });
  services.tell('step:exhausted', { path, stepId, rounds });
  if (onExhausted === 'fail') throw error;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an ErrorJson is plain
  const json = toErrorJson(error) as unknown as JsonObject;
  variables['errors'] = { ...errorsIn(variables), [id]: json };
}
