import type { ActiveRun } from '../runtime/active-run.ts';
import { briefError, isDropped, never } from './dropped-runs.ts';
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
