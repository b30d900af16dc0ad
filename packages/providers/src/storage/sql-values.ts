import type { SqlParameter, SqlValue } from './database.ts';
import { isStorable } from './storable-text.ts';
import { StorageError } from './storage-error.ts';

/**
 * What drivers may be given for the parameters of a statement.
 *
 * @throws StorageError with the code `invalid-text` for strings that some dialect would alter or
 * refuse, or `misuse` for values that are no parameters.
 */
export function toSqlValues(sql: string, params: readonly SqlParameter[]): SqlValue[] {
  return params.map((value, index) => toSqlValue(value, sql, index));
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

/** A number while that is exact. */
export function fromBigInt(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
