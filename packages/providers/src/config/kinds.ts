/** What a value must be. */
export interface Kind {
  /** As in "must be …". */
  readonly expected: string;
  readonly isOptional?: boolean;
  accepts(value: unknown): boolean;
}

/** What each option must be; all options are named, so that one that is not is mistyped. */
export type Kinds<Options extends object> = { readonly [Key in keyof Required<Options>]: Kind };

export const ANYTHING: Kind = { expected: 'anything', accepts: () => true };
export const TEXT: Kind = { expected: 'a text', accepts: (value) => typeof value === 'string' };
export const FLAG: Kind = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
};
export const NUMBER: Kind = {
  expected: 'a number',
  accepts: (value) => typeof value === 'number' && !Number.isNaN(value),
};
/** Times in milliseconds, sizes. */
export const AMOUNT: Kind = {
  expected: 'a number from 0',
  accepts: (value) => typeof value === 'number' && value >= 0,
};
/** How many, none as well. */
export const COUNT: Kind = {
  expected: 'a whole number from 0',
  accepts: (value) => Number.isInteger(value) && Number(value) >= 0,
};
/** How many at a time, or without a limit. */
export const AT_A_TIME: Kind = {
  expected: 'a whole number from 1',
  accepts: (value) => value === Infinity || (Number.isInteger(value) && Number(value) >= 1),
};
export const FUNCTION: Kind = {
  expected: 'a function',
  accepts: (value) => typeof value === 'function',
};
export const ARRAY: Kind = { expected: 'an array', accepts: (value) => Array.isArray(value) };
export const TEXTS: Kind = listOf('texts', TEXT);
export const OBJECT: Kind = { expected: 'an object', accepts: isRecord };
export const SIGNAL: Kind = having('an AbortSignal', 'aborted', 'addEventListener');
export const LOGGER: Kind = having('a Logger, such as createLogger()', 'warn', 'error');

/** An object with these members, which are enough to tell it from what is passed by mistake. */
export function having(expected: string, ...members: readonly string[]): Kind {
  return {
    expected,
    accepts: (value) => isObject(value) && members.every((member) => member in value),
  };
}

/** One of these texts. */
export function oneOf(...values: readonly string[]): Kind {
  return {
    expected: values.map((value) => `'${value}'`).join(' or '),
    accepts: (value) => values.some((one) => one === value),
  };
}

/** @param expected - In the plural, as in "an array of …". */
export function listOf(expected: string, kind: Kind): Kind {
  return {
    expected: `an array of ${expected}`,
    accepts: (value) => Array.isArray(value) && value.every((one) => kind.accepts(one)),
  };
}

export function either(first: Kind, second: Kind): Kind {
  return {
    expected: `${first.expected}, or ${second.expected}`,
    accepts: (value) => first.accepts(value) || second.accepts(value),
  };
}

export function optional(kind: Kind): Kind {
  return { ...kind, isOptional: true };
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** An object of keys and values, and no promise that somebody forgot to await. */
export function isRecord(value: unknown): value is object {
  return isObject(value) && !Array.isArray(value) && !(value instanceof Promise);
}
