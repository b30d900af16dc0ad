import { CodedError, hasErrorMark, type ErrorDetails } from '../errors.ts';

/**
 * Why a vector store refused or failed.
 *
 * - `unavailable`: the store cannot be reached, or did not answer in time; it may pass
 * - `dimension-mismatch`, `model-mismatch`: it was made for other vectors
 * - `invalid-input`: a vector, a name or a number that makes no sense
 * - `refused`: the store does not let us (key, permission) or does not understand us
 * - `closed`: the store is closed
 */
export type VectorErrorCode =
  | 'unavailable'
  | 'dimension-mismatch'
  | 'model-mismatch'
  | 'invalid-input'
  | 'refused'
  | 'closed';

/** The one error of every vector store. The message names the place and the fix. */
export class VectorError extends CodedError<VectorErrorCode> {
  constructor(code: VectorErrorCode, message: string, details?: ErrorDetails) {
    super('VectorError', code, message, details);
  }

  /** Checks whether a value is a `VectorError`, from this or any other installed copy of the package. */
  static isInstance(value: unknown): value is VectorError {
    return hasErrorMark(value, 'VectorError');
  }
}
