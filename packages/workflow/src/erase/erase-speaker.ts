import {
  purgeStorage,
  type EraseOptions,
  type ErasureReport,
  type Storage,
} from '@vizprompt/providers';
import { ERASE_OPTIONS } from '@vizprompt/providers/config/internal';
import { checkOptions } from '../check-options.ts';
import { WorkflowError } from '../errors.ts';
import { EngineLease } from '../journal/engine-lease.ts';
import { unwritable } from '../journal/journal-errors.ts';
import { JOURNAL_MIGRATIONS } from '../journal/sql-journal.ts';
import { JournalEraser } from './journal-eraser.ts';

/**
 * Erases what a speaker said in all runs of a journal: what the speaker's steps gave (an agent, a tool, or `person` for
 * the answers of people), copies of it in inputs, prompts, variables and outputs, and objects that name the speaker.
 * Runs, paths and times stay. No byte of it remains in the journal. An erasure that was interrupted is finished by
 * calling it again.
 *
 * @param storage - Holds the journal, and stays open. No engine may lead a run of the speaker meanwhile.
 * @throws WorkflowError with the code `conflict` if an engine leads such a run, or `journal-unwritable`.
 *
 * @example
 * ```ts
 * const { erased } = await eraseSpeaker(storage, { speaker: 'person', dryRun: true });
 * ```
 */
export async function eraseSpeaker(
  storage: Storage,
  options: EraseOptions,
): Promise<ErasureReport> {
  checkOptions('eraseSpeaker', options, ERASE_OPTIONS);
  const { dryRun = false } = options;
  const { database } = storage;
  const eraser = new JournalEraser(database, options);
  try {
    await database.migrate('workflow', JOURNAL_MIGRATIONS);
    const runs = await eraser.find();
    if (!dryRun) await assertNotLed(storage, runs);
    await eraser.erase();
    if (!dryRun) await purgeStorage(storage, ['database', 'cache']);
  } catch (error) {
    if (options.signal?.aborted && error === options.signal.reason) throw error;
    throw unwritable(error);
  }
  return eraser.report();
}

/** The leader of a run has in memory what it would write again. */
async function assertNotLed(storage: Storage, runs: ReadonlySet<string>): Promise<void> {
  const led = await storage.database.query<{ id: string; owner: string }>(
    'SELECT id, owner FROM workflow_run WHERE owner IS NOT NULL AND ended_at IS NULL',
  );
  const lease = new EngineLease(storage);
  for (const { id, owner } of led) {
    if (!runs.has(id) || !(await lease.isAlive(owner))) continue;
    const message = `cannot erase what was said in the run '${id}': an engine leads it. Cancel the run or close the engine, then erase again`;
    throw new WorkflowError('conflict', message, { context: { runId: id } });
  }
}
