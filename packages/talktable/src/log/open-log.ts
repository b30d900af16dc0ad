import { messageOf, type Storage } from '@vizprompt/providers';
import { TalkError } from '../errors.ts';
import { TalkLog } from './talk-log.ts';

/** The SQLite file of the log, where nothing else is said. */
export const USUAL_LOG = 'logs/conversation.db';

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
export async function openLog(
  storage: Storage | undefined,
  path: string = USUAL_LOG,
): Promise<OpenedLog> {
  if (storage) {
    return { log: await TalkLog.open(storage.database, STORAGE), close: async () => {} };
  }
  const { sqliteDatabase } = await import('@vizprompt/providers/node');
  const database = sqliteDatabase({ path });
  try {
    const log = await TalkLog.open(database, path);
    return { log, close: () => database.close() };
  } catch (cause) {
    await database.close().catch(() => undefined);
    if (TalkError.isInstance(cause)) throw cause;
    const message = `the log ${path} cannot be written: ${messageOf(cause)}; choose another logPath, or read it with ConversationLog`;
    throw new TalkError('log-unwritable', message, { cause, context: { place: path } });
  }
}

/**
 * Opens the log in a storage, which stays open, or in a SQLite file; nothing is written.
 *
 * @throws TalkError with the code `log-unreadable`.
 */
export async function openLogToRead(where: Storage | string): Promise<OpenedLog> {
  if (typeof where !== 'string') {
    return { log: await TalkLog.openToRead(where.database, STORAGE), close: async () => {} };
  }
  const { sqliteDatabase } = await import('@vizprompt/providers/node');
  const database = sqliteDatabase({ path: where, readOnly: true });
  try {
    return { log: await TalkLog.openToRead(database, where), close: () => database.close() };
  } catch (error) {
    await database.close().catch(() => undefined);
    throw error;
  }
}

const STORAGE = 'in the storage';
