import { CodedError, hasErrorMark, type ErrorDetails } from '../errors.ts';
import { type OptionChecks, optionChecks } from './kinds.ts';

/** An argument or an option of another kind than it must be. */
export class InputError extends CodedError<'invalid-input'> {
  constructor(message: string, details?: ErrorDetails) {
    super('InputError', 'invalid-input', message, details);
  }

  /** Checks whether a value is an `InputError`, from this or any other installed copy of the package. */
  static isInstance(value: unknown): value is InputError {
    return hasErrorMark(value, 'InputError');
  }
}

/** The checks of functions whose folder has no error of its own. */
const checks = optionChecks((message, context) => new InputError(message, { context }));
export const checkArgument: OptionChecks['checkArgument'] = checks.checkArgument;
export const checkKeys: OptionChecks['checkKeys'] = checks.checkKeys;
export const checkOptions: OptionChecks['checkOptions'] = checks.checkOptions;
