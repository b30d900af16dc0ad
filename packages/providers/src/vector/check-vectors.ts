import {
  ANYTHING,
  having,
  isTypedArray,
  type Kind,
  type Kinds,
  listOf,
  OBJECT,
  optional,
  type OptionChecks,
  optionChecks,
  SIGNAL,
} from '../input/kinds.ts';
import { VectorError } from './vector-error.ts';
import type { VectorCallOptions, VectorQueryOptions, VectorRecord } from './vector-store.ts';

const RECORDS = listOf('records', having('{ id, vector }', 'id', 'vector'));
const VECTOR: Kind<Float32Array> = {
  expected: 'a Float32Array',
  // Arrays of numbers, too, as clients of embedding models return them.
  accepts: (value) =>
    isTypedArray(value, 'Float32Array') ||
    (Array.isArray(value) && value.every((one) => typeof one === 'number')),
};

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
  checkArgument(`the records for ${place}`, records, RECORDS);
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
  checkArgument(what, vector, VECTOR);
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
  const own = vector instanceof Float32Array ? vector : new Float32Array(vector);
  return own.map((value) => value / length);
}

/** @throws VectorError with the code `invalid-input` for a `limit` that is no whole number from 1. */
export function checkedCount(limit: number, place: string): number {
  if (Number.isInteger(limit) && limit >= 1) return limit;
  throw new VectorError(
    'invalid-input',
    `limit: expected a whole number from 1, got ${limit}, in ${place}`,
  );
}

const checks = optionChecks(
  (message, context) => new VectorError('invalid-input', message, { context }),
);

/** Refuses options of a vector store that are not known or of another kind. */
export const checkOptions: OptionChecks['checkOptions'] = checks.checkOptions;

/** Refuses an argument that is not of its kind. */
export const checkArgument: OptionChecks['checkArgument'] = checks.checkArgument;

const CALL: Kinds<VectorCallOptions> = { signal: optional(SIGNAL) };
const QUERY: Kinds<VectorQueryOptions> = {
  ...CALL,
  limit: ANYTHING,
  k: ANYTHING,
  filter: optional(OBJECT),
};

/** Checks the options of `upsert`, `delete` and `count`. */
export function checkCall(name: string, options: VectorCallOptions = {}): VectorCallOptions {
  return checkOptions(name, options, CALL);
}

/** Checks the options of `query`; its limit is checked where it is read. */
export function checkQuery(options: VectorQueryOptions = {}): VectorQueryOptions {
  return checkOptions('query', options, QUERY);
}
