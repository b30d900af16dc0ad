import type { Database } from './database.ts';
import type { FileStore } from './file-store.ts';

/**
 * The place where a package keeps its data. One line swaps a laptop for a server: `openStorage`,
 * `inMemoryStorage`, `postgresStorage`.
 */
export interface Storage extends AsyncDisposable {
  readonly specVersion: 1;
  readonly files: FileStore;
  /** What must last. */
  readonly database: Database;
  /** What can be made again from files or database; it may be deleted while nothing is open. */
  readonly cache: Database;
  /** Whoever opened a storage closes it. Calls on a closed storage fail with `closed`. */
  close(): Promise<void>;
}
