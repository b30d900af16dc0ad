import type { Database } from '../storage/database.ts';

/** A database that can be taught more by native code. */
export interface ExtensibleDatabase extends Database {
  /**
   * Loads a SQLite extension into the connections; the second time nothing happens.
   *
   * @param file - The library. It runs as part of the process, so its source must be trusted.
   * @throws StorageError with the code `sql` if SQLite cannot load it.
   */
  loadExtension(file: string): Promise<void>;
}

/** Checks whether a database can load extensions. */
export function canLoadExtensions(database: Database): database is ExtensibleDatabase {
  return 'loadExtension' in database && typeof database.loadExtension === 'function';
}
