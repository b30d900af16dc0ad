import { messageOf, type Storage } from '@vizprompt/providers';
import { TalkError } from '../errors.ts';
import { TalkLog } from './talk-log.ts';

/** A log, and what ends it. */
export interface OpenedLog {
  readonly log: TalkLog;
  close(): Promise<void>;
}

/**
 * Opens the log in a storage, which stays open, or in a SQLite file of its own.
 *
 * @throws TalkError with the code `log-unwritable`.
 */
export async function openLog(storage: Storage | undefined, path: string): Promise<OpenedLog> {
  if (storage) {
    return { log: await TalkLog.open(storage.database, 'in the storage'), close: async () => {} };
  }
  const { sqliteDatabase } = await import('@vizprompt/providers/node');
  const database = sqliteDatabase({ path });
  try {
    const log = await TalkLog.open(database, path);
    return { log, close: () => database.close() };
  } catch (cause) {
    await database.close().catch(() => undefined);
    if (TalkError.isInstance(cause)) throw cause;
    const message = `the log ${path} cannot be written: ${messageOf(cause)}; choose another logPath`;
    throw new TalkError('log-unwritable', message, { cause, context: { place: path } });
  }
}
