import { canonicalJson } from '../json/canonical-json.ts';
import { ChatCollector } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/events.ts';
import { LLM_ERROR_CODES } from '../chat/llm-error-codes.ts';
import { LLMError, type LLMErrorCode } from '../chat/llm-error.ts';
import type { JsonValue } from '../json/json-value.ts';
import { isRecord } from '../json/fields.ts';
import { outputOf } from './output-of.ts';

/** What of an error another run can use. */
export function errorToJson(error: LLMError): JsonValue {
  const { code, message, provider, modelId, status, retryAfterMs } = error;
  const { outputStarted, isRetryable } = error;
  const known = { code, message, provider, modelId, status, retryAfterMs };
  return canonicalJson({ ...known, outputStarted, isRetryable });
}

/**
 * Makes an error of what {@link errorToJson} made of it; `undefined` if it is none.
 *
 * @param events - What had come before it.
 */
export function errorFromJson(json: unknown, events: readonly ChatEvent[]): LLMError | undefined {
  if (!isRecord(json) || !isCode(json['code']) || typeof json['message'] !== 'string') {
    return undefined;
  }
  const { provider, modelId, status, retryAfterMs, isRetryable } = json;
  const collector = new ChatCollector();
  for (const event of events) collector.add(event);
  return new LLMError(json['code'], json['message'], {
    ...(typeof provider === 'string' ? { provider } : {}),
    ...(typeof modelId === 'string' ? { modelId } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof retryAfterMs === 'number' ? { retryAfterMs } : {}),
    ...(typeof isRetryable === 'boolean' ? { isRetryable } : {}),
    outputStarted: json['outputStarted'] === true || collector.hasOutput,
    ...outputOf(collector),
  });
}

function isCode(value: unknown): value is LLMErrorCode {
  return typeof value === 'string' && LLM_ERROR_CODES.some((code) => code === value);
}
