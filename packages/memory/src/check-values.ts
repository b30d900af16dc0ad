import { isStorable } from '@vizprompt/providers';
import { optionChecks, type OptionChecks } from '@vizprompt/providers/config';
import { MemoryError } from './errors.ts';

/** @throws MemoryError `invalid-input` for what is no text. */
export function assertText(value: unknown, what: string): asserts value is string {
  if (typeof value === 'string') return;
  throw new MemoryError('invalid-input', `${what} is ${shown(value)}: it must be a text`);
}

/** @throws MemoryError `invalid-input` for what is no text, or one that no database and no file system can hold. */
export function assertStorable(value: unknown, what: string): asserts value is string {
  assertText(value, what);
  if (isStorable(value)) return;
  throw new MemoryError(
    'invalid-input',
    `${what} is ${shown(value)}: it must not hold NUL or a lone surrogate`,
  );
}

/** @throws MemoryError `invalid-input` for a value that is none of the choices. */
export function assertChoice(
  value: unknown,
  what: string,
  choices: readonly (string | undefined)[],
): void {
  if (choices.some((choice) => choice === value)) return;
  const known = choices.filter((choice) => choice !== undefined).map((choice) => `'${choice}'`);
  throw new MemoryError(
    'invalid-input',
    `${what} is ${shown(value)}: it is one of ${known.join(', ')}`,
  );
}

/** @throws MemoryError `invalid-input` for what is not a whole number above 0. */
export function assertLimit(limit: number, name = 'limit'): void {
  if (Number.isSafeInteger(limit) && limit > 0) return;
  throw new MemoryError(
    'invalid-input',
    `the ${name} is ${limit}: it must be a whole number above 0`,
  );
}

/**
 * Refuses an option that nobody reads: a mistyped one would leave the default in force unnoticed.
 *
 * @throws MemoryError `invalid-input` that names the key.
 */
export const assertKnownKeys: OptionChecks['checkKeys'] = optionChecks(
  (message, context) => new MemoryError('invalid-input', message, { context }),
).checkKeys;

/** A value in a message: short, whatever it is. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (value === null || typeof value !== 'object') return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}
