import { readFileSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import type { SqlValue } from '../storage/database.ts';
import { claimFile } from './own-files.ts';
import {
  type DriverConnection,
  type DriverStatement,
  MEMORY,
  type OpenConnectionOptions,
  type SqliteDriver,
} from './sqlite-driver.ts';

/** The class of better-sqlite3. */
export type BetterSqlite3Class = typeof BetterSqlite3;

/** Offsets of the journal mode in a header: 1 for a rollback journal, 2 for a write-ahead log. */
const JOURNAL_MODES = [18, 19];
const ROLLBACK = 1;

const NAME = 'better-sqlite3';

/** Creates the driver on the package better-sqlite3. */
export function betterSqlite3Driver(Sqlite: BetterSqlite3Class): SqliteDriver {
  return {
    name: NAME,
    open: (path: string, { readonly = false }: OpenConnectionOptions = {}) =>
      path === MEMORY
        ? new BetterConnection(new Sqlite(path, { timeout: 0 }), () => {})
        : claimFile(path, NAME, (release) => {
            const options = { timeout: 0, readonly, fileMustExist: readonly };
            return new BetterConnection(new Sqlite(path, options), release);
          }),
    openImmutable(path) {
      const bytes = readFileSync(path);
      for (const at of JOURNAL_MODES) bytes[at] = ROLLBACK;
      return new BetterConnection(new Sqlite(bytes, { readonly: true }), () => {});
    },
  };
}

class BetterConnection implements DriverConnection {
  readonly #database: BetterSqlite3.Database;
  readonly #release: () => void;

  constructor(database: BetterSqlite3.Database, release: () => void) {
    this.#database = database;
    this.#release = release;
  }

  get isOpen(): boolean {
    return this.#database.open;
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  prepare(sql: string): DriverStatement {
    return new BetterStatement(this.#database.prepare(sql));
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  loadExtension(file: string): void {
    this.#database.loadExtension(file);
  }

  close(): void {
    if (!this.isOpen) return;
    this.#database.close();
    this.#release();
  }
}

class BetterStatement implements DriverStatement {
  readonly returnsRows: boolean;
  readonly isReadonly: boolean;
  readonly #statement: BetterSqlite3.Statement;

  constructor(statement: BetterSqlite3.Statement) {
    this.#statement = statement;
    this.returnsRows = statement.reader;
    this.isReadonly = statement.readonly;
    if (statement.reader) statement.safeIntegers(true);
  }

  run(values: readonly SqlValue[]): number {
    return this.#statement.run(...values).changes;
  }

  all(values: readonly SqlValue[]): Record<string, unknown>[] {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows are objects unless others are asked for
    return this.#statement.all(...values) as Record<string, unknown>[];
  }
}
