import { CodedError } from '@vizprompt/providers';
import { hasErrorMark, type ErrorDetails } from '@vizprompt/providers/internal';

/**
 * Why a call of this package failed. A failure of the storage itself (a full disk, a damaged
 * or read-only file) is a `StorageError` of `@vizprompt/providers`.
 *
 * - `invalid-input`: an argument that makes no sense, an event of an unknown type or with wrong fields
 * - `invalid-text`: text with a lone surrogate, which cannot be stored unchanged
 * - `too-large`: a text or an event beyond the limit
 * - `path-outside`: a path that leads out of the workspace; settings that a link of a project leads to, or that are in
 *   a folder of git
 * - `session-not-found`, `event-not-found`: there is none with this id
 * - `session-ended`: nothing more can be logged in it
 * - `exists`: there is one with this id already
 * - `edit-conflict`: a file is not as an edit expects it, or another process edits it; or its text at a time cannot
 *   be derived from the edits
 * - `invalid-import`: the data is not an export of this package
 * - `corrupt`: the database does not hold together
 * - `closed`: the store is closed
 */
export type MemoryErrorCode =
  | 'invalid-input'
  | 'invalid-text'
  | 'too-large'
  | 'path-outside'
  | 'session-not-found'
  | 'event-not-found'
  | 'session-ended'
  | 'exists'
  | 'edit-conflict'
  | 'invalid-import'
  | 'corrupt'
  | 'closed';

/** The error of `@vizprompt/memory`. */
export class MemoryError extends CodedError<MemoryErrorCode> {
  constructor(code: MemoryErrorCode, message: string, details?: ErrorDetails) {
    super('MemoryError', code, message, details);
  }

  /** Checks whether a value is an error of this package, from this or any other installed copy. */
  static isInstance(value: unknown): value is MemoryError {
    return hasErrorMark(value, 'MemoryError');
  }
}
