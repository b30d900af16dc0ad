import type { SqlParameter } from '../storage/database.ts';
import { fromBigInt, MAX_VALUE_BYTES, toSqlValues } from '../storage/sql-values.ts';
import { StorageError } from '../storage/storage-error.ts';
import { refuseTransactionControl, type StatementResult } from '../storage/transaction-scope.ts';
import type { DriverConnection, DriverStatement } from './sqlite-driver.ts';
import { isBusy, toStorageError } from './sqlite-error.ts';

/** How many prepared statements a connection keeps. */
const MAX_STATEMENTS = 200;

/**
 * One SQLite connection: prepared statements are kept, parameters checked, values converted. All
 * calls are synchronous; `SQLITE_BUSY` is thrown as it is, so that the caller can wait and retry.
 */
export class SqliteConnection {
  readonly #database: DriverConnection;
  readonly #file: string;
  readonly #statements = new Map<string, DriverStatement>();
  readonly #extensions = new Set<string>();
  /** Those that begin and end transactions, which callers may not run. */
  readonly #controls = new Map<string, DriverStatement>();

  constructor(database: DriverConnection, file: string) {
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

  /** Checks whether a statement only reads. */
  isReadonly(sql: string): boolean {
    this.#refuseControl(sql);
    return this.#guard(sql, () => this.#prepare(sql).isReadonly);
  }

  run(sql: string, params: readonly SqlParameter[] = []): StatementResult {
    this.#refuseControl(sql);
    return this.#guard(sql, () => {
      const statement = this.#prepare(sql);
      const values = toSqlValues(sql, params, MAX_VALUE_BYTES.sqlite);
      if (!statement.returnsRows) return { rows: [], changes: statement.run(values) };
      const rows = statement.all(values).map(convertRow);
      return { rows, changes: statement.isReadonly ? 0 : rows.length };
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
      statement.run([]);
    });
  }

  /** A prepared statement was checked before. */
  #refuseControl(sql: string): void {
    if (!this.#statements.has(sql)) refuseTransactionControl(sql);
  }

  #prepare(sql: string): DriverStatement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    if (this.#statements.size >= MAX_STATEMENTS) {
      const [oldest] = this.#statements.keys();
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    this.#statements.set(sql, statement);
    return statement;
  }

  #guard<T>(sql: string, work: () => T): T {
    if (!this.#database.isOpen) {
      throw new StorageError('closed', `the database ${this.#file} is closed`);
    }
    try {
      return work();
    } catch (error) {
      throw isBusy(error) ? error : toStorageError(error, this.#file, sql);
    }
  }
}

/** Returns a plain object: those of `node:sqlite` have no prototype. */
function convertRow(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const name in record) row[name] = convertValue(record[name]);
  return row;
}

function convertValue(value: unknown): unknown {
  if (typeof value === 'bigint') return fromBigInt(value);
  if (!(value instanceof Uint8Array) || Buffer.isBuffer(value)) return value;
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** How long statements may follow each other before timers and sockets get their turn, in milliseconds. */
const TURN_AFTER_MS = 15;

/** When the first statement since the last turn of the event loop ran. One for all databases. */
let busySince: number | undefined;

/**
 * SQLite answers at once, so awaiting it never leaves the queue of promises: a loop of awaited statements
 * would keep every timer and socket of the process waiting until it ends.
 *
 * @returns A promise to wait for after a statement, or `undefined` while there is time left.
 */
export function loopTurn(): Promise<void> | undefined {
  const now = performance.now();
  if (busySince === undefined) {
    busySince = now;
    setImmediate(endTurn);
    return undefined;
  }
  return now - busySince < TURN_AFTER_MS ? undefined : nextTurn();
}

/** Returns the same after what was done, whose result waits for it. */
export async function withTurn<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    const turn = loopTurn();
    if (turn) await turn;
  }
}

function endTurn(): void {
  busySince = undefined;
}

/** Waits until the loop has been round: a timer that is due runs before it, or in the next turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
