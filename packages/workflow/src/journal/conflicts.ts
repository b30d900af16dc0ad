import { WorkflowError } from '../errors.ts';

/** Another engine leads the run. */
export function conflict(runId: string): WorkflowError {
  const message = `another engine leads the run '${runId}': it can be resumed when that one has ended or let go`;
  return new WorkflowError('conflict', message, { context: { runId } });
}

/** There is such a run already. */
export function idTaken(runId: string): WorkflowError {
  const message = `there is a run '${runId}' already: leave runId out, or resume that run`;
  return new WorkflowError('conflict', message, { context: { runId } });
}
