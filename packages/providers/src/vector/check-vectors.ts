import { VectorError } from './vector-error.ts';
import type { VectorRecord } from './vector-store.ts';

/**
 * Checks records as every store must, before anything is written.
 *
 * @param place - The store, as messages name it.
 * @returns The records with vectors of length 1; of equal ids the last one.
 */
export function checkedRecords(
  records: readonly VectorRecord[],
  dimensions: number,
  place: string,
): readonly VectorRecord[] {
  const byId = new Map<string, VectorRecord>();
  for (const record of records) {
    const vector = unitVector(record.vector, dimensions, `the record '${record.id}' for ${place}`);
    byId.delete(record.id);
    byId.set(record.id, { ...record, vector });
  }
  return [...byId.values()];
}

/**
 * Returns the vector with the length 1.
 *
 * @param what - The owner of the vector, for the message.
 * @throws VectorError with the code `invalid-input`.
 */
export function unitVector(vector: Float32Array, dimensions: number, what: string): Float32Array {
  if (vector.length !== dimensions) {
    throw new VectorError(
      'invalid-input',
      `${what} has ${vector.length} dimensions, not ${dimensions}: embed it with the model of the store`,
      { context: { dimensions, given: vector.length } },
    );
  }
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  if (!Number.isFinite(length) || length === 0) {
    const problem = length === 0 ? 'only zeros' : 'numbers that are not finite';
    throw new VectorError('invalid-input', `${what} has ${problem}, and so no direction`);
  }
  return vector.map((value) => value / length);
}

/** @throws VectorError with the code `invalid-input` for a `k` that is not a whole number from 1. */
export function checkedCount(k: number, place: string): number {
  if (Number.isInteger(k) && k >= 1) return k;
  throw new VectorError(
    'invalid-input',
    `k: expected a whole number from 1, got ${k}, in ${place}`,
  );
}
