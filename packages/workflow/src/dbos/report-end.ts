import { messageOf } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';
import type { ActiveRun } from '../runtime/active-run.ts';
import { type RunMessage, sendError } from './run-event-relay.ts';

/**
 * Reports to its reader how a run ended. Does not return where another process continues with it.
 *
 * @param isCancelled - Checks whether it was cancelled elsewhere.
 * @throws the error that DBOS writes down for it.
 */
export async function reportEnd(
  { id: runId, run, settled }: ActiveRun,
  tell: (message: RunMessage) => void,
  isCancelled: () => Promise<boolean>,
): Promise<void> {
  try {
    const result = await run.result;
    tell({ type: 'done', runId, result });
  } catch (error) {
    await settled;
    // One that others continue with has not failed; one that was cancelled elsewhere has.
    const isOver = !isDropped(error) || (await isCancelled());
    if (!isOver) return never();
    tell({ type: 'failed', runId, error: sendError(error) });
    throw briefError(error);
  }
}

/** Checks for errors after which a run stays as it is, for another process to continue with. */
function isDropped(error: unknown): boolean {
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
