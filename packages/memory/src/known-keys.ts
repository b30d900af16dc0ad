import { MemoryError } from './errors.ts';

/**
 * Refuses an option that nobody reads: a mistyped one would leave the default in force unnoticed.
 *
 * @param what - What the options are of, for the message.
 * @throws MemoryError `invalid-input` that names the key.
 */
export function assertKnownKeys(what: string, given: object, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new MemoryError('invalid-input', `the options of ${what} must be an object`);
  }
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    throw new MemoryError(
      'invalid-input',
      `${what} has no option '${key}': there are ${known.join(', ')}`,
      { context: { key } },
    );
  }
}
