import { defaultRedactionRules, redact, type RedactOptions } from '@vizprompt/providers';
import { MemoryError } from '../errors.ts';
import { assertKnownKeys } from '../known-keys.ts';

/**
 * What a store takes out: the default rules, and those that are given.
 *
 * @throws MemoryError `invalid-input` that names the rule whose pattern has the wrong flags.
 */
export function redactionOptions(given: RedactOptions | false = {}): RedactOptions | false {
  if (given === false) return false;
  assertKnownKeys('redact', given, ['rules', 'entropy']);
  // A rule of one's own must not open the door to everything that the default rules keep out.
  const options = {
    ...given,
    rules: [...new Set([...defaultRedactionRules, ...(given.rules ?? [])])],
  };
  try {
    redact('', options);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : '';
    throw new MemoryError('invalid-input', `redact: ${why}`, { cause });
  }
  return options;
}
