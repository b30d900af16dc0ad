import { isStorable } from '@vizprompt/providers/internal';
import { type Kind, optionChecks, type OptionChecks } from '@vizprompt/providers/config/internal';
import { MemoryError } from './errors.ts';

const checks: OptionChecks = optionChecks(
  (message, context) => new MemoryError('invalid-input', message, { context }),
);

/** Refuses what plain JavaScript passes and TypeScript would not, as a MemoryError `invalid-input`. */
export const checkOptions: OptionChecks['checkOptions'] = checks.checkOptions;
export const listenerCheck: OptionChecks['listenerCheck'] = checks.listenerCheck;
export const checkArgument: OptionChecks['checkArgument'] = checks.checkArgument;
export const assertOpened: OptionChecks['assertOpened'] = checks.assertOpened;

/** Strings that databases and file systems can hold. */
export const STORABLE: Kind<string> = {
  expected: 'a string without NUL and lone surrogates',
  accepts: (value) => typeof value === 'string' && isStorable(value),
  json: { type: 'string' },
};
