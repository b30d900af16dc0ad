import { createHash } from 'node:crypto';
import {
  type Database,
  messageOf,
  type Statement,
  type Storage,
  StorageError,
} from '@vizprompt/providers';
import {
  type DamagedRow,
  damageErrors,
  type DamageErrors,
  isStorable,
  readRows,
} from '@vizprompt/providers/internal';
import type { LockFolder } from '@vizprompt/providers/node';
import { TalkError } from '../errors.ts';
import type { Conversation, TalkLimits, TalkStatus, TalkTurn } from './conversation.ts';
import {
  conversationStatements,
  endStatement,
  INSERT_TURN,
  insertParams,
  limitsOf,
  type LogRow,
  metaRow,
  type MetaRow,
  type ParticipantRow,
  selectedColumns,
  type TalkEnd,
  toConversation,
  toListedConversation,
  toTurn,
  UPDATE_TURN,
  updateParams,
} from './log-rows.ts';
import { columnNames, TALK_MIGRATIONS } from './migrations.ts';

/** Rows that are read at once. */
const PAGE = 200;
/** Damaged rows that an error lists. */
const MAX_DAMAGED = 1000;

/** The parts of a log that may not be changed. */
interface Tables {
  readonly columns?: ReadonlySet<string>;
  readonly hasParticipants?: boolean;
}

/** The log of talks in a database. Acknowledged calls are durable. */
export class TalkLog {
  readonly #database: Database;
  /** Where it is, for messages. */
  readonly #place: string;
  /** The columns that its rows have; absent where they have all. */
  readonly #columns: ReadonlySet<string> | undefined;
  readonly #hasParticipants: boolean;

  private constructor(
    database: Database,
    place: string,
    { columns, hasParticipants = true }: Tables = {},
  ) {
    this.#database = database;
    this.#place = place;
    this.#columns = columns;
    this.#hasParticipants = hasParticipants;
  }

  /** @throws TalkError with the code `log-unwritable` if tables cannot be made. */
  static async open(database: Database, place: string): Promise<TalkLog> {
    const log = new TalkLog(database, place);
    await log.#writing(() => database.migrate('talktable', TALK_MIGRATIONS));
    return log;
  }

  /**
   * Opens a log whose tables may not be changed, also one of an older version or of the older tool.
   *
   * @throws TalkError with the code `log-unreadable` if it has none, or cannot be read.
   */
  static async openToRead(database: Database, place: string): Promise<TalkLog> {
    const { dialect } = database;
    const names = (table: string): Promise<ReadonlySet<string>> =>
      new TalkLog(database, place).#reading(() => columnNames(database, dialect, table));
    const columns = await names('conversation_log');
    if (columns.size === 0 || (await names('conversation_meta')).size === 0) {
      const message = `${place} holds no log of talks`;
      throw new TalkError('log-unreadable', message, { context: { place } });
    }
    const hasParticipants = (await names('conversation_participant')).size > 0;
    return new TalkLog(database, place, { columns, hasParticipants });
  }

  /** @throws TalkError with the code `exists` if the id is taken. */
  async begin(conversation: Conversation, limits: TalkLimits): Promise<void> {
    try {
      await this.#database.batch(conversationStatements(conversation, limits));
    } catch (error) {
      if (!isTaken(error)) throw this.#unwritable(error);
      const message = `there is a conversation '${conversation.id}' already: resume it, or choose another id`;
      throw new TalkError('exists', message, { cause: error, context: { id: conversation.id } });
    }
  }

  /** Writes the row of a turn. */
  async add(turn: Omit<TalkTurn, 'id'>): Promise<TalkTurn> {
    try {
      const [row] = await this.#database.query<{ id: number }>(INSERT_TURN, insertParams(turn));
      return { ...turn, id: row?.id ?? 0 };
    } catch (error) {
      if (isTaken(error)) throw conflict(turn);
      throw this.#unwritable(error);
    }
  }

  /**
   * Writes what was said from outside.
   *
   * @throws TalkError with the code `finished` if the talk has come to its end, `conflict` if the number
   * is taken.
   */
  async addSaid(turn: Omit<TalkTurn, 'id'>): Promise<TalkTurn> {
    const { conversationId } = turn;
    try {
      const id = await this.#database.transaction(async (tx) => {
        const sql = 'SELECT status FROM conversation_meta WHERE conversation_id = ?';
        const [meta] = await tx.query<{ status: TalkStatus }>(sql, [conversationId]);
        if (meta?.status === 'done') throw finished(conversationId);
        const [row] = await tx.query<{ id: number }>(INSERT_TURN, insertParams(turn));
        return row?.id ?? 0;
      });
      return { ...turn, id };
    } catch (error) {
      if (isTaken(error)) throw conflict(turn);
      throw this.#unwritable(error);
    }
  }

  /** Says that a turn is asked for once more. The log must still be as `turn` has it. */
  async reopen(turn: TalkTurn, again: TalkTurn): Promise<void> {
    await this.#update(turn, again, []);
  }

  /** Writes how a turn ended and, in the same transaction, how the talk did. */
  async finish(pending: TalkTurn, ended: TalkTurn, end?: TalkEnd): Promise<void> {
    const { id, status, attempt, startedAt } = ended;
    // The talk ends with the turn, or, where another process has the turn, not at all.
    const ifWritten = `AND EXISTS (SELECT 1 FROM conversation_log
      WHERE id = ? AND status = ? AND attempt = ? AND timestamp = ?)`;
    const mine = [id, status, attempt, startedAt];
    const more = end ? [endStatement(ended.conversationId, end, ifWritten, mine)] : [];
    await this.#update(pending, ended, more);
  }

  /**
   * Writes the state of the talk, unless another process has finished it or continued with it.
   *
   * @param nextNumber - The number of the next turn, as the caller knows the talk.
   * @throws TalkError with the code `conflict` where the log holds that turn already, or the end.
   */
  async setEnd(conversationId: string, end: TalkEnd, nextNumber: number): Promise<void> {
    const unlessLed = `AND NOT EXISTS (SELECT 1 FROM conversation_log
      WHERE conversation_id = ? AND turn_number >= ?)`;
    const statement = endStatement(conversationId, end, unlessLed, [conversationId, nextNumber]);
    const [changes] = await this.#writing(() => this.#database.batch([statement]));
    if (changes !== 1) throw conflict({ conversationId, number: nextNumber });
  }

  async setLimits(conversationId: string, limits: TalkLimits): Promise<void> {
    const sql =
      'UPDATE conversation_meta SET limits = ?, stop_reason = NULL WHERE conversation_id = ?';
    await this.#writing(() =>
      this.#database.execute(sql, [JSON.stringify(limits), conversationId]),
    );
  }

  /** Returns the talks of the log, the newest first. */
  async conversations(limit: number): Promise<readonly Conversation[]> {
    return this.#reading(async () => {
      const rows = await this.#database.query<MetaRow>(
        'SELECT * FROM conversation_meta ORDER BY start_time DESC, conversation_id DESC LIMIT ?',
        [limit],
      );
      return Promise.all(
        rows.map(async (row) => toListedConversation(metaRow(row), await this.#participants(row))),
      );
    });
  }

  /** @throws TalkError with the code `conversation-not-found`, or `corrupt` with the place. */
  async conversation(id: string): Promise<{
    readonly conversation: Conversation;
    readonly limits: TalkLimits;
  }> {
    const row = await this.#metaOf(id);
    if (!row) {
      const message = `there is no conversation '${id}' in ${this.#place}`;
      throw new TalkError('conversation-not-found', message, { context: { id } });
    }
    const participants = await this.#reading(() => this.#participants(row));
    return reading(() => ({
      conversation: toConversation(row, participants),
      limits: limitsOf(row),
    }));
  }

  /**
   * Returns the turns of a talk in the order of speaking, read page by page. Those that are damaged are left out.
   *
   * @param options - `from`: the number of the first.
   * @throws TalkError with the code `corrupt` for those that are damaged, when all others were given.
   */
  async *turns(
    id: string,
    options: { readonly prompts: boolean; readonly from?: number },
  ): AsyncGenerator<TalkTurn> {
    const columns = selectedColumns(this.#columns, options.prompts);
    const isOld = await this.#isOld(id);
    // The older tool could write a turn twice; rows of this package have the index of their number.
    const [key, rows] = isOld ? ['id', ''] : ['turn_number', 'AND status IS NOT NULL'];
    const sql = `SELECT ${columns} FROM conversation_log
      WHERE conversation_id = ? ${rows} AND ${key} > ? ORDER BY ${key} LIMIT ${PAGE}`;
    const damaged: DamagedRow[] = [];
    let after = isOld ? -1 : (options.from ?? 0) - 1;
    for (;;) {
      const from = after;
      const page = await this.#reading(() => this.#database.query<LogRow>(sql, [id, from]));
      const turns = readRows(page, toTurn);
      yield* turns.values;
      if (damaged.length < MAX_DAMAGED) damaged.push(...turns.damaged);
      const last = page.at(-1);
      if (!last || page.length < PAGE) break;
      after = isOld ? last.id : last.turn_number;
    }
    if (damaged.length > 0) throw damagedRows(damaged);
  }

  /** Checks whether the older tool wrote it. */
  async #isOld(id: string): Promise<boolean> {
    const meta = await this.#metaOf(id);
    return (meta?.status ?? null) === null;
  }

  /** One turn, with its prompt. */
  async turn(id: number): Promise<TalkTurn | undefined> {
    const [row] = await this.#reading(() =>
      this.#database.query<LogRow>(
        `SELECT ${selectedColumns(this.#columns, true)} FROM conversation_log WHERE id = ?`,
        [id],
      ),
    );
    return row && reading(() => toTurn(row));
  }

  async #metaOf(id: string): Promise<MetaRow | undefined> {
    if (!isStorable(id)) return undefined;
    const sql = 'SELECT * FROM conversation_meta WHERE conversation_id = ?';
    const [row] = await this.#reading(() => this.#database.query<MetaRow>(sql, [id]));
    return row && metaRow(row);
  }

  async #participants({ conversation_id: id }: MetaRow): Promise<readonly ParticipantRow[]> {
    if (!this.#hasParticipants) return [];
    return this.#database.query<ParticipantRow>(
      'SELECT * FROM conversation_participant WHERE conversation_id = ? ORDER BY position',
      [id],
    );
  }

  async #update(before: TalkTurn, after: TalkTurn, more: readonly Statement[]): Promise<void> {
    const sql = UPDATE_TURN;
    const params = updateParams(before, after);
    const changes = await this.#writing(async () => {
      // One statement is a transaction of its own.
      if (more.length === 0) return (await this.#database.execute(sql, params)).changes;
      const [first] = await this.#database.batch([{ sql, params }, ...more]);
      return first;
    });
    if (changes !== 1) throw conflict(after);
  }

  async #writing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#unwritable(error);
    }
  }

  async #reading<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (!StorageError.isInstance(cause)) throw cause;
      const message = `the log of talks in ${this.#place} cannot be read: ${reasonOf(cause)}`;
      throw new TalkError('log-unreadable', message, { cause, context: { place: this.#place } });
    }
  }

  #unwritable(cause: unknown): unknown {
    if (!StorageError.isInstance(cause)) return cause;
    const wayOut =
      cause.code === 'corrupt'
        ? 'Choose another logPath, or put a copy in its place'
        : 'Make room or give it the right to be written, or choose another logPath; what is in it is ' +
          'whole, and ConversationLog reads it';
    const message = `the log of talks in ${this.#place} cannot be written: ${reasonOf(cause)}. ${wayOut}`;
    return new TalkError('log-unwritable', message, { cause, context: { place: this.#place } });
  }
}

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

/** Returns the error for continuing with a talk that is over. */
export function finished(conversationId: string): TalkError {
  const message = `the conversation '${conversationId}' has come to its end`;
  return new TalkError('finished', message, { context: { conversationId } });
}

/** Returns the message of the database, without the statement that it was given. */
function reasonOf(error: StorageError): string {
  return 'sqlite' in error.context ? messageOf(error.cause) : error.message;
}

function isTaken(error: unknown): boolean {
  return StorageError.isInstance(error) && error.code === 'constraint';
}

function conflict({
  conversationId,
  number,
}: Pick<TalkTurn, 'conversationId' | 'number'>): TalkError {
  const message =
    `turn ${number} of the conversation '${conversationId}' was written by another process, which ` +
    'continues with it. Let it, or stop it there and resume here';
  return new TalkError('conflict', message, { context: { conversationId, number } });
}

/** The errors for rows that cannot be read. */
const errors: DamageErrors<TalkError> = damageErrors(
  (message, context) => new TalkError('corrupt', message, { context }),
);
const damagedRows: DamageErrors<TalkError>['damagedRows'] = errors.damagedRows;
const reading: DamageErrors<TalkError>['reading'] = errors.reading;
