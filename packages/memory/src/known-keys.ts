import { optionChecks, type OptionChecks } from '@vizprompt/providers/config';
import { MemoryError } from './errors.ts';

/**
 * Refuses an option that nobody reads: a mistyped one would leave the default in force unnoticed.
 *
 * @throws MemoryError `invalid-input` that names the key.
 */
export const assertKnownKeys: OptionChecks['checkKeys'] = optionChecks(
  (message, context) => new MemoryError('invalid-input', message, { context }),
).checkKeys;
