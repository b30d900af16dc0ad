import type { Database, SqlValue } from '../storage/database.ts';

/** The libraries that can open SQLite files. */
export const SQLITE_DRIVERS = ['better-sqlite3', 'node:sqlite'] as const;

/** A library that opens SQLite files: the package better-sqlite3, or the one inside Node, Bun and Deno. */
export type SqliteDriverName = (typeof SQLITE_DRIVERS)[number];

/** The path of a database that is never stored. */
export const MEMORY = ':memory:';

/**
 * Opens SQLite files by one library. All calls are synchronous. Errors of SQLite have a `code` such as
 * `SQLITE_BUSY`; a wrong number of parameters is a `RangeError`.
 */
export interface SqliteDriver {
  readonly name: SqliteDriverName;
  /** Opens a file, or `':memory:'`. It never waits for another process. */
  open(path: string, options?: OpenConnectionOptions): DriverConnection;
  /** Opens a file for reading that has no write-ahead log, without creating or locking any file. */
  openImmutable(path: string): DriverConnection;
}

/** Options for opening a file with a driver. */
export interface OpenConnectionOptions {
  /** True if the file must exist and is not written. Default: `false`. */
  readonly readonly?: boolean | undefined;
}

/** One connection. */
export interface DriverConnection {
  readonly isOpen: boolean;
  readonly inTransaction: boolean;
  /** Prepares exactly one statement; none or several are a `RangeError`. */
  prepare(sql: string): DriverStatement;
  /** Runs a statement whose rows are not needed. */
  exec(sql: string): void;
  loadExtension(file: string): void;
  close(): void;
}

/** One prepared statement. */
export interface DriverStatement {
  /** True if it returns rows. */
  readonly returnsRows: boolean;
  /** True if it only reads, as reported by `sqlite3_stmt_readonly`. */
  readonly isReadonly: boolean;
  /** Runs it, and returns how many rows changed. */
  run(values: readonly SqlValue[]): number;
  /** Returns its rows. Integers are bigints, and blobs are bytes. */
  all(values: readonly SqlValue[]): Record<string, unknown>[];
}

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
