import { existsSync } from 'node:fs';
import {
  messageOf,
  StorageError,
  type Database,
  type EraseOptions,
  type ErasureReport,
  type Storage,
} from '@vizprompt/providers';
import { checkCall } from '../options.ts';
import { TalkError } from '../errors.ts';
import { takeLead, TalkLog } from '../log/talk-log.ts';
import { LogEraser } from './log-eraser.ts';

/**
 * Erases what a speaker said in all talks of a log: each text is replaced by `[erased]`, and so are the name, copies in
 * the prompts and answers of others, and summaries that were made after it. Turns keep their places. No byte of it
 * remains in the log. An erasure that was interrupted is finished by calling it again.
 *
 * @param where - The SQLite file, or the storage that holds the log, which stays open. No talk of the speaker may be
 * led meanwhile.
 * @throws TalkError with the code `log-unreadable` if there is no log, `conflict` if a talk is led, `log-unwritable`.
 *
 * @example
 * ```ts
 * const { erased, remains } = await eraseSpeaker('logs/conversation.db', { speaker: 'Alice' });
 * ```
 */
export async function eraseSpeaker(
  where: string | Storage,
  options: EraseOptions,
): Promise<ErasureReport> {
  checkCall('eraseSpeaker', options);
  if (typeof where !== 'string') {
    return eraseIn(where.database, 'the storage', options, async () => undefined);
  }
  if (!existsSync(where)) {
    const message = `there is no log ${where}: name the file of a log`;
    throw new TalkError('log-unreadable', message, { context: { place: where } });
  }
  const { lockFolder, sqliteDatabase } = await import('@vizprompt/providers/node');
  const database = sqliteDatabase({ path: where });
  const locks = lockFolder(`${where}-locks`);
  const leads: AsyncDisposable[] = [];
  try {
    return await eraseIn(database, where, options, async (talks) => {
      for (const talk of talks) leads.push(await takeLead(locks, talk, where));
    });
  } finally {
    for (const lead of leads) await lead[Symbol.asyncDispose]();
    await locks.close();
    await database.close();
  }
}

async function eraseIn(
  database: Database,
  place: string,
  options: EraseOptions,
  lead: (talks: ReadonlySet<string>) => Promise<void>,
): Promise<ErasureReport> {
  const { dryRun = false } = options;
  // An older log gets the columns that are erased.
  await TalkLog.open(database, place);
  try {
    const eraser = new LogEraser(database, options);
    const talks = await eraser.find();
    if (!dryRun) await lead(talks);
    await eraser.erase();
    if (!dryRun) await purge(database, place);
    return eraser.report();
  } catch (cause) {
    if (!StorageError.isInstance(cause)) throw cause;
    const message = `the log of talks in ${place} cannot be erased: ${messageOf(cause)}`;
    throw new TalkError('log-unwritable', message, { cause, context: { place } });
  }
}

async function purge(database: Database, place: string): Promise<void> {
  if (database.purge) return database.purge();
  throw new StorageError(
    'unsupported',
    `cannot purge the database of ${place}: no method 'purge'. The rows are erased, but their bytes may remain`,
  );
}
