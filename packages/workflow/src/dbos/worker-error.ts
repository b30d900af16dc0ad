import { messageOf } from '@vizprompt/providers';

/** What DBOS writes down of a run or a thread that failed; all of it is in the journal. */
export function briefError(error: unknown): Error {
  return new Error(messageOf(error));
}
