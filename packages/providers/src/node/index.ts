/**
 * Storage on this machine: plain files, and SQLite by better-sqlite3 or `node:sqlite`.
 *
 * @module @vizprompt/providers/node
 */
export { openStorage, type OpenStorageOptions } from './open-storage.ts';
export { inMemoryStorage } from './in-memory-storage.ts';
export {
  localFileStore,
  type ClosableFileStore,
  type LocalFileStoreOptions,
} from '../files/local-file-store.ts';
export { readSetAside } from '../files/set-aside.ts';
export {
  sqliteDatabase,
  type ClosableDatabase,
  type SqliteDatabaseOptions,
} from '../sqlite/sqlite-database.ts';
export type { SqliteDriverName } from '../sqlite/sqlite-driver.ts';
export { lockFolder, type LockFolder } from '../sqlite/sqlite-lock.ts';
export { fileSink } from './file-sink.ts';
export type { Storage } from '../index.ts';
export type { SetAsideBatch } from '../files/set-aside.ts';
