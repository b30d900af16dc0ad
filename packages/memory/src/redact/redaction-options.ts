import {
  AMOUNT,
  ARRAY,
  either,
  type Kinds,
  objectOf,
  optional,
  TEXTS,
} from '@vizprompt/providers/config/internal';
import { defaultRedactionRules, redact, type RedactOptions } from '@vizprompt/providers';
import type { RuleChanges } from '@vizprompt/providers/internal';
import { checkOptions } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import { isError } from '@vizprompt/providers/internal';

const CHANGES: Kinds<RuleChanges> = { add: optional(ARRAY), remove: optional(TEXTS) };

/** The option `redact` of a store. */
const REDACT_OPTIONS: Kinds<RedactOptions> = {
  rules: optional(either(ARRAY, objectOf<RuleChanges>(CHANGES))),
  entropy: optional(AMOUNT),
};

/**
 * Returns the rules of a store: the default ones, and those that are given.
 *
 * @throws MemoryError `invalid-input` that names the rule whose pattern has the wrong flags.
 */
export function redactionOptions(given: RedactOptions | false = {}): RedactOptions | false {
  if (given === false) return false;
  checkOptions('redact', given, REDACT_OPTIONS);
  // A rule of one's own must not open the door to everything that the default rules keep out.
  const options = { ...given, rules: rulesOf(given.rules) };
  try {
    redact('', options);
  } catch (cause) {
    const why = isError(cause) ? cause.message : '';
    throw new MemoryError('invalid-input', `redact: ${why}`, { cause });
  }
  return options;
}

/** Changes of the default rules, whether a list of more was given or changes. */
function rulesOf(given: RedactOptions['rules'] = []): RuleChanges {
  if (isList(given)) return { add: given.filter((rule) => !defaultRedactionRules.includes(rule)) };
  return given;
}

function isList(
  rules: NonNullable<RedactOptions['rules']>,
): rules is Exclude<RedactOptions['rules'], RuleChanges | undefined> {
  return Array.isArray(rules);
}
