import { statSync } from 'node:fs';
import { access, chmod, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { hasCode } from '../storage/file-error.ts';
import { StorageError } from '../storage/storage-error.ts';
import { assertOwnFiles } from './assert-own-files.ts';
import type { SqliteClass } from './load-sqlite.ts';
import { toStorageError } from './sqlite-error.ts';

/** A connection that cannot write, and what is to be deleted after it. */
export interface ReadOnlyConnection {
  readonly connection: BetterSqlite3.Database;
  discard(): Promise<void>;
}

/**
 * Opens a SQLite file for reading. In write-ahead mode SQLite wants to make files beside it, also for
 * reading; where the folder or a full disk does not let it, a private copy is read, with what the write-ahead log holds;
 * and where there is no room for that either, a database without a log is read into memory.
 *
 * @throws StorageError with the code `io` where there is no file, or it cannot be read.
 */
export async function openReadOnly(Sqlite: SqliteClass, path: string): Promise<ReadOnlyConnection> {
  try {
    await access(path);
  } catch (cause) {
    throw new StorageError('io', `${path}: there is no such file`, { cause, context: { path } });
  }
  try {
    assertOwnFiles(path);
    return { connection: connect(Sqlite, path), discard: async () => {} };
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
    return { connection: connect(Sqlite, copy), discard };
  } catch (error) {
    await discard();
    if (!hasCode(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES')) throw toStorageError(error, path);
    return { connection: await readWhole(Sqlite, path, error), discard: async () => {} };
  }
}

/** Where a header names the mode of journals: 1 for a rollback journal, 2 for a write-ahead log. */
const JOURNAL_MODES = [18, 19];
const ROLLBACK = 1;

/** Opens a copy in memory, which no file has to be made for. What a write-ahead log holds would be missing. */
async function readWhole(
  Sqlite: SqliteClass,
  path: string,
  cause: unknown,
): Promise<BetterSqlite3.Database> {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw toStorageError(cause, path);
  }
  try {
    const bytes = await readFile(path);
    for (const at of JOURNAL_MODES) bytes[at] = ROLLBACK;
    return new Sqlite(bytes, { readonly: true });
  } catch (error) {
    throw toStorageError(error, path);
  }
}

function connect(Sqlite: SqliteClass, path: string): BetterSqlite3.Database {
  const connection = new Sqlite(path, { timeout: 0, readonly: true, fileMustExist: true });
  try {
    // Whether it can be read shows only now.
    connection.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get();
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Whether SQLite could not make the files that it wants beside a database. */
function isRefused(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^SQLITE_(?:READONLY|CANTOPEN|FULL|IOERR)/.test(code);
}

async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
    await chmod(to, 0o600);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) throw error;
  }
}
