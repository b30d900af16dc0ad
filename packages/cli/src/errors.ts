import { CodedError } from '@vizprompt/providers';
import { hasErrorMark, type ErrorDetails } from '@vizprompt/providers/internal';

/**
 * Why a command failed before it came to its package.
 *
 * - `usage`: words, options or values that the command does not take
 * - `input-unreadable`: standard input or a file that is not there or is not UTF-8
 * - `not-found`: what was asked for is not there
 * - `interrupted`: Ctrl+C, or a signal that ends the process
 * - `found-problems`: a check found something wrong
 * - `failed`: anything else, such as a program that the command ran
 */
export type CliErrorCode =
  | 'usage'
  | 'input-unreadable'
  | 'not-found'
  | 'interrupted'
  | 'found-problems'
  | 'failed';

/** The error of `@vizprompt/cli`; what the packages throw is passed on as it is. */
export class CliError extends CodedError<CliErrorCode> {
  constructor(code: CliErrorCode, message: string, details?: ErrorDetails) {
    super('CliError', code, message, details);
  }

  /** Checks whether a value is an error of this package, from this or any other installed copy. */
  static isInstance(value: unknown): value is CliError {
    return hasErrorMark(value, 'CliError');
  }
}
