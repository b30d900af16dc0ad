import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SqlValue } from '../storage/database.ts';
import { StorageError } from '../storage/storage-error.ts';

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

/** The drivers of the files that are open in this process, with the number of their connections. */
const openFiles = new Map<string, { readonly driver: SqliteDriverName; connections: number }>();

/**
 * Opens a connection, unless another driver has the file open in this process. Each driver holds a copy of SQLite,
 * and one copy would drop the locks of the other, which damages the file.
 *
 * Source: https://www.sqlite.org/howtocorrupt.html, section 2.2.1.
 *
 * @param connect - Opens it; the connection calls `release` when it is closed.
 * @throws StorageError with the code `misuse`.
 */
export function claimFile(
  path: string,
  driver: SqliteDriverName,
  connect: (release: () => void) => DriverConnection,
): DriverConnection {
  const file = existsSync(path) ? realpathSync.native(path) : resolve(path);
  const claim = openFiles.get(file) ?? { driver, connections: 0 };
  if (claim.driver !== driver) {
    throw new StorageError(
      'misuse',
      `cannot open ${path} by ${driver}: ${claim.driver} has it open in this process, and two drivers on one file ` +
        'damage it. Close the other database first, or name the same driver',
      { context: { path, driver } },
    );
  }
  openFiles.set(file, claim);
  claim.connections++;
  const release = (): void => {
    claim.connections--;
    if (claim.connections === 0) openFiles.delete(file);
  };
  try {
    return connect(release);
  } catch (error) {
    release();
    throw error;
  }
}
