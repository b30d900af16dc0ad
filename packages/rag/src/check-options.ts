import { nearestName } from '@vizprompt/providers/config';
import { RagError } from './errors.ts';

/** What a value must be. */
export interface Kind {
  /** As in "must be …". */
  readonly expected: string;
  readonly isOptional?: boolean;
  accepts(value: unknown): boolean;
}

/** What each option must be; all options are named, so that one that is not is mistyped. */
export type Kinds<Options extends object> = { readonly [Key in keyof Required<Options>]: Kind };

export const TEXT: Kind = { expected: 'a text', accepts: (value) => typeof value === 'string' };
export const FLAG: Kind = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
};
export const NUMBER: Kind = {
  expected: 'a number',
  accepts: (value) => typeof value === 'number' && !Number.isNaN(value),
};
/** Times in milliseconds, sizes: from 0. */
export const AMOUNT: Kind = {
  expected: 'a number from 0',
  accepts: (value) => NUMBER.accepts(value) && Number(value) >= 0,
};
export const FUNCTION: Kind = {
  expected: 'a function',
  accepts: (value) => typeof value === 'function',
};
export const TEXTS: Kind = {
  expected: 'an array of texts',
  accepts: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
};
export const ARRAY: Kind = { expected: 'an array', accepts: (value) => Array.isArray(value) };
export const OBJECT: Kind = { expected: 'an object', accepts: isObject };
export const SIGNAL: Kind = having('an AbortSignal', 'aborted', 'addEventListener');
export const LOGGER: Kind = having('a Logger, such as createLogger()', 'warn', 'error');

/** An object with these members, which are enough to tell it from what is passed by mistake. */
export function having(expected: string, ...members: readonly string[]): Kind {
  return {
    expected,
    accepts: (value) => isObject(value) && members.every((member) => member in value),
  };
}

export function oneOf(...values: readonly string[]): Kind {
  return {
    expected: values.map((value) => `'${value}'`).join(' or '),
    accepts: (value) => values.some((one) => one === value),
  };
}

export function optional(kind: Kind): Kind {
  return { ...kind, isOptional: true };
}

/**
 * Refuses what plain JavaScript may pass and TypeScript would not: an option that nobody reads, which
 * would leave the default in force unnoticed, and values that would fail somewhere deep inside.
 *
 * @param what - Whose options, for messages.
 * @throws RagError with the code `invalid-input`, which names the option and what it must be.
 */
export function checkOptions<Options extends object>(
  what: string,
  given: Options,
  kinds: Kinds<Options>,
): void {
  if (!isObject(given) || Array.isArray(given) || given instanceof Promise) {
    throw invalid(`the options of ${what} must be an object, not ${shown(given)}`, { what });
  }
  for (const key of Object.keys(given))
    if (!Object.hasOwn(kinds, key)) throw unknown(what, key, kinds);
  for (const [key, kind] of Object.entries<Kind>(kinds)) {
    checkArgument(`the option '${key}' of ${what}`, Reflect.get(given, key), kind);
  }
}

/**
 * Checks one argument.
 *
 * @param what - For messages, such as `the query`.
 * @throws RagError with the code `invalid-input`.
 */
export function checkArgument(what: string, value: unknown, kind: Kind): void {
  if (kind.accepts(value) || (kind.isOptional === true && value === undefined)) return;
  throw invalid(`${what} must be ${kind.expected}, not ${shown(value)}`, { what });
}

/** Refuses keys that nobody reads. */
export function checkKeys(what: string, given: object, known: readonly string[]): void {
  for (const key of Object.keys(given)) {
    if (!known.includes(key)) {
      throw unknown(what, key, Object.fromEntries(known.map((name) => [name, undefined])));
    }
  }
}

function unknown(what: string, key: string, kinds: object): RagError {
  const known = Object.keys(kinds);
  const nearest = nearestName(key, known);
  const hint = nearest === undefined ? '' : `is '${nearest}' meant? `;
  const message = `${what} has no option '${key}': ${hint}there are ${known.join(', ')}`;
  return invalid(message, { what, key });
}

/** A value in a message: short, and without what texts say. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? 'a text' : JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Promise) return 'a promise: await it';
  if (isObject(value)) return 'an object of another kind';
  return String(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function invalid(message: string, context: Readonly<Record<string, unknown>>): RagError {
  return new RagError('invalid-input', message, { context });
}
