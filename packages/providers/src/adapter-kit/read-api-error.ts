import { readErrorBody } from './error-body.ts';
import type { HttpFailure } from './http-failure.ts';
import { numberOf, stringOf } from '../json/fields.ts';
import { isError } from '../errors.ts';

/**
 * Reads an `APIError` of the SDKs of OpenAI and Anthropic, which are generated alike: a refusal, or an error within a
 * stream. Its message comes from the body, of which the SDKs know one form.
 */
export function readApiError(error: unknown): HttpFailure | undefined {
  if (!isError(error) || !('status' in error) || !('error' in error)) return undefined;
  if (/Connection(Timeout)?Error|UserAbort/.test(error.constructor.name)) return undefined;
  const status = numberOf(error.status);
  const body = readErrorBody(error.error);
  return {
    ...body,
    reason: [body.reason, 'code' in error ? stringOf(error.code) : ''].filter(Boolean).join(' '),
    text: body.text || error.message,
    status: (status ?? 0) >= 400 ? status : (body.status ?? status),
  };
}
