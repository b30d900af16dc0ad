import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders } from '../storage/make-folders.ts';
import { silentLogger, type Logger } from '../logging/logger.ts';
import { StorageError } from '../storage/storage-error.ts';
import { loadSqlite } from './load-sqlite.ts';
import { assertOwnFiles } from './own-files.ts';
import { checkSchema } from './check-schema.ts';
import { openReadOnly } from './open-read-only.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import {
  MEMORY,
  type DriverConnection,
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
export interface SqliteConnections {
  readonly writer: SqliteConnection;
  readonly reader: SqliteConnection;
  /** Deletes files that were created for read-only access. */
  discard?(): Promise<void>;
}

/**
 * Opens a SQLite file, making it when missing.
 *
 * @throws StorageError with the code `no-sqlite` if no driver can be used.
 */
export async function openSqlite(options: OpenSqliteOptions): Promise<SqliteConnections> {
  const { path, whenCorrupt, logger = silentLogger } = options;
  const driver = await loadSqlite(options.driver);
  if (options.readOnly) {
    const { connection, discard } = await openReadOnly(driver, path);
    const reader = new SqliteConnection(connection, path);
    return { writer: reader, reader, discard };
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
): Promise<SqliteConnections> {
  try {
    const { connection, discard } = await openReadOnly(driver, path);
    logger.warn('a database that cannot be written is opened for reading', { path, error });
    const reader = new SqliteConnection(connection, path);
    return { writer: reader, reader, discard };
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
): Promise<SqliteConnections> {
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
    const write = new SqliteConnection(writer, path);
    if (path === MEMORY) return { writer: write, reader: write };
    const reader = driver.open(path, { readonly: true });
    opened.push(reader);
    reader.exec(`PRAGMA cache_size = ${-READ_CACHE_KIB}`);
    // On Windows a file that is mapped cannot shrink, and what was deleted would stay behind its end.
    if (process.platform !== 'win32') reader.exec(`PRAGMA mmap_size = ${mapBytes}`);
    return { writer: write, reader: new SqliteConnection(reader, path) };
  } catch (error) {
    for (const connection of opened) connection.close();
    throw toStorageError(error, path);
  }
}
