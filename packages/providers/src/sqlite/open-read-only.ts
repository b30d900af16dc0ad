import { isError } from '../errors.ts';
import { statSync } from 'node:fs';
import { access, chmod, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasCode } from '../storage/file-error.ts';
import { StorageError } from '../storage/storage-error.ts';
import { assertOwnFiles } from './own-files.ts';
import { checkSchema } from './check-schema.ts';
import type { DriverConnection, SqliteDriver } from './sqlite-driver.ts';
import { toStorageError } from './sqlite-error.ts';

/** A connection that cannot write, and what is to be deleted after it. */
export interface ReadOnlyConnection {
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
export async function openReadOnly(
  driver: SqliteDriver,
  path: string,
): Promise<ReadOnlyConnection> {
  try {
    await access(path);
  } catch (cause) {
    throw new StorageError('io', `${path}: there is no such file`, { cause, context: { path } });
  }
  try {
    assertOwnFiles(path);
    return { connection: connect(driver, path), discard: async () => {} };
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
    return { connection: connect(driver, copy), discard };
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

function connect(driver: SqliteDriver, path: string): DriverConnection {
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
