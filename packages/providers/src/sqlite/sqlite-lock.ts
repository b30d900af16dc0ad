import { join } from 'node:path';
import { acquireLock, assertLockName, Mutex, NEVER, type TakenLock } from '../concurrency/mutex.ts';
import { guardFileNow } from '../storage/file-error.ts';
import { makeFolders } from '../storage/make-folders.ts';
import type { HeldLock, LockOptions } from '../storage/file-store.ts';
import { StorageError } from '../storage/storage-error.ts';
import { poll } from '../concurrency/backoff.ts';
import { assertOwnFiles } from './own-files.ts';
import { loadSqlite } from './load-sqlite.ts';
import type { DriverConnection, DriverStatement } from './sqlite-driver.ts';
import { isBusy, toStorageError } from './sqlite-error.ts';

/** Locks between processes, by name. */
export interface LockFolder {
  lock(name: string, options?: LockOptions): Promise<HeldLock>;
  /** Gives back every lock. */
  close(): Promise<void>;
}

/** One lock file: the process with an immediate transaction on it holds the lock. */
interface LockFile {
  readonly path: string;
  readonly connection: DriverConnection;
  readonly begin: DriverStatement;
  readonly end: DriverStatement;
  /** The tasks of this process, which share the connection. */
  readonly queue: Mutex;
}

/**
 * Locks by `BEGIN IMMEDIATE` on an empty SQLite file for each name. The operating system frees such
 * a lock when its process dies, however it dies; nothing is ever written, so nothing can go stale.
 *
 * @param folder - Where the lock files lie; made when first needed. Deleting it while locks are
 * held breaks them.
 */
export function lockFolder(folder: string): LockFolder {
  const files = new Map<string, Promise<LockFile>>();
  let isClosed = false;

  function lockFile(name: string): Promise<LockFile> {
    const known = files.get(name);
    if (known) return known;
    const opening = openLockFile(folder, join(folder, `${name}.lock`));
    files.set(name, opening);
    opening.catch(() => files.delete(name));
    return opening;
  }

  return {
    async lock(name, options = {}) {
      assertLockName(name);
      if (isClosed) throw closedError(folder);
      const file = await lockFile(name);
      return acquireLock(file.queue, name, options, (signal) => take(file, signal));
    },
    async close() {
      isClosed = true;
      const opened = await Promise.allSettled(files.values());
      files.clear();
      for (const file of opened) if (file.status === 'fulfilled') file.value.connection.close();
    },
  };
}

async function openLockFile(folder: string, path: string): Promise<LockFile> {
  const driver = await loadSqlite();
  guardFileNow('open', folder, () => makeFolders(folder));
  try {
    assertOwnFiles(path);
    const connection = driver.open(path);
    return {
      path,
      connection,
      begin: connection.prepare('BEGIN IMMEDIATE'),
      end: connection.prepare('ROLLBACK'),
      queue: new Mutex(),
    };
  } catch (error) {
    throw toStorageError(error, path);
  }
}

async function take(file: LockFile, signal: AbortSignal): Promise<TakenLock> {
  const { connection, path } = file;
  const tryBegin = (): true | undefined => {
    if (!connection.isOpen) throw closedError(path);
    try {
      file.begin.run([]);
      return true;
    } catch (error) {
      if (isBusy(error)) return undefined;
      throw toStorageError(error, path);
    }
  };
  if (!tryBegin()) await poll(tryBegin, { timeoutMs: Number.POSITIVE_INFINITY, signal });
  return {
    lost: NEVER,
    async free() {
      if (connection.isOpen) file.end.run([]);
    },
  };
}

function closedError(path: string): StorageError {
  return new StorageError('closed', `the locks at ${path} are closed`);
}
