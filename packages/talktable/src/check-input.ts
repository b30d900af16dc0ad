import { optionChecks, type OptionChecks } from '@vizprompt/providers/config/internal';
import { TalkError } from './errors.ts';

/** An argument that plain JavaScript passes and TypeScript would not is a TalkError with the code `invalid-input`. */
const checks: OptionChecks = optionChecks(
  (message, context) => new TalkError('invalid-input', message, { context }),
);

export const checkArgument: OptionChecks['checkArgument'] = checks.checkArgument;
export const assertOpened: OptionChecks['assertOpened'] = checks.assertOpened;
export const checkOptions: OptionChecks['checkOptions'] = checks.checkOptions;
export const listenerCheck: OptionChecks['listenerCheck'] = checks.listenerCheck;
