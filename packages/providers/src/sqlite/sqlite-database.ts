import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { poll } from '../concurrency/backoff.ts';
import { Mutex } from '../concurrency/mutex.ts';
import { checkOptions } from '../input/check-input.ts';
import {
  AMOUNT,
  ANYTHING,
  FLAG,
  type Kinds,
  LOGGER,
  NONEMPTY,
  oneOf,
  optional,
} from '../input/kinds.ts';
import type { Logger } from '../logging/logger.ts';
import { assertNewFile, intoPrivateFile } from '../storage/backup-target.ts';
import type { SqlParameter } from '../storage/database.ts';
import { applyMigrations } from '../storage/migrations.ts';
import {
  executorOf,
  fromBigInt,
  MAX_VALUE_BYTES,
  refuseTransactionControl,
  rowsOf,
  type RunStatement,
  type StatementResult,
  toSqlValues,
  TransactionScope,
} from '../storage/sql-statements.ts';
import { StorageError } from '../storage/storage-error.ts';
import { openSqlite } from './open-sqlite.ts';
import {
  type DriverConnection,
  type DriverStatement,
  type ExtensibleDatabase,
  MEMORY,
  type SqliteDriverName,
} from './sqlite-driver.ts';
import { isBusy, toStorageError } from './sqlite-error.ts';

/** Options of {@link sqliteDatabase}. */
export interface SqliteDatabaseOptions {
  /** The file, made when missing, its folders too; `':memory:'` for one that is never stored. */
  readonly path: string;
  /**
   * `'full'`: what is acknowledged survives the loss of power. `'normal'`: it survives the death
   * of the process, and after a loss of power the newest changes may be gone, all else intact.
   * Default: `'full'`.
   */
  readonly durability?: 'full' | 'normal' | undefined;
  /** How long to wait for another process that writes, in milliseconds. Default: 10,000. */
  readonly busyTimeoutMs?: number | undefined;
  /** True if a copy is made before a schema with data in it changes. Default: `true`. */
  readonly backupBeforeMigration?: boolean | undefined;
  /**
   * The action on a file that is damaged or no database: `'fail'` with the code `corrupt`, or
   * `'replace'` it by an empty database, for data that can be made again. Default: `'fail'`.
   */
  readonly whenCorrupt?: 'fail' | 'replace' | undefined;
  /**
   * Only reads: nothing is written or made, a missing file is an error (`io`), and so is every change. In a
   * folder that may not be written a private copy is read, as it is at the first call. Default: `false`.
   */
  readonly readOnly?: boolean | undefined;
  /**
   * How much of the file reading may map into memory, in bytes; SQLite itself stops at 2 GiB. Reading at many
   * places of a large file that is not in the memory of the system takes half as long. The price: when the disk
   * fails or another process truncates the file, the process is killed (SIGBUS), where it would get an error
   * otherwise. Writes take another way and are as safe as ever. Not on Windows. Default: 0.
   */
  readonly mapBytes?: number | undefined;
  /**
   * The library that opens the file: the package `'better-sqlite3'`, or `'node:sqlite'`, which is part of Node since
   * 22.16, Bun and Deno. All connections of a process to one file must have the same. Default: the environment
   * variable `VIZPROMPT_SQLITE`; else on Node better-sqlite3 where it is installed, built and fits this Node, and
   * `node:sqlite` otherwise.
   */
  readonly driver?: SqliteDriverName | undefined;
  /** Receives a message when a corrupt file is replaced. Default: a silent one. */
  readonly logger?: Logger | undefined;
}

/** A database that is closed on its own. */
export interface ClosableDatabase extends ExtensibleDatabase {
  close(): Promise<void>;
}

const KINDS: Kinds<SqliteDatabaseOptions> = {
  path: NONEMPTY,
  durability: optional(oneOf('full', 'normal')),
  busyTimeoutMs: optional(AMOUNT),
  backupBeforeMigration: optional(FLAG),
  whenCorrupt: optional(oneOf('fail', 'replace')),
  readOnly: optional(FLAG),
  mapBytes: optional(AMOUNT),
  /** Checked where it is loaded: it may come from the environment. */
  driver: ANYTHING,
  logger: optional(LOGGER),
};

/**
 * Returns a database in one SQLite file, in write-ahead mode: one connection writes, one reads next to it.
 * Nothing is opened, and no file made, before the first call. Waiting for other processes never
 * blocks the event loop.
 *
 * @example
 * ```ts
 * const database = sqliteDatabase({ path: 'data/app.db' });
 * await database.execute('CREATE TABLE IF NOT EXISTS note (text TEXT)');
 * ```
 */
export function sqliteDatabase(options: SqliteDatabaseOptions): ClosableDatabase {
  checkOptions('sqliteDatabase', options, KINDS);
  const { path, durability = 'full', busyTimeoutMs = 10_000, logger } = options;
  const { whenCorrupt = 'fail', readOnly = false, mapBytes = 0, driver } = options;
  const writes = new Mutex();
  const scope = new TransactionScope();
  let connections: Promise<SqliteConnections> | undefined;
  let closed = false;

  async function connect(): Promise<SqliteConnections> {
    if (closed) throw new StorageError('closed', `the database ${path} is closed`);
    scope.assertOutside();
    connections ??= open();
    try {
      return await connections;
    } catch (error) {
      connections = undefined;
      throw error;
    }
  }

  async function open(): Promise<SqliteConnections> {
    const { writer, reader, discard } = await openSqlite({
      path,
      driver,
      durability,
      readOnly,
      mapBytes,
      whenCorrupt,
      logger,
      retryBusy,
    });
    const write = new SqliteConnection(writer, path);
    const read = reader === writer ? write : new SqliteConnection(reader, path);
    return { writer: write, reader: read, discard };
  }

  async function retryBusy<T extends {}>(attempt: () => T, signal?: AbortSignal): Promise<T> {
    const tryOnce = (): T | undefined => {
      try {
        return attempt();
      } catch (error) {
        if (isBusy(error)) return undefined;
        throw error;
      }
    };
    signal?.throwIfAborted();
    const result = tryOnce() ?? (await poll(tryOnce, { timeoutMs: busyTimeoutMs, signal }));
    if (result !== undefined) return result;
    throw new StorageError(
      'busy',
      `${path}: another process has been writing for more than ${busyTimeoutMs} ms`,
    );
  }

  const run: RunStatement = async (sql, params) => {
    const { writer, reader } = await connect();
    if (writer !== reader && reader.isReadonly(sql))
      return withTurn(retryBusy(() => reader.run(sql, params)));
    return withTurn(writes.run(() => retryBusy(() => writer.run(sql, params))));
  };

  async function transact<T>(
    work: (writer: SqliteConnection) => Promise<T> | T,
    signal?: AbortSignal,
  ): Promise<T> {
    const { writer } = await connect();
    const attempt = async (): Promise<T> => {
      await retryBusy(() => writer.begin(), signal);
      try {
        const result = await work(writer);
        writer.commit();
        return result;
      } catch (error) {
        writer.rollback();
        throw toStorageError(error, path);
      }
    };
    return withTurn(writes.run(attempt, signal));
  }

  const database: ClosableDatabase = {
    specVersion: 1,
    dialect: 'sqlite',
    ...executorOf(run),
    batch: (statements) =>
      transact((writer) => statements.map(({ sql, params }) => writer.run(sql, params).changes)),
    batchRows: (statements) =>
      transact((writer) => statements.map(({ sql, params }) => rowsOf(writer.run(sql, params)))),
    transaction: (work, { signal } = {}) =>
      transact((writer) => {
        // It runs at once, also where it is not awaited: afterwards the transaction may be over.
        const runInside: RunStatement = (sql, params) => {
          const result = writer.run(sql, params);
          const turn = loopTurn();
          return turn ? turn.then(() => result) : result;
        };
        return scope.run(runInside, work);
      }, signal),
    migrate: (component, migrations) =>
      applyMigrations(database, component, migrations, {
        backup: async (name, version) => {
          if (path === MEMORY || options.backupBeforeMigration === false) return;
          await database.backup(newBackup(`${path}.${name}-v${version}`));
        },
      }),
    async backup(target) {
      await connect();
      assertNewFile(target);
      await intoPrivateFile(target, () => run('VACUUM INTO ?', [target]));
    },
    async purge() {
      // A database that was never used has no file, and must not get one.
      if (!connections && path !== MEMORY && !existsSync(path)) return;
      const { writer } = await connect();
      await writes.run(async () => {
        await retryBusy(() => rewriteSqlite(writer));
        if (path !== MEMORY) await emptyLog(writer, path, busyTimeoutMs);
      });
      if (path !== MEMORY) await deleteMigrationBackups(path);
    },
    async loadExtension(file) {
      const { writer, reader } = await connect();
      await writes.run(async () => {
        for (const connection of new Set([writer, reader])) connection.loadExtension(file);
      });
    },
    close: async () => {
      closed = true;
      const opened = connections;
      if (!opened) return;
      connections = undefined;
      await writes.run(async () => {
        const { writer, reader, discard } = await opened;
        if (reader !== writer) reader.close();
        writer.close();
        await discard?.();
      });
    },
  };
  return database;
}

/** The two connections of a database; in memory, and for reading only, they are one. */
interface SqliteConnections {
  readonly writer: SqliteConnection;
  readonly reader: SqliteConnection;
  /** Deletes files that were created for read-only access. */
  readonly discard: (() => Promise<void>) | undefined;
}

/** Returns a name that no backup has: two migrations may begin within one millisecond. */
function newBackup(start: string): string {
  let time = Date.now();
  while (existsSync(`${start}-${time}.bak`)) time++;
  return `${start}-${time}.bak`;
}

/** A backup that was made before a migration: `database.db.memory-v3-1764000000000.bak`. */
const BACKUP = /^\.[^.]+-v\d+-\d+\.bak$/;

/**
 * Rewrites a database without what was deleted. Each text index is merged into one segment, which drops the terms of
 * deleted rows; then the file is rewritten without free pages, and the write-ahead log is emptied.
 *
 * Source: https://www.sqlite.org/fts5.html, section 6.8; https://www.sqlite.org/lang_vacuum.html.
 */
function rewriteSqlite(connection: SqliteConnection): true {
  const tables = rowsOf(
    connection.run("SELECT name, sql FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'"),
  );
  for (const { name, sql } of tables) {
    if (!/\busing\s+fts5\s*\(/iu.test(String(sql))) continue;
    const table = `"${String(name).replaceAll('"', '""')}"`;
    connection.run(`INSERT INTO ${table} (${table}) VALUES ('optimize')`);
  }
  connection.run('VACUUM');
  return true;
}

/**
 * Copies the write-ahead log into the database and empties it.
 *
 * @throws StorageError with the code `busy` if another process reads from it for too long.
 */
async function emptyLog(
  connection: SqliteConnection,
  path: string,
  timeoutMs: number,
): Promise<void> {
  const isEmpty = await poll(
    () => {
      try {
        const [row] = rowsOf(connection.run('PRAGMA wal_checkpoint(TRUNCATE)'));
        return row?.['busy'] === 0 ? true : undefined;
      } catch (error) {
        if (isBusy(error)) return undefined;
        throw error;
      }
    },
    { timeoutMs },
  );
  if (isEmpty) return;
  throw new StorageError(
    'busy',
    `cannot empty the write-ahead log of ${path}: another process has been reading for more than ${timeoutMs} ms, ` +
      'and the log still holds what was deleted. Close that process, then purge again',
    { context: { path } },
  );
}

/** Deletes the backups that migrations of a database made. */
async function deleteMigrationBackups(path: string): Promise<void> {
  const name = basename(path);
  for (const file of await readdir(dirname(path))) {
    const isBackup = file.startsWith(name) && BACKUP.test(file.slice(name.length));
    if (isBackup) await rm(join(dirname(path), file), { force: true });
  }
}

/** How many prepared statements a connection keeps. */
const MAX_STATEMENTS = 200;

/**
 * One SQLite connection: prepared statements are kept, parameters checked, values converted. All
 * calls are synchronous; `SQLITE_BUSY` is thrown as it is, so that the caller can wait and retry.
 */
class SqliteConnection {
  readonly #database: DriverConnection;
  readonly #file: string;
  readonly #statements = new Map<string, DriverStatement>();
  readonly #extensions = new Set<string>();
  /** Those that begin and end transactions, which callers may not run. */
  readonly #controls = new Map<string, DriverStatement>();

  constructor(database: DriverConnection, file: string) {
    this.#database = database;
    this.#file = file;
  }

  /** Throws `SQLITE_BUSY` while another process writes. */
  begin(): true {
    this.#control('BEGIN IMMEDIATE');
    return true;
  }

  commit(): void {
    this.#control('COMMIT');
  }

  /** Ends a transaction, if there is one, with nothing done. */
  rollback(): void {
    if (this.#database.inTransaction) this.#control('ROLLBACK');
  }

  /** Checks whether a statement only reads. */
  isReadonly(sql: string): boolean {
    this.#refuseControl(sql);
    return this.#guard(sql, () => this.#prepare(sql).isReadonly);
  }

  run(sql: string, params: readonly SqlParameter[] = []): StatementResult {
    this.#refuseControl(sql);
    return this.#guard(sql, () => {
      const statement = this.#prepare(sql);
      const values = toSqlValues(sql, params, MAX_VALUE_BYTES.sqlite);
      if (!statement.returnsRows) return { rows: [], changes: statement.run(values) };
      const rows = statement.all(values).map(convertRow);
      return { rows, changes: statement.isReadonly ? 0 : rows.length };
    });
  }

  /** Once is enough. */
  loadExtension(file: string): void {
    if (this.#extensions.has(file)) return;
    this.#guard(`load_extension ${file}`, () => this.#database.loadExtension(file));
    this.#extensions.add(file);
  }

  close(): void {
    this.#statements.clear();
    this.#controls.clear();
    this.#database.close();
  }

  #control(sql: string): void {
    this.#guard(sql, () => {
      const statement = this.#controls.get(sql) ?? this.#database.prepare(sql);
      this.#controls.set(sql, statement);
      statement.run([]);
    });
  }

  /** A prepared statement was checked before. */
  #refuseControl(sql: string): void {
    if (!this.#statements.has(sql)) refuseTransactionControl(sql);
  }

  #prepare(sql: string): DriverStatement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    if (this.#statements.size >= MAX_STATEMENTS) {
      const [oldest] = this.#statements.keys();
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    this.#statements.set(sql, statement);
    return statement;
  }

  #guard<T>(sql: string, work: () => T): T {
    if (!this.#database.isOpen) {
      throw new StorageError('closed', `the database ${this.#file} is closed`);
    }
    try {
      return work();
    } catch (error) {
      throw isBusy(error) ? error : toStorageError(error, this.#file, sql);
    }
  }
}

/** Returns a plain object: those of `node:sqlite` have no prototype. */
function convertRow(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const name in record) row[name] = convertValue(record[name]);
  return row;
}

function convertValue(value: unknown): unknown {
  if (typeof value === 'bigint') return fromBigInt(value);
  if (!(value instanceof Uint8Array) || Buffer.isBuffer(value)) return value;
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** How long statements may follow each other before timers and sockets get their turn, in milliseconds. */
const TURN_AFTER_MS = 15;

/** When the first statement since the last turn of the event loop ran. One for all databases. */
let busySince: number | undefined;

/**
 * SQLite answers at once, so awaiting it never leaves the queue of promises: a loop of awaited statements
 * would keep every timer and socket of the process waiting until it ends.
 *
 * @returns A promise to wait for after a statement, or `undefined` while there is time left.
 */
export function loopTurn(): Promise<void> | undefined {
  const now = performance.now();
  if (busySince === undefined) {
    busySince = now;
    setImmediate(endTurn);
    return undefined;
  }
  return now - busySince < TURN_AFTER_MS ? undefined : nextTurn();
}

/** Returns the same after what was done, whose result waits for it. */
async function withTurn<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    const turn = loopTurn();
    if (turn) await turn;
  }
}

function endTurn(): void {
  busySince = undefined;
}

/** Waits until the loop has been round: a timer that is due runs before it, or in the next turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
