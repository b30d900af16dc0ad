import { readErrorBody } from '../adapter-kit/error-body.ts';
import { fieldsOf, listOf, numberOf, textAt, type Fields } from '../json/fields.ts';

/** Returns the failure that an answer with a status of success is, or a chunk; `undefined` for any other. */
export function failureIn(fields: Fields): Error | undefined {
  if (fields['object'] === 'error') return inBandError(fields);
  if (fields['error']) return inBandError(fields['error']);
  // MiniMax
  const base = fieldsOf(fields['base_resp']);
  if ((numberOf(base['status_code']) ?? 0) !== 0) return inBandError(base);
  // Cloudflare
  if (listOf(fields['errors']).length > 0 && !('choices' in fields)) return inBandError(fields);
  const isChunk = ['choices', 'usage', 'id', 'object'].some((key) => key in fields);
  const isFailure = textAt(fields, 'message', 'msg', 'detail', 'error_msg') !== undefined;
  return isFailure && !isChunk ? inBandError(fields) : undefined;
}

/** Returns an error in the form of the SDK's own. */
export function inBandError(error: unknown): Error {
  const { text, status } = readErrorBody(error);
  return Object.assign(new Error(text || 'the server failed'), { status, error });
}
