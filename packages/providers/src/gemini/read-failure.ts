import { fieldsOf, numberOf, stringOf } from '../json/fields.ts';
import type { HttpFailure } from '../wire/http-failure.ts';

/** Takes an `ApiError` of the SDK apart: its message is the body of the answer. */
export function readFailure(error: unknown): HttpFailure | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined;
  const status = numberOf(error.status);
  if (status === undefined) return undefined;
  const body = fieldsOf(parse(error.message));
  const inner = fieldsOf(body['error']);
  const nested = fieldsOf(fieldsOf(parse(stringOf(inner['message']) ?? ''))['error']);
  const text = stringOf(nested['message']) ?? stringOf(inner['message']) ?? error.message;
  return {
    status: status >= 400 ? status : (numberOf(inner['code']) ?? status),
    reason: stringOf(inner['status']),
    text,
    details: JSON.stringify([inner['details'] ?? null, nested['details'] ?? null]),
  };
}

function parse(text: string): unknown {
  const start = text.indexOf('{');
  if (start < 0) return undefined;
  try {
    const value: unknown = JSON.parse(text.slice(start));
    return value;
  } catch {
    return undefined;
  }
}
