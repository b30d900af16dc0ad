import { createHash } from 'node:crypto';
import type { ChatModel } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { JsonValue } from '../json.ts';

/**
 * What a call asks of a model, as JSON: without the signal, the time limits and the headers, which
 * do not change the answer.
 */
export function callToJson(
  request: ChatRequest,
  { provider, modelId }: Pick<ChatModel, 'provider' | 'modelId'>,
): JsonValue {
  const { signal: _signal, timeout: _timeout, headers: _headers, ...asked } = request;
  return toJson({ provider, modelId, request: asked });
}

/**
 * Canonical JSON: keys sorted, absent and `undefined` alike. Bytes become `{ "$bytes": base64 }` and
 * URLs `{ "$url": text }`.
 */
export function toJson(value: unknown): JsonValue {
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
  if (value instanceof URL) return { $url: value.href };
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, field]) => field !== undefined);
    const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([key, field]) => [key, toJson(field)]));
  }
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** SHA-256 of canonical JSON, in hexadecimal. */
export function hashOf(json: JsonValue): string {
  return createHash('sha256').update(JSON.stringify(json)).digest('hex');
}
