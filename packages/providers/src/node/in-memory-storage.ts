import { acquireLock, Mutex, NEVER } from '../concurrency/mutex.ts';
import { sqliteDatabase } from '../sqlite/sqlite-database.ts';
import type { FileStore } from '../storage/file-store.ts';
import { sqlFileStore } from '../storage/sql-file-store.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { Storage } from '../storage/storage.ts';

/**
 * Opens a storage that lives as long as the process, for tests and for data that need not last.
 * It behaves as the ones that last: it is backed by SQLite.
 *
 * @example
 * ```ts
 * await using storage = await inMemoryStorage();
 * ```
 */
export async function inMemoryStorage(): Promise<Storage> {
  const database = sqliteDatabase({ path: ':memory:' });
  const cache = sqliteDatabase({ path: ':memory:' });
  const rows = sqliteDatabase({ path: ':memory:' });
  let isClosed = false;
  const files = await sqlFileStore(
    rows,
    processLocks(() => isClosed),
  );
  const close = async (): Promise<void> => {
    isClosed = true;
    await Promise.all([database.close(), cache.close(), rows.close()]);
  };
  return { specVersion: 1, files, database, cache, close, [Symbol.asyncDispose]: close };
}

/** Locks within this process. */
function processLocks(isClosed: () => boolean): FileStore['lock'] {
  const queues = new Map<string, Mutex>();
  return async (name, options = {}) => {
    if (isClosed()) throw new StorageError('closed', 'the storage in memory is closed');
    const queue = queues.get(name) ?? new Mutex();
    queues.set(name, queue);
    return acquireLock(queue, name, options, async () => ({ lost: NEVER, free: async () => {} }));
  };
}
