import { CodedError, hasErrorMark, type ErrorDetails } from '../errors.ts';

/**
 * Why a storage refused or failed.
 *
 * - `invalid-key`: a file key or a name that no storage takes; `outside-root`: a symbolic link
 *   leads out of the store
 * - `invalid-text`: text that cannot be stored unchanged; `not-text`: bytes that are not UTF-8
 * - `too-large`: a file beyond the limit of the caller
 * - `conflict`: the file is not in the version that the caller expects
 * - `lock-timeout`: another caller holds the lock; `busy`: another caller holds the database
 * - `misuse`: a call that would lose data or wait for itself; `closed`: the storage is closed
 * - `constraint`: a row breaks a rule of its table; `sql`: a statement failed
 * - `newer-schema`: written by a newer version of a package; `corrupt`: not what it should be
 * - `connection`: the database server cannot be reached; `unsupported`: not on this storage
 * - `no-sqlite`: no library that opens SQLite files can be used; the message has the command that helps
 * - `io`: the file system failed
 */
export type StorageErrorCode =
  | 'invalid-key'
  | 'outside-root'
  | 'invalid-text'
  | 'not-text'
  | 'too-large'
  | 'conflict'
  | 'lock-timeout'
  | 'busy'
  | 'misuse'
  | 'closed'
  | 'constraint'
  | 'sql'
  | 'newer-schema'
  | 'corrupt'
  | 'connection'
  | 'unsupported'
  | 'no-sqlite'
  | 'io';

/** The one error of every storage. */
export class StorageError extends CodedError<StorageErrorCode> {
  constructor(code: StorageErrorCode, message: string, details?: ErrorDetails) {
    super('StorageError', code, message, details);
  }

  /** Checks whether a value is a `StorageError`, from this or any other installed copy of the package. */
  static isInstance(value: unknown): value is StorageError {
    return hasErrorMark(value, 'StorageError');
  }
}
