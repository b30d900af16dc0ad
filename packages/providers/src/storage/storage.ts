import { checkArgument } from '../input/check-input.ts';
import { STORAGE } from '../input/part-kinds.ts';
import type { Database } from './database.ts';
import type { FileStore } from './file-store.ts';
import { StorageError } from './storage-error.ts';

/**
 * The place where a package keeps its data. One line swaps a laptop for a server: `openStorage`,
 * `inMemoryStorage`, `postgresStorage`.
 */
export interface Storage extends AsyncDisposable {
  readonly specVersion: 1;
  readonly files: FileStore;
  /** Data that must last. */
  readonly database: Database;
  /** Data that can be made again from files or database; it may be deleted while nothing is open. */
  readonly cache: Database;
  /** Closes the storage; the caller that opened it does. Calls on a closed storage fail with `closed`. */
  close(): Promise<void>;
}

/**
 * Rewrites all parts of a storage without what was deleted or replaced: files, database and cache.
 *
 * @param parts - Default: all of them.
 * @throws StorageError with the code `unsupported` if a part cannot do it, after the others did; `busy` if another
 * process is in the way.
 *
 * @example
 * ```ts
 * await storage.database.execute('DELETE FROM note WHERE author = ?', [author]);
 * await purgeStorage(storage);
 * ```
 */
export async function purgeStorage(
  storage: Storage,
  parts: readonly ('files' | 'database' | 'cache')[] = ['files', 'database', 'cache'],
): Promise<void> {
  checkArgument('the storage of purgeStorage', storage, STORAGE);
  const unable: string[] = [];
  for (const part of parts) {
    const store = storage[part];
    if (store.purge) await store.purge();
    // Files without it retain nothing of their own; rows of deleted files are the database's.
    else if (part !== 'files') unable.push(part);
  }
  if (unable.length === 0) return;
  throw new StorageError(
    'unsupported',
    `cannot purge ${unable.join(' and ')} of the storage: no method 'purge'. The data is deleted, but its ` +
      'bytes may remain; implement the method',
    { context: { parts: unable } },
  );
}
