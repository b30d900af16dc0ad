import { createHash } from 'node:crypto';
import { abortedError } from '../adapter-kit/limits.ts';
import { canonicalJson } from '../json/canonical-json.ts';
import { isRecord } from '../json/fields.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { ChatModel } from '../models/chat-model.ts';
import { ChatCollector, outputOf } from '../models/collect.ts';
import type { ChatEvent, FinishReason } from '../models/events.ts';
import { LLM_ERROR_CODES, LLMError, type LLMErrorCode } from '../models/llm-error.ts';
import type { Part } from '../models/message.ts';
import type { ChatRequest } from '../models/request.ts';

/** Makes events of what `canonicalJson` made of them; `undefined` if any of them is none. */
export function eventsFromJson(json: unknown): readonly ChatEvent[] | undefined {
  if (!Array.isArray(json)) return undefined;
  const events = json.map(revive);
  return events.every(isChatEvent) ? events : undefined;
}

/** Whether events are a whole answer: from `start` to `finish`. */
export function isWhole(events: readonly ChatEvent[]): boolean {
  return events[0]?.type === 'start' && events.at(-1)?.type === 'finish';
}

/** Bytes and URLs stand only in parts of the type `file`; elsewhere it is JSON that looks so. */
function revive(event: unknown): unknown {
  if (!isRecord(event) || !isRecord(event['part'])) return event;
  const { part } = event;
  if (part['type'] !== 'file' || !isRecord(part['data'])) return event;
  const { $bytes: bytes, $url: url } = part['data'];
  if (typeof bytes === 'string') {
    return { ...event, part: { ...part, data: new Uint8Array(Buffer.from(bytes, 'base64')) } };
  }
  if (typeof url !== 'string' || !URL.canParse(url)) return event;
  return { ...event, part: { ...part, data: new URL(url) } };
}

const REASONS: Readonly<Record<FinishReason, true>> = {
  stop: true,
  length: true,
  'tool-calls': true,
  'content-filter': true,
  error: true,
  unknown: true,
};

function isChatEvent(value: unknown): value is ChatEvent {
  if (!isRecord(value)) return false;
  switch (value['type']) {
    case 'start':
      return Array.isArray(value['warnings']) && value['warnings'].every(isRecord);
    case 'text-delta':
    case 'reasoning-delta':
      return isIndex(value['index']) && hasStrings(value, 'text');
    case 'tool-call-delta':
      return isIndex(value['index']) && hasStrings(value, 'id', 'name', 'inputDelta');
    case 'part':
      return isIndex(value['index']) && isPart(value['part']);
    case 'finish':
      return hasStrings(value, 'reason') && isReason(value['reason']) && isRecord(value['usage']);
    default:
      return false;
  }
}

function isPart(value: unknown): value is Part {
  if (!isRecord(value)) return false;
  switch (value['type']) {
    case 'text':
    case 'reasoning':
      return hasStrings(value, 'text');
    case 'file':
      return (
        hasStrings(value, 'mediaType') &&
        (value['data'] instanceof Uint8Array || value['data'] instanceof URL)
      );
    case 'tool-call':
      return hasStrings(value, 'id', 'name') && 'input' in value;
    case 'tool-result':
      return hasStrings(value, 'id', 'name') && 'output' in value;
    case 'source':
      return ['url', 'title', 'text'].every((key) => !(key in value) || hasStrings(value, key));
    default:
      return false;
  }
}

function isIndex(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isReason(value: unknown): boolean {
  return typeof value === 'string' && Object.hasOwn(REASONS, value);
}

function hasStrings(value: Readonly<Record<string, unknown>>, ...keys: readonly string[]): boolean {
  return keys.every((key) => typeof value[key] === 'string');
}

/** Streams events that came earlier; the request's signal stops it as it stops a model. */
export async function* replayEvents(
  events: readonly ChatEvent[],
  { signal }: ChatRequest,
): AsyncGenerator<ChatEvent> {
  const collector = new ChatCollector();
  for (const event of events) {
    if (signal?.aborted) throw abortedError(signal, outputOf(collector));
    collector.add(event);
    yield event;
  }
}

/** The parts of an error that another run can use. */
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
