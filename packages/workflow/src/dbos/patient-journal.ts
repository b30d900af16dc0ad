import { WorkflowError } from '../errors.ts';
import type { LeadJournal } from '../engine/engine-parts.ts';
import type { Journal, JournalEntry } from '../journal/journal.ts';
import { isUnreachable } from './dispatch.ts';
import { patiently } from './patience.ts';

/** A journal whose leader waits for a database that is away, and knows what it wrote just before it went away. */
export function patientJournal(journal: LeadJournal, isOver: () => boolean): LeadJournal {
  return {
    run: (runId) => journal.run(runId),
    answersOf: (runIds) => journal.answersOf(runIds),
    lost: (runIds) => journal.lost(runIds),
    prune: (retention, now) => journal.prune(retention, now),
    unask: (runId, path, at) => patiently(() => journal.unask(runId, path, at), isOver),
    async write(runId, entry) {
      let wasAway = false;
      await patiently(async () => {
        try {
          await journal.write(runId, entry);
        } catch (error) {
          wasAway ||= isUnreachable(error);
          if (wasAway && isConflict(error) && (await isWritten(journal, runId, entry))) return;
          throw error;
        }
      }, isOver);
    },
  };
}

function isConflict(error: unknown): boolean {
  return WorkflowError.isInstance(error) && error.code === 'conflict';
}

/** The end of a run may have been written before the connection was lost, and makes the run nobody's. */
async function isWritten(
  journal: Pick<Journal, 'run'>,
  runId: string,
  entry: JournalEntry,
): Promise<boolean> {
  if (entry.type !== 'ended') return false;
  const run = await journal.run(runId);
  return run?.status === entry.status && run.endedAt === entry.at;
}
