import { retryWithBackoff } from '@vizprompt/providers/internal';
import { WorkflowError } from '../errors.ts';
import type { Journal, JournalEntry } from '../journal/journal.ts';
import type { LeadJournal } from '../runtime/active-run.ts';
import { isUnreachable } from './dispatch.ts';

/** How long to wait before a database that cannot be reached is tried again, in milliseconds. */
const AGAIN_MS = 200;

/**
 * Repeats work while the database cannot be reached: a restart of PostgreSQL must not end runs.
 *
 * @param isOver - True if the result is not needed any more.
 */
export function retryOnDisconnect<T>(work: () => Promise<T>, isOver: () => boolean): Promise<T> {
  return retryWithBackoff(work, {
    delayMs: (error) => (isUnreachable(error) && !isOver() ? AGAIN_MS : undefined),
  });
}

/** Returns a journal whose leader waits for a database that is away, and knows what it wrote just before it went away. */
export function reconnectingJournal(journal: LeadJournal, isOver: () => boolean): LeadJournal {
  return {
    run: (runId) => journal.run(runId),
    answersOf: (runIds) => journal.answersOf(runIds),
    lost: (runIds) => journal.lost(runIds),
    excuse: (runIds, isExcused) => journal.excuse(runIds, isExcused),
    prune: (retention, now) => journal.prune(retention, now),
    unask: (runId, path, at) => retryOnDisconnect(() => journal.unask(runId, path, at), isOver),
    async write(runId, entry) {
      await retryOnDisconnect(async () => {
        try {
          await journal.write(runId, entry);
        } catch (error) {
          if (isConflict(error) && (await isWritten(journal, runId, entry))) return;
          throw error;
        }
      }, isOver);
    },
  };
}

function isConflict(error: unknown): boolean {
  return WorkflowError.isInstance(error) && error.code === 'conflict';
}

/**
 * Checks whether the end of a run was written before the connection was lost, so that it has no leader any more. Writes
 * of several runs are repeated one by one, and only the first of them may meet the loss.
 */
async function isWritten(
  journal: Pick<Journal, 'run'>,
  runId: string,
  entry: JournalEntry,
): Promise<boolean> {
  if (entry.type !== 'ended') return false;
  const run = await journal.run(runId);
  return run?.status === entry.status && run.endedAt === entry.at;
}
