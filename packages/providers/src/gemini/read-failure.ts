import { readErrorBody } from '../adapter-kit/error-body.ts';
import type { HttpFailure } from '../adapter-kit/http-failure.ts';
import { numberOf } from '../json/fields.ts';
import { isError } from '../errors.ts';

/** Takes an `ApiError` of the SDK apart: its message is the body of the answer. */
export function readFailure(error: unknown): HttpFailure | undefined {
  if (!isError(error) || !('status' in error)) return undefined;
  const status = numberOf(error.status);
  if (status === undefined) return undefined;
  const body = readErrorBody(error.message);
  return { ...body, status: status >= 400 ? status : (body.status ?? status) };
}
