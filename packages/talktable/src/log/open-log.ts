import { createHash } from 'node:crypto';
import { messageOf, type Storage, StorageError } from '@vizprompt/providers';
import type { LockFolder } from '@vizprompt/providers/node';
import { TalkError } from '../errors.ts';
import { TalkLog } from './talk-log.ts';

/** The SQLite file of the log, where nothing else is said. */
export const USUAL_LOG = 'logs/conversation.db';

/** A log, and what ends it. */
export interface OpenedLog {
  readonly log: TalkLog;
  close(): Promise<void>;
}

/** A log in which talks are led. */
export interface LedLog extends OpenedLog {
  /**
   * Takes the lead of a talk, until it is disposed of.
   *
   * @throws TalkError with the code `conflict` if another process leads it.
   */
  lead(conversationId: string): Promise<AsyncDisposable>;
}

/**
 * Opens the log in a storage, which stays open, or in a SQLite file of its own.
 *
 * @throws TalkError with the code `log-unwritable`.
 */
export async function openLog(
  storage: Storage | undefined,
  path: string = USUAL_LOG,
): Promise<LedLog> {
  if (storage) {
    const log = await TalkLog.open(storage.database, STORAGE);
    return { log, lead: async () => UNCONTESTED, close: async () => {} };
  }
  const { lockFolder, sqliteDatabase } = await import('@vizprompt/providers/node');
  const database = sqliteDatabase({ path });
  try {
    const log = await TalkLog.open(database, path);
    const locks = path === ':memory:' ? undefined : lockFolder(`${path}-locks`);
    return {
      log,
      lead: async (id) => (locks ? takeLead(locks, id, path) : UNCONTESTED),
      async close() {
        await locks?.close();
        await database.close();
      },
    };
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

const STORAGE = 'the storage';

/** How long to wait for a process that is about to end, in milliseconds. */
const PATIENCE_MS = 50;

/** A lead without a lock: in a storage, a process that comes too late gets the error at its next turn. */
const UNCONTESTED: AsyncDisposable = { [Symbol.asyncDispose]: async () => {} };

/**
 * Takes the lead of a talk until it is disposed of, or the process ends.
 *
 * @param place - The log, for messages.
 * @throws TalkError with the code `conflict` if another process leads the talk, or `log-unwritable`.
 */
export async function takeLead(
  locks: LockFolder,
  conversationId: string,
  place: string,
): Promise<AsyncDisposable> {
  const name = createHash('sha256').update(conversationId).digest('hex').slice(0, 32);
  try {
    const lock = await locks.lock(name, { timeoutMs: PATIENCE_MS });
    return { [Symbol.asyncDispose]: () => lock.release() };
  } catch (cause) {
    const context = { conversationId, place };
    if (StorageError.isInstance(cause) && cause.code === 'lock-timeout') {
      const message =
        `the conversation '${conversationId}' is in progress: another process leads it. Let it, or stop it ` +
        'there and resume here';
      throw new TalkError('conflict', message, { cause, context });
    }
    const message = `cannot lock the log of talks in ${place}: ${messageOf(cause)}; give its folder the right to be written, or choose another logPath`;
    throw new TalkError('log-unwritable', message, { cause, context });
  }
}
