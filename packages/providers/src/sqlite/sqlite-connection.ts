import type BetterSqlite3 from 'better-sqlite3';
import type { SqlParameter } from '../storage/database.ts';
import { fromBigInt, MAX_VALUE_BYTES, toSqlValues } from '../storage/sql-values.ts';
import { StorageError } from '../storage/storage-error.ts';
import { refuseTransactionControl } from '../storage/transaction-control.ts';
import type { StatementResult } from '../storage/transaction-scope.ts';
import { isBusy, toStorageError } from './sqlite-error.ts';

/** How many prepared statements a connection keeps. */
const MAX_STATEMENTS = 200;

type Prepared = BetterSqlite3.Statement;

/**
 * One SQLite connection: prepared statements are kept, parameters checked, values converted. All
 * calls are synchronous; `SQLITE_BUSY` is thrown as it is, so that the caller can wait and retry.
 */
export class SqliteConnection {
  readonly #database: BetterSqlite3.Database;
  readonly #file: string;
  readonly #statements = new Map<string, Prepared>();
  readonly #extensions = new Set<string>();
  /** Those that begin and end transactions, which callers may not run. */
  readonly #controls = new Map<string, Prepared>();

  constructor(database: BetterSqlite3.Database, file: string) {
    this.#database = database;
    this.#file = file;
  }

  /** Throws `SQLITE_BUSY` while another process writes. */
  begin(): true {
    this.#control('BEGIN IMMEDIATE');
    return true;
  }

  commit(): void {
    this.#control('COMMIT');
  }

  /** Ends a transaction, if there is one, with nothing done. */
  rollback(): void {
    if (this.#database.inTransaction) this.#control('ROLLBACK');
  }

  /** Whether a statement only reads. */
  isReadonly(sql: string): boolean {
    this.#refuseControl(sql);
    return this.#guard(sql, () => this.#prepare(sql).readonly);
  }

  run(sql: string, params: readonly SqlParameter[] = []): StatementResult {
    this.#refuseControl(sql);
    return this.#guard(sql, () => {
      const statement = this.#prepare(sql);
      const values = toSqlValues(sql, params, MAX_VALUE_BYTES.sqlite);
      if (!statement.reader) return { rows: [], changes: statement.run(...values).changes };
      const rows = statement.all(...values).map(convertRow);
      return { rows, changes: statement.readonly ? 0 : rows.length };
    });
  }

  /** Once is enough. */
  loadExtension(file: string): void {
    if (this.#extensions.has(file)) return;
    this.#guard(`load_extension ${file}`, () => this.#database.loadExtension(file));
    this.#extensions.add(file);
  }

  close(): void {
    this.#statements.clear();
    this.#controls.clear();
    this.#database.close();
  }

  #control(sql: string): void {
    this.#guard(sql, () => {
      const statement = this.#controls.get(sql) ?? this.#database.prepare(sql);
      this.#controls.set(sql, statement);
      statement.run();
    });
  }

  /** What is prepared was looked at before. */
  #refuseControl(sql: string): void {
    if (!this.#statements.has(sql)) refuseTransactionControl(sql);
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    if (statement.reader) statement.safeIntegers(true);
    if (this.#statements.size >= MAX_STATEMENTS) {
      const [oldest] = this.#statements.keys();
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    this.#statements.set(sql, statement);
    return statement;
  }

  #guard<T>(sql: string, work: () => T): T {
    if (!this.#database.open) {
      throw new StorageError('closed', `the database ${this.#file} is closed`);
    }
    try {
      return work();
    } catch (error) {
      throw isBusy(error) ? error : toStorageError(error, this.#file, sql);
    }
  }
}

function convertRow(row: unknown): Record<string, unknown> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what better-sqlite3 gives
  const record = row as Record<string, unknown>;
  for (const name in record) {
    const value = record[name];
    if (typeof value === 'bigint') record[name] = fromBigInt(value);
  }
  return record;
}
