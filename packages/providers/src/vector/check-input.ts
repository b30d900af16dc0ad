import { VectorError } from './vector-error.ts';
import type { VectorCallOptions, VectorQueryOptions } from './vector-store.ts';
import {
  ANYTHING,
  type Kinds,
  OBJECT,
  optional,
  type OptionChecks,
  optionChecks,
  SIGNAL,
} from '../input/kinds.ts';

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
