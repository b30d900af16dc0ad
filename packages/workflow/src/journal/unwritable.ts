import { messageOf } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';

/** The error of a journal whose database fails. */
export function unwritable(cause: unknown): WorkflowError {
  if (WorkflowError.isInstance(cause)) return cause;
  return new WorkflowError(
    'journal-unwritable',
    `the journal cannot be written: ${messageOf(cause)}; what was acknowledged stands, and resume() goes on from there`,
    { cause },
  );
}
