import { readErrorBody } from '../adapter-kit/error-body.ts';
import type { HttpFailure } from '../adapter-kit/http-failure.ts';
import { numberOf } from '../json/fields.ts';

/** Takes an `APIError` of the SDK apart: a refusal, or an error within a stream. */
export function readFailure(error: unknown): HttpFailure | undefined {
  if (!(error instanceof Error) || !('status' in error) || !('error' in error)) return undefined;
  if (/Connection(Timeout)?Error|UserAbort/.test(error.constructor.name)) return undefined;
  const status = numberOf(error.status);
  const body = readErrorBody(error.error);
  return {
    ...body,
    text: body.text || error.message,
    status: (status ?? 0) >= 400 ? status : (body.status ?? status),
  };
}
