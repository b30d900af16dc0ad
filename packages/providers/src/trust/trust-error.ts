import { CodedError, hasErrorMark, type ErrorDetails } from '../errors.ts';

/**
 * Why something from elsewhere was not done.
 *
 * - `untrusted`: the user of this machine has not consented to it
 * - `trust-unwritable`: consent cannot be recorded
 */
export type TrustErrorCode = 'untrusted' | 'trust-unwritable';

/** The error of consent that is missing. */
export class TrustError extends CodedError<TrustErrorCode> {
  constructor(code: TrustErrorCode, message: string, details?: ErrorDetails) {
    super('TrustError', code, message, details);
  }

  /** Checks whether a value is a `TrustError`, from this or any other installed copy of the package. */
  static isInstance(value: unknown): value is TrustError {
    return hasErrorMark(value, 'TrustError');
  }
}
