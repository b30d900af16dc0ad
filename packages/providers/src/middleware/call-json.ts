import { createHash } from 'node:crypto';
import type { ChatModel } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/request.ts';
import { canonicalJson } from '../json/canonical-json.ts';
import type { JsonValue } from '../json/json-value.ts';

/**
 * What a call asks of a model, as JSON: without the signal, the time limits and the headers, which
 * do not change the answer.
 */
export function callToJson(
  request: ChatRequest,
  { provider, modelId }: Pick<ChatModel, 'provider' | 'modelId'>,
): JsonValue {
  const { signal: _signal, timeout: _timeout, headers: _headers, ...asked } = request;
  return canonicalJson({ provider, modelId, request: asked });
}

/** SHA-256 of canonical JSON, in hexadecimal. */
export function hashOf(json: JsonValue): string {
  return createHash('sha256').update(JSON.stringify(json)).digest('hex');
}
