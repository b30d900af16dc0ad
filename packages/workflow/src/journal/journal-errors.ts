import { messageOf } from '@vizprompt/providers';
import { damageErrors, type DamageErrors } from '@vizprompt/providers/internal';
import { WorkflowError } from '../errors.ts';
import type { RunHistory } from './journal.ts';

/** Another engine leads the run. */
export function conflict(runId: string): WorkflowError {
  const message = `another engine leads the run '${runId}': it can be resumed when that one has ended or let go`;
  return new WorkflowError('conflict', message, { context: { runId } });
}

/** A worker will begin the run, and report it to the caller that started it. */
export function queued(runId: string): WorkflowError {
  const message = `the run '${runId}' waits for a worker, which will lead it: there is nothing to resume; run() reports its progress`;
  return new WorkflowError('conflict', message, { context: { runId } });
}

/** There is such a run already. */
export function idTaken(runId: string): WorkflowError {
  const message = `there is a run '${runId}' already: leave runId out, or resume that run`;
  return new WorkflowError('conflict', message, { context: { runId } });
}

/** Returns the error of a journal whose database fails. */
export function unwritable(cause: unknown): WorkflowError {
  if (WorkflowError.isInstance(cause)) return cause;
  return new WorkflowError(
    'journal-unwritable',
    `the journal cannot be written: ${messageOf(cause)}; acknowledged work is safe: resume() continues from there`,
    { cause },
  );
}

/** The errors for rows that cannot be read. */
const errors: DamageErrors<WorkflowError> = damageErrors(
  (message, context) => new WorkflowError('corrupt', message, { context }),
);
export const damagedRows: DamageErrors<WorkflowError>['damagedRows'] = errors.damagedRows;
export const reading: DamageErrors<WorkflowError>['reading'] = errors.reading;

/**
 * Returns a history from which a run can continue: a step that cannot be read must not be done again.
 *
 * @throws WorkflowError with the code `corrupt`.
 */
export function wholeHistory(history: RunHistory): RunHistory {
  if (history.damaged) throw damagedRows(history.damaged);
  return history;
}
