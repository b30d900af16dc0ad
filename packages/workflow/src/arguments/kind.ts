import { nearestName } from '@vizprompt/providers/config';
import { WorkflowError } from '../errors.ts';

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
/** How many at a time. */
export const AT_A_TIME: Kind = {
  expected: 'a whole number from 1',
  accepts: (value) => value === Infinity || (Number.isInteger(value) && Number(value) >= 1),
};
export const FUNCTION: Kind = {
  expected: 'a function',
  accepts: (value) => typeof value === 'function',
};
export const OBJECT: Kind = { expected: 'an object', accepts: isRecord };
export const SIGNAL: Kind = having('an AbortSignal', 'aborted', 'addEventListener');

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

export function listOf(expected: string, kind: Kind): Kind {
  return {
    expected: `a list of ${expected}`,
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

/**
 * Refuses what plain JavaScript may pass and TypeScript would not: an option that nobody reads, which would leave
 * the default in force unnoticed, and values that would fail somewhere deep inside.
 *
 * @param what - Whose options, for messages.
 * @throws WorkflowError with the code `invalid-input`, which names the option and what it must be.
 */
export function checkOptions<Options extends object>(
  what: string,
  given: Options,
  kinds: Kinds<Options>,
): void {
  if (!isRecord(given)) {
    throw invalid(`the options of ${what} must be an object, not ${shown(given)}`, { what });
  }
  const known = Object.keys(kinds);
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(kinds, key)) continue;
    const nearest = nearestName(key, known);
    const hint = nearest === undefined ? '' : `is '${nearest}' meant? `;
    const message = `${what} has no option '${key}': ${hint}there are ${known.join(', ')}`;
    throw invalid(message, { what, key, nearest });
  }
  for (const [key, kind] of Object.entries<Kind>(kinds)) {
    checkArgument(`the option '${key}' of ${what}`, Reflect.get(given, key), kind);
  }
}

/** Checks the values of a record, such as functions by their names. */
export function checkValues(what: string, given: object | undefined, kind: Kind): void {
  for (const [key, value] of Object.entries(given ?? {})) {
    checkArgument(`'${key}' of ${what}`, value, kind);
  }
}

/**
 * Checks one argument.
 *
 * @param what - For messages, such as `the id of the run`.
 * @throws WorkflowError with the code `invalid-input`.
 */
export function checkArgument(what: string, value: unknown, kind: Kind): void {
  if (kind.accepts(value) || (kind.isOptional === true && value === undefined)) return;
  const isListOfOthers = Array.isArray(value) && kind.expected.startsWith('a list');
  const given = isListOfOthers ? 'one that holds something else' : shown(value);
  throw invalid(`${what} must be ${kind.expected}, not ${given}`, { what });
}

/** A value in a message: short, and without what texts say. */
function shown(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? 'a text' : JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Promise) return 'a promise: await it';
  if (isObject(value)) return 'an object of another kind';
  return String(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isRecord(value: unknown): value is object {
  return isObject(value) && !Array.isArray(value) && !(value instanceof Promise);
}

function invalid(message: string, context: Readonly<Record<string, unknown>>): WorkflowError {
  return new WorkflowError('invalid-input', message, { context });
}
