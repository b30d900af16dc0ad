import { messageOf } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';

/** Another engine leads the run. */
export function conflict(runId: string): WorkflowError {
  const message = `another engine leads the run '${runId}': it can be resumed when that one has ended or let go`;
  return new WorkflowError('conflict', message, { context: { runId } });
}

/** A worker will begin the run, and who started it hears of it. */
export function queued(runId: string): WorkflowError {
  const message = `the run '${runId}' waits for a worker, which will lead it: there is nothing to resume, and run() tells how far it is`;
  return new WorkflowError('conflict', message, { context: { runId } });
}

/** There is such a run already. */
export function idTaken(runId: string): WorkflowError {
  const message = `there is a run '${runId}' already: leave runId out, or resume that run`;
  return new WorkflowError('conflict', message, { context: { runId } });
}

/** The error of a journal whose database fails. */
export function unwritable(cause: unknown): WorkflowError {
  if (WorkflowError.isInstance(cause)) return cause;
  return new WorkflowError(
    'journal-unwritable',
    `the journal cannot be written: ${messageOf(cause)}; what was acknowledged stands, and resume() goes on from there`,
    { cause },
  );
}
