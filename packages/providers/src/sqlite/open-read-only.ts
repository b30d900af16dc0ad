import { access, chmod, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
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
 * reading; where the folder does not let it, a private copy is read, with what the write-ahead log holds.
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
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-read-'));
  const discard = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'copy.db');
    for (const suffix of ['', '-wal']) await copyIfThere(path + suffix, copy + suffix);
    return { connection: connect(Sqlite, copy), discard };
  } catch (error) {
    await discard();
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
  return /^SQLITE_(?:READONLY|CANTOPEN)/.test(code);
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
