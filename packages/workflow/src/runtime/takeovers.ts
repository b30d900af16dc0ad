import { WorkflowError } from '../errors.ts';

/** Takeovers of a run without a finished step in between, after which it is taken for what ends its processes. */
export const MAX_TAKEOVERS = 3;

/** The end of a run whose processes died again and again without a step that it finished. */
export function takenOverTooOften(runId: string, takeovers: number): WorkflowError {
  return new WorkflowError(
    'limit',
    `the run '${runId}' was led by ${takeovers} processes in a row that ended or hung before it finished one more step: ` +
      'find out what it does there, and resume() it by hand, which counts from the beginning',
    { context: { runId, limit: 'takeovers', takeovers } },
  );
}
