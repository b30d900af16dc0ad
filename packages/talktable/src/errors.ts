import { CodedError } from '@vizprompt/providers';
import { hasErrorMark, type ErrorDetails } from '@vizprompt/providers/internal';

/**
 * Why a call of this package failed.
 *
 * - `config-invalid`: the config cannot be understood, with file, line and column where it is a file
 * - `invalid-input`: an argument that makes no sense; `exists`: the id of a new talk is taken
 * - `conversation-not-found`: no such talk in the log; `finished`: it has come to its end
 * - `busy`: this manager leads a talk already; `conflict`: another process continues with the same talk
 * - `turn-failed`: a turn could not be had; the log holds the error, and `resume` asks again
 * - `log-unwritable`: the log cannot be written; no finished turn is lost, and `resume` continues
 * - `log-unreadable`: the log cannot be read; `corrupt`: a row of it cannot, with its place; the others can
 * - `recorder-failed`: a recorder that is required failed; `closed`: the manager is closed
 */
export type TalkErrorCode =
  | 'config-invalid'
  | 'invalid-input'
  | 'exists'
  | 'conversation-not-found'
  | 'finished'
  | 'busy'
  | 'conflict'
  | 'turn-failed'
  | 'log-unwritable'
  | 'log-unreadable'
  | 'corrupt'
  | 'recorder-failed'
  | 'closed';

/** The one error of `@vizprompt/talktable`; what models threw is its `cause`. */
export class TalkError extends CodedError<TalkErrorCode> {
  constructor(code: TalkErrorCode, message: string, details?: ErrorDetails) {
    super('TalkError', code, message, details);
  }

  /** Checks whether a value is a `TalkError`, from this or any other installed copy. */
  static isInstance(value: unknown): value is TalkError {
    return hasErrorMark(value, 'TalkError');
  }
}
