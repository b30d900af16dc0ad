import type { Database } from './database.ts';
import type { FileStore } from './file-store.ts';

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
