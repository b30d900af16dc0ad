import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { nextChangeTime } from '../../src/files/durable.ts';
import { type BatchChange, journalSeal, writeJournal } from '../../src/files/journal-file.ts';
import { journalKey } from '../../src/files/journal-key.ts';

/** Returns a change of a batch; `null` deletes the file. */
export function batchChange(key: string, text: string | null): BatchChange {
  return { key, data: text === null ? null : Buffer.from(text), changeTime: nextChangeTime() };
}

/** How a batch is left. */
export interface LeftBatch {
  /** Where the row of batches ends so far. Default: 0. */
  readonly offset?: number;
  /** The secret of another user. Default: that of this user. */
  readonly key?: Buffer;
  /** The folder that the batch was written for. Default: the one where it is left. */
  readonly root?: string;
}

/** Leaves what a process leaves that dies right after a batch became durable; where its row ends. */
export async function leaveBatch(
  folder: string,
  changes: readonly BatchChange[],
  { offset = 0, root = folder, key }: LeftBatch = {},
): Promise<number> {
  const place = realpathSync.native(root);
  const seal = journalSeal(key ?? (await journalKey(place)), place);
  const journal = join(folder, '.vizprompt', 'batch.journal');
  return (await writeJournal(journal, changes, { seal, offset })).end;
}
