import { messageOf } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';

/** Checks for errors after which a run stays as it is, for another process to continue with. */
export function isDropped(error: unknown): boolean {
  return (
    WorkflowError.isInstance(error) &&
    (error.code === 'closed' || error.code === 'conflict' || error.code === 'journal-unwritable')
  );
}

/** DBOS writes down every value that is returned to it; a call that does not return leaves nothing. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** Returns the error that DBOS writes down for a run that failed; all of it is in the journal. */
export function briefError(error: unknown): Error {
  return new Error(messageOf(error));
}
