import { existsSync, statSync } from 'node:fs';
import { access, chmod, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isError } from '../errors.ts';
import { type Logger, silentLogger } from '../logging/logger.ts';
import type { SqlExecutor } from '../storage/database.ts';
import { hasCode } from '../storage/file-error.ts';
import { makeFolders } from '../storage/make-folders.ts';
import { StorageError } from '../storage/storage-error.ts';
import { loadSqlite } from './load-sqlite.ts';
import { assertOwnFiles } from './own-files.ts';
import {
  type DriverConnection,
  MEMORY,
  type SqliteDriver,
  type SqliteDriverName,
} from './sqlite-driver.ts';
import { toStorageError } from './sqlite-error.ts';
import { lockFolder } from './sqlite-lock.ts';

/** The page cache of the reader, in KiB: searches read the same pages again. */
const READ_CACHE_KIB = 32_768;

/** The page cache of the writer, in KiB. It is the default of better-sqlite3; that of `node:sqlite` is 2,000. */
const WRITE_CACHE_KIB = 16_000;

/**
 * The pages of the log, 16 MB, from which on SQLite writes them into the file of a cache. With its default of 1,000 an
 * import of conversations waits for the disk three times as often.
 */
const CACHE_LOG_PAGES = 4000;

/** Options for opening a SQLite file. */
export interface OpenSqliteOptions {
  readonly path: string;
  readonly driver: SqliteDriverName | undefined;
  readonly durability: 'full' | 'normal';
  readonly readOnly: boolean;
  /** See `sqliteDatabase`. */
  readonly mapBytes: number;
  /** The action for a file that is corrupt or not a database. */
  readonly whenCorrupt: 'fail' | 'replace';
  readonly logger?: Logger | undefined;
  /** Runs work again while another process is in its way. */
  retryBusy<T extends {}>(attempt: () => T): Promise<T>;
}

/** The two connections of a database; in memory, and for reading only, they are one. */
export interface OpenedSqlite {
  readonly writer: DriverConnection;
  readonly reader: DriverConnection;
  /** Deletes files that were created for read-only access. */
  discard?(): Promise<void>;
}

/**
 * Opens a SQLite file, making it when missing.
 *
 * @throws StorageError with the code `no-sqlite` if no driver can be used.
 */
export async function openSqlite(options: OpenSqliteOptions): Promise<OpenedSqlite> {
  const { path, whenCorrupt, logger = silentLogger } = options;
  const driver = await loadSqlite(options.driver);
  if (options.readOnly) {
    const { connection, discard } = await openReadOnly(driver, path);
    return { writer: connection, reader: connection, discard };
  }
  try {
    // Most often it is there, and a thread of the system would be waited for only to hear so.
    if (path !== MEMORY && !existsSync(path)) makeFolders(dirname(path));
    return await connect(driver, options);
  } catch (error) {
    if (isUnwritable(error) && path !== MEMORY && existsSync(path)) {
      return readUnwritable(driver, path, { error, logger });
    }
    if (whenCorrupt === 'fail' || !isCorrupt(error)) throw error;
  }
  // If several processes find it so, one replaces it, and the others find the new one.
  const locks = lockFolder(dirname(path));
  const lock = await locks.lock('replace-corrupt');
  try {
    return await connect(driver, options);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    logger.warn('a damaged cache is deleted and recreated', { path, error });
    for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(path + suffix, { force: true });
    return await connect(driver, options);
  } finally {
    await lock.release();
    await locks.close();
  }
}

/** A file that is there and cannot be written, as on a mount for reading, is read; every write then fails. */
async function readUnwritable(
  driver: SqliteDriver,
  path: string,
  { error, logger }: { readonly error: unknown; readonly logger: Logger },
): Promise<OpenedSqlite> {
  try {
    const { connection, discard } = await openReadOnly(driver, path);
    logger.warn('a database that cannot be written is opened for reading', { path, error });
    return { writer: connection, reader: connection, discard };
  } catch {
    throw error;
  }
}

/** Checks whether SQLite could not write where it had to. */
function isUnwritable(error: unknown): boolean {
  if (!StorageError.isInstance(error) || error.code !== 'io') return false;
  return /^SQLITE_(?:READONLY|CANTOPEN|FULL|IOERR|PERM)/.test(String(error.context['sqlite']));
}

function isCorrupt(error: unknown): boolean {
  return StorageError.isInstance(error) && error.code === 'corrupt';
}

async function connect(
  driver: SqliteDriver,
  { path, durability, mapBytes, whenCorrupt, retryBusy }: OpenSqliteOptions,
): Promise<OpenedSqlite> {
  const opened: DriverConnection[] = [];
  try {
    if (path !== MEMORY) assertOwnFiles(path);
    const writer = driver.open(path);
    opened.push(writer);
    await retryBusy(() => {
      if (path !== MEMORY) writer.exec('PRAGMA journal_mode = WAL');
      writer.exec(`PRAGMA synchronous = ${durability}`);
      if (whenCorrupt === 'replace') writer.exec(`PRAGMA wal_autocheckpoint = ${CACHE_LOG_PAGES}`);
      writer.exec('PRAGMA foreign_keys = ON');
      writer.exec(`PRAGMA cache_size = ${-WRITE_CACHE_KIB}`);
      checkSchema(writer, path);
      return true;
    });
    if (path === MEMORY) return { writer, reader: writer };
    const reader = driver.open(path, { readonly: true });
    opened.push(reader);
    reader.exec(`PRAGMA cache_size = ${-READ_CACHE_KIB}`);
    // On Windows a file that is mapped cannot shrink, and what was deleted would stay behind its end.
    if (process.platform !== 'win32') reader.exec(`PRAGMA mmap_size = ${mapBytes}`);
    return { writer, reader };
  } catch (error) {
    for (const connection of opened) connection.close();
    throw toStorageError(error, path);
  }
}

/** A connection that cannot write, and what is to be deleted after it. */
interface ReadOnlyConnection {
  readonly connection: DriverConnection;
  discard(): Promise<void>;
}

/**
 * Opens a SQLite file for reading. In write-ahead mode SQLite wants to make files next to it, also for
 * reading; where the folder or a full disk does not let it, a private copy is read, with what the write-ahead log holds;
 * and where there is no room for that either, a database without a log is read into memory.
 *
 * @throws StorageError with the code `io` where there is no file, or it cannot be read.
 */
async function openReadOnly(driver: SqliteDriver, path: string): Promise<ReadOnlyConnection> {
  try {
    await access(path);
  } catch (cause) {
    throw new StorageError('io', `${path}: there is no such file`, { cause, context: { path } });
  }
  try {
    assertOwnFiles(path);
    return { connection: connectReadOnly(driver, path), discard: async () => {} };
  } catch (error) {
    if (!isRefused(error)) throw toStorageError(error, path);
  }
  let folder: string | undefined;
  const discard = async (): Promise<void> => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    folder = await mkdtemp(join(tmpdir(), 'vizprompt-read-'));
    const copy = join(folder, 'copy.db');
    for (const suffix of ['', '-wal']) await copyIfThere(path + suffix, copy + suffix);
    return { connection: connectReadOnly(driver, copy), discard };
  } catch (error) {
    await discard();
    if (!hasCode(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES')) throw toStorageError(error, path);
    return { connection: readWhole(driver, path, error), discard: async () => {} };
  }
}

/** Opens a database that no file has to be created for. The content of a write-ahead log would be missing. */
function readWhole(driver: SqliteDriver, path: string, cause: unknown): DriverConnection {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw toStorageError(cause, path);
  }
  try {
    return checked(driver.openImmutable(path), path);
  } catch (error) {
    throw toStorageError(error, path);
  }
}

function connectReadOnly(driver: SqliteDriver, path: string): DriverConnection {
  return checked(driver.open(path, { readonly: true }), path);
}

function checked(connection: DriverConnection, path: string): DriverConnection {
  try {
    // Only now does it show whether the file can be read.
    checkSchema(connection, path);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Checks whether SQLite could not make the files that it wants next to a database. */
function isRefused(error: unknown): boolean {
  const code = isError(error) && 'code' in error ? String(error.code) : '';
  return /^SQLITE_(?:READONLY|CANTOPEN|FULL|IOERR)/.test(code);
}

async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
    await chmod(to, 0o600);
  } catch (error) {
    const isMissing = isError(error) && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) throw error;
  }
}

/**
 * The names of all tables that the packages create, but those of an index of rag that the application named. A test of
 * the command lines makes a store of each package, and tries all its tables.
 */
const OUR_TABLE =
  /^(?:(?:vizprompt|core|derived|memory|conversation|workflow|dispatch|files|langgraph|rag)_|chunks_(?:space|document|sketch|vocabulary|text|term|lookup|bucket|block|signature)$)/i;

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

/**
 * Reads the schema of a database that may come from elsewhere, which finds most of what is damaged, and refuses code in
 * it: a view in place of a table, or a trigger, runs whatever its author wrote in each statement, without an end if they
 * wish. The packages create neither. Views and triggers on tables of the application stay.
 *
 * @throws StorageError with the code `corrupt`.
 */
function checkSchema(connection: DriverConnection, path: string): void {
  const statement = connection.prepare(
    `SELECT type, name, tbl_name AS "table", COALESCE(sql, '') AS sql FROM sqlite_master
     WHERE type IN ('view', 'trigger') OR sql LIKE 'CREATE VIRTUAL TABLE%'`,
  );
  const rows: SchemaRow[] = statement.all([]).map((row) => ({
    type: String(row['type']),
    name: String(row['name']),
    table: String(row['table']),
    sql: String(row['sql']).toLowerCase(),
  }));
  // A text index may read its texts from a view.
  const indexes = rows.filter(({ type, name }) => type === 'table' && OUR_TABLE.test(name));
  const foreign = rows.find(
    ({ type, name, table }) =>
      type !== 'table' &&
      (OUR_TABLE.test(table) ||
        (type === 'view' && indexes.some(({ sql }) => sql.includes(name.toLowerCase())))),
  );
  if (!foreign) return;
  const { type, name } = foreign;
  throw new StorageError(
    'corrupt',
    `cannot open ${path}: it has the ${type} '${name}', which the SDK never creates and which would run with each ` +
      `statement. If it is yours, remove it (DROP ${type.toUpperCase()}); else delete the file`,
    { context: { path, [type]: name } },
  );
}

/**
 * Returns the names of the tables of a SQLite database of another program, without views and text indexes: these run
 * what the author of the file wrote, which need not end.
 *
 * @throws StorageError if the database cannot be read.
 */
export async function plainTables(database: SqlExecutor): Promise<readonly string[]> {
  const tables = await database.query<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
  );
  return tables.map(({ name }) => name);
}
