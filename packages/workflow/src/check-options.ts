import { optionChecks, type OptionChecks } from '@vizprompt/providers/config/internal';
import { WorkflowError } from './errors.ts';

/** Arguments that plain JavaScript passes and TypeScript would not are a WorkflowError with the code `invalid-input`. */
const checks: OptionChecks = optionChecks(
  (message, context) => new WorkflowError('invalid-input', message, { context }),
);

export const checkArgument: OptionChecks['checkArgument'] = checks.checkArgument;
export const assertOpened: OptionChecks['assertOpened'] = checks.assertOpened;
export const checkOptions: OptionChecks['checkOptions'] = checks.checkOptions;
export const listenerCheck: OptionChecks['listenerCheck'] = checks.listenerCheck;
export const checkValues: OptionChecks['checkValues'] = checks.checkValues;
