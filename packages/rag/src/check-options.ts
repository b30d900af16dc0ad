import { optionChecks, type OptionChecks } from '@vizprompt/providers/config/internal';
import { RagError } from './errors.ts';

/** An argument that plain JavaScript passes and TypeScript would not is a RagError with the code `invalid-input`. */
const checks: OptionChecks = optionChecks(
  (message, context) => new RagError('invalid-input', message, { context }),
);

export const checkArgument: OptionChecks['checkArgument'] = checks.checkArgument;
export const assertOpened: OptionChecks['assertOpened'] = checks.assertOpened;
export const checkOptions: OptionChecks['checkOptions'] = checks.checkOptions;
export const listenerCheck: OptionChecks['listenerCheck'] = checks.listenerCheck;
