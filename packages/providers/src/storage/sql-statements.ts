import { AsyncLocalStorage } from 'node:async_hooks';
import { constants } from 'node:buffer';
import type { Dialect, Row, SqlExecutor, SqlParameter, SqlValue, Statement } from './database.ts';
import { StorageError } from './storage-error.ts';

/**
 * The most bytes of a value that can be read again, by dialect. PostgreSQL sends bytes as a string of two digits each,
 * after a prefix of two characters. SQLite takes rows of 1,000,000,000 bytes (SQLITE_MAX_LENGTH).
 */
export const MAX_VALUE_BYTES: Readonly<Record<Dialect, number>> = {
  postgres: Math.floor((constants.MAX_STRING_LENGTH - 2) / 2),
  sqlite: 999_000_000,
};

/** The most bytes of UTF-8 that drivers turn into a string again. */
const MAX_TEXT_BYTES = constants.MAX_STRING_LENGTH;

/** Maximum number of bytes of UTF-8 for one unit of UTF-16. */
const BYTES_PER_UNIT = 3;

/**
 * Returns what drivers may be given for the parameters of a statement.
 *
 * @param maxBytes - The limit of the dialect for a value of bytes.
 * @param maxTextBytes - The limit of the driver for a text, in bytes of UTF-8.
 * @throws StorageError with the code `invalid-text` for strings that some dialect would alter or
 * refuse, `too-large` for values that could not be read again, or `misuse` for values that are not parameters.
 */
export function toSqlValues(
  sql: string,
  params: readonly SqlParameter[],
  maxBytes: number,
  maxTextBytes: number = MAX_TEXT_BYTES,
): SqlValue[] {
  return params.map((value, index) => {
    const bytes = sizeOf(value, maxTextBytes);
    const limit = typeof value === 'string' ? maxTextBytes : maxBytes;
    if (bytes > limit) throw valueTooLarge(placeOf(sql, index), bytes, limit);
    return toSqlValue(value, sql, index);
  });
}

/** Returns the bytes of a value; 0 for one that is surely small enough. */
function sizeOf(value: SqlParameter, maxTextBytes: number): number {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== 'string' || value.length * BYTES_PER_UNIT <= maxTextBytes) return 0;
  return Buffer.byteLength(value);
}

function valueTooLarge(place: string, bytes: number, maxBytes: number): StorageError {
  return new StorageError(
    'too-large',
    `${place}: expected at most ${maxBytes} bytes, got ${bytes}: split it into several rows`,
    { context: { bytes, maxBytes } },
  );
}

function toSqlValue(value: SqlParameter, sql: string, index: number): SqlValue {
  switch (typeof value) {
    case 'boolean':
      return value ? 1 : 0;
    case 'string':
      if (isStorable(value)) return value;
      throw new StorageError(
        'invalid-text',
        `${placeOf(sql, index)} holds NUL or a lone surrogate: store it as JSON text, which escapes both`,
      );
    case 'number':
      if (!Number.isNaN(value)) return value;
      throw new StorageError('misuse', `${placeOf(sql, index)} is NaN, which SQL has no value for`);
    case 'bigint':
      return value;
    default:
      if (value === null || value instanceof Uint8Array) return value;
      throw new StorageError(
        'misuse',
        `${placeOf(sql, index)} is ${describe(value)}, which is no SQL value`,
      );
  }
}

/** Said only where it is needed: this is called for each value that is written. */
function placeOf(sql: string, index: number): string {
  return `parameter ${index + 1} of "${sql}"`;
}

function describe(value: unknown): string {
  return value === undefined ? 'undefined' : Object.prototype.toString.call(value);
}

/** Returns a number while that is exact. */
export function fromBigInt(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** A value in an array of PostgreSQL. */
export type ArrayCell = number | string | Uint8Array | null;

/** Returns an array of PostgreSQL as text, to be cast: `CAST(? AS BIGINT[])`. */
export function sqlArray(cells: readonly ArrayCell[]): string {
  const texts = cells.map((cell) => {
    if (cell === null) return 'NULL';
    if (typeof cell === 'number') return String(cell);
    if (typeof cell === 'string') return `"${escaped(cell)}"`;
    return String.raw`"\\x${hexOf(cell)}"`;
  });
  return `{${texts.join(',')}}`;
}

/** Replacing costs most texts, which have none of these signs, twice as much as to look for one. */
function escaped(text: string): string {
  return /["\\]/.test(text) ? text.replaceAll(/["\\]/g, String.raw`\$&`) : text;
}

/** Returns bytes as hexadecimal digits. */
export function hexOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex');
}

/**
 * Checks whether every database keeps a text as it is. SQLite would alter NUL and lone surrogates, PostgreSQL refuses
 * them; a parameter that holds one fails with `invalid-text`.
 *
 * @example
 * ```ts
 * if (!isStorable(id)) return undefined; // no row has such an id
 * ```
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Returns a text as every database can keep it: NUL and lone surrogates become U+FFFD. */
export function toStorable(text: string): string {
  const whole = text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '\ufffd') : whole;
}

/** Rows that one statement writes or asks for. */
const ROWS = 200;

/** Returns the placeholders of that many parameters: `?, ?, ?`. */
export function placeholders(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ');
}

/** Cuts a list into parts, as a statement takes a limited number of parameters. */
export function inParts<T>(list: readonly T[], size: number = ROWS): readonly (readonly T[])[] {
  const parts: (readonly T[])[] = [];
  for (let at = 0; at < list.length; at += size) parts.push(list.slice(at, at + size));
  return parts;
}

/** Databases take some hundred parameters at once; SQLite took 999 for a long time. */
const VALUES = 500;

/**
 * Runs a query whose last condition is `IN`, for any number of values. No row has a text that no
 * database holds.
 *
 * @param sql - Up to and with the word `IN`.
 */
export async function queryIn<R extends object>(
  executor: SqlExecutor,
  sql: string,
  values: readonly SqlParameter[],
): Promise<R[]> {
  const rows: R[] = [];
  const known = values.filter((value) => typeof value !== 'string' || isStorable(value));
  for (const some of inParts(known, VALUES)) {
    rows.push(...(await executor.query<R>(`${sql} (${placeholders(some.length)})`, some)));
  }
  return rows;
}

/**
 * Inserts rows, many with one statement.
 *
 * @param rows - The values of all columns, in the order of the table.
 * @param onConflict - A clause such as `ON CONFLICT DO NOTHING`.
 */
export async function insertRows(
  executor: SqlExecutor,
  table: string,
  rows: readonly (readonly SqlParameter[])[],
  onConflict = '',
): Promise<void> {
  for (const some of inParts(rows)) {
    const values = some.map((row) => `(${placeholders(row.length)})`).join(', ');
    await executor.execute(`INSERT INTO ${table} VALUES ${values} ${onConflict}`, some.flat());
  }
}

/** The result of a statement. */
export interface StatementResult {
  readonly rows: object[];
  readonly changes: number;
}

/** Runs one statement on the connection of a transaction. */
export type RunStatement = (
  sql: string,
  params?: readonly SqlParameter[],
) => StatementResult | Promise<StatementResult>;

interface ScopeState {
  isActive: boolean;
  /** The first statement that failed; PostgreSQL commits nothing after it, so no dialect does. */
  failure?: { readonly error: unknown };
}

/** A transaction that the present task runs in, and the one around it, of another database. */
interface Running {
  readonly scope: TransactionScope;
  readonly state: ScopeState;
  readonly outer: Running | undefined;
}

/** One for all databases: while it is in use, every promise of the process costs some time. */
const running = new AsyncLocalStorage<Running>();
let transactions = 0;

/** The rules of `Database.transaction` that hold on every dialect. */
export class TransactionScope {
  /** @throws StorageError with the code `misuse` within the callback of a transaction. */
  assertOutside(): void {
    let inner = running.getStore();
    while (inner && !(inner.scope === this && inner.state.isActive)) inner = inner.outer;
    if (!inner) return;
    throw new StorageError(
      'misuse',
      'the database was used within a transaction: use the executor that transaction() passes to ' +
        'its callback, the database itself would wait for the transaction to end',
    );
  }

  /** Calls `work` with an executor that ends with it, and rejects if any statement failed. */
  async run<T>(run: RunStatement, work: (tx: SqlExecutor) => Promise<T>): Promise<T> {
    const state: ScopeState = { isActive: true };
    transactions++;
    try {
      return await this.#runIn(state, run, work);
    } finally {
      transactions--;
      if (transactions === 0) running.disable();
    }
  }

  #runIn<T>(
    state: ScopeState,
    run: RunStatement,
    work: (tx: SqlExecutor) => Promise<T>,
  ): Promise<T> {
    return running.run({ scope: this, state, outer: running.getStore() }, async () => {
      try {
        const guarded = guard(run, state);
        const tx = executorOf(guarded);
        runners.set(tx, guarded);
        const result = await work(tx);
        if (state.failure) throw state.failure.error;
        return result;
      } finally {
        state.isActive = false;
      }
    });
  }
}

/** The functions that run the statements of transactions, by their executors. */
const runners = new WeakMap<SqlExecutor, RunStatement>();

/**
 * Runs statements in a transaction, one after the other, whose results do not matter. Those that are answered at once
 * take no promise: with many, that is a good part of the time.
 */
export async function executeAll(tx: SqlExecutor, statements: Iterable<Statement>): Promise<void> {
  const run = runners.get(tx) ?? ((sql, params) => tx.execute(sql, params));
  for (const { sql, params } of statements) {
    const result = run(sql, params);
    if ('then' in result) await result;
  }
}

/** Returns the rows of a result, as drivers give them. */
export function rowsOf({ rows }: StatementResult): readonly Row[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- values of SQL by their columns
  return rows as readonly Row[];
}

/** Returns the two methods of an executor over one function. A statement that is answered at once costs one promise. */
export function executorOf(run: RunStatement): SqlExecutor {
  return {
    query: <R extends object>(sql: string, params?: readonly SqlParameter[]) =>
      promised(
        () => run(sql, params),
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller vouches for it
        ({ rows }) => rows as R[],
      ),
    execute: (sql, params) =>
      promised(
        () => run(sql, params),
        ({ changes }) => ({ changes }),
      ),
  };
}

function promised<T>(
  run: () => StatementResult | Promise<StatementResult>,
  read: (result: StatementResult) => T,
): Promise<T> {
  try {
    const result = run();
    return 'then' in result ? result.then(read) : Promise.resolve(read(result));
  } catch (error) {
    return Promise.reject(error);
  }
}

function guard(run: RunStatement, state: ScopeState): RunStatement {
  const fail = (error: unknown): never => {
    state.failure ??= { error };
    throw error;
  };
  return (sql, params) => {
    if (!state.isActive || state.failure) {
      const why = state.isActive ? 'a statement of it has failed' : 'it has ended';
      throw new StorageError('misuse', `the transaction cannot run "${sql}": ${why}`);
    }
    try {
      const result = run(sql, params);
      return 'then' in result ? result.catch(fail) : result;
    } catch (error) {
      return fail(error);
    }
  };
}

const COMMENT_MARKS = /\/\*|\*\//g;
const LINE_OR_SPACE = /(?:[\s;]|--[^\n]*(?:\n|$))*/y;
const CONTROL =
  /(?:BEGIN|COMMIT|ROLLBACK|ABORT|SAVEPOINT|RELEASE|END|START\s+TRANSACTION|PREPARE\s+TRANSACTION)\b/iy;

/**
 * Refuses statements that begin or end a transaction: they would end one that the SDK has begun, or
 * leave one open on a connection that others use next.
 *
 * @throws StorageError with the code `misuse`.
 */
export function refuseTransactionControl(sql: string): void {
  const statement =
    controlAt(sql, startOfStatement(sql)) ?? controlAt(sql, startOfStatement(sql, true));
  if (statement === undefined) return;
  throw new StorageError(
    'misuse',
    `the statement ${statement.toUpperCase()} is refused: use database.transaction(work), which ` +
      'commits when work resolves and rolls back when it rejects, or database.batch(statements)',
    { context: { sql } },
  );
}

function controlAt(sql: string, at: number): string | undefined {
  CONTROL.lastIndex = at;
  return CONTROL.exec(sql)?.[0];
}

/**
 * Returns where a statement begins, after spaces, semicolons and comments.
 *
 * @param isNested - A comment may hold comments, as on PostgreSQL; on SQLite its first end mark ends it.
 */
export function startOfStatement(sql: string, isNested = false): number {
  let at = 0;
  for (;;) {
    LINE_OR_SPACE.lastIndex = at;
    LINE_OR_SPACE.test(sql);
    at = LINE_OR_SPACE.lastIndex;
    if (!sql.startsWith('/*', at)) return at;
    at = endOfComment(sql, at, isNested);
  }
}

function endOfComment(sql: string, start: number, isNested: boolean): number {
  let depth = 0;
  for (const { 0: mark, index } of sql.slice(start).matchAll(COMMENT_MARKS)) {
    if (mark === '/*') depth = isNested ? depth + 1 : 1;
    else depth--;
    if (depth === 0) return start + index + mark.length;
  }
  return sql.length;
}
