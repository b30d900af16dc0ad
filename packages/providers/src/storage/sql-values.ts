import { constants } from 'node:buffer';
import type { Dialect, SqlExecutor, SqlParameter, SqlValue } from './database.ts';
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
    if (typeof cell === 'string') return `"${cell.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
    return String.raw`"\\x${hexOf(cell)}"`;
  });
  return `{${texts.join(',')}}`;
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
