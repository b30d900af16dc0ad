import { fieldsOf, listOf } from '../../json/fields.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { FinishReason } from '../../models/events.ts';
import type { Part, ToolCallPart } from '../../models/message.ts';
import { type FakeReply, type FakeUsage, lengthOf, piecesOf, toolInput } from './fake-answer.ts';
import { type FakeWire, frame, type Frame, textsIn } from './fake-wire.ts';
import { retryInfo, waitHint, type Refusal, type RefusalBody } from './refusal.ts';

const STOP_REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
  error: 'error',
  unknown: 'unknown',
};

/** Anthropic's Messages, the counting of their tokens, and the list of models. */
export const anthropicWire: FakeWire = {
  framing: 'named-sse',
  contentType: 'text/event-stream; charset=utf-8',
  isStream: (body) => body['stream'] === true,
  promptTexts: (body) => [
    ...textsIn(body['system']),
    ...listOf(body['messages']).flatMap((message) => textsIn(fieldsOf(message)['content'])),
  ],
  contextLimit: (_body, tokens) => (tokens === undefined ? undefined : { tokens, isSilent: false }),

  frames(reply) {
    const blocks = blocksOf(reply);
    return [
      frame('open', { type: 'message_start', message: { ...head(reply), ...unfinished(reply) } }),
      ...blocks.flatMap((each, index) => each.frames(index)),
      frame('close', {
        type: 'message_delta',
        delta: {
          stop_reason: STOP_REASONS[reply.finishReason],
          stop_sequence: null,
          stop_details: null,
        },
        ...(reply.usage ? { usage: usageOf(reply.usage) } : {}),
      }),
      frame('close', { type: 'message_stop' }),
    ];
  },

  whole: (reply) => ({
    ...head(reply),
    content: blocksOf(reply).map(({ whole }) => whole),
    stop_reason: STOP_REASONS[reply.finishReason],
    stop_sequence: null,
    stop_details: null,
    ...(reply.usage ? { usage: usageOf(reply.usage) } : {}),
  }),

  models(ids, model, contextLength) {
    const entry = (id: string): JsonObject => ({
      type: 'model',
      id,
      display_name: id,
      created_at: '2026-01-01T00:00:00Z',
      max_input_tokens: contextLength,
      max_tokens: 64_000,
      capabilities: null,
    });
    if (model !== '') return entry(model);
    const [first = null, last = null] = [ids[0], ids.at(-1)];
    return { data: ids.map(entry), has_more: false, first_id: first, last_id: last };
  },

  embeddingInput: () => ({ texts: [] }),
  embeddings: () => ({}),
  count: (tokens) => ({ input_tokens: tokens }),
  refuse: refuseAnthropic,
  streamError: (message, code = 'api_error') => error(String(code), message),
};

/** A block of content: whole, and in the pieces of a stream. */
interface Block {
  readonly whole: JsonObject;
  frames(index: number): readonly Frame[];
}

function blocksOf(reply: FakeReply): readonly Block[] {
  return reply.parts.flatMap((part) => blockOf(part, reply) ?? []);
}

function blockOf(part: Part, reply: FakeReply): Block | undefined {
  const { chunkSize } = reply;
  switch (part.type) {
    case 'text':
      return block(
        { type: 'text', text: part.text },
        { text: '' },
        piecesOf(part.text, chunkSize).map((text) => ({ type: 'text_delta', text })),
      );
    case 'reasoning': {
      const signature = `sig-${lengthOf(part.text)}`;
      return block(
        { type: 'thinking', thinking: part.text, signature },
        { thinking: '', signature: '' },
        [
          ...piecesOf(part.text, chunkSize).map((text) => ({
            type: 'thinking_delta',
            thinking: text,
          })),
          { type: 'signature_delta', signature },
        ],
      );
    }
    case 'tool-call':
      return callBlock(part, reply);
    default:
      return undefined;
  }
}

function callBlock(part: ToolCallPart, { hasBadToolInput, chunkSize }: FakeReply): Block {
  const { id, name, input } = part;
  return block(
    { type: 'tool_use', id, name, input },
    { input: {} },
    piecesOf(toolInput(part, hasBadToolInput), chunkSize).map((piece) => ({
      type: 'input_json_delta',
      partial_json: piece,
    })),
  );
}

/** @param empty - The fields that a stream begins with instead. */
function block(whole: JsonObject, empty: JsonObject, deltas: readonly JsonObject[]): Block {
  return {
    whole,
    frames: (index) => [
      frame('open', {
        type: 'content_block_start',
        index,
        content_block: { ...whole, ...empty },
      }),
      ...deltas.map((delta) => frame('content', { type: 'content_block_delta', index, delta })),
      frame('open', { type: 'content_block_stop', index }),
    ],
  };
}

/** Returns the fields that all answers begin with. */
function head({ number, model }: FakeReply): JsonObject {
  return { type: 'message', id: `msg_fake_${number}`, role: 'assistant', model };
}

/** Returns a message before it has said anything. */
function unfinished({ usage }: FakeReply): JsonObject {
  return {
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...(usage ? { usage: { ...usageOf(usage), output_tokens: 1 } } : {}),
  };
}

/** Token counts in the words of Anthropic: what the cache gave is counted apart. */
function usageOf({ input, output, reasoning, cached }: FakeUsage): JsonObject {
  return {
    input_tokens: input - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: output,
    output_tokens_details: { thinking_tokens: reasoning },
  };
}

/** Returns a refusal in the words of Anthropic: `{ type: 'error', error: { type, message } }`. */
function refuseAnthropic(refusal: Refusal): RefusalBody {
  switch (refusal.type) {
    case 'key':
      return refused(
        401,
        'authentication_error',
        refusal.isMissing ? 'x-api-key header is required' : 'invalid x-api-key',
      );
    case 'model':
      return refused(404, 'not_found_error', `model: ${refusal.model}`);
    case 'field':
      return refused(
        400,
        'invalid_request_error',
        `${refusal.field}: Extra inputs are not permitted`,
      );
    case 'context':
      return refused(
        400,
        'invalid_request_error',
        `prompt is too long: ${refusal.tokens} tokens > ${refusal.limit} maximum`,
      );
    case 'quota':
      return refused(
        400,
        'invalid_request_error',
        'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
      );
    case 'rate-limit': {
      const details = retryInfo(refusal);
      return refused(
        429,
        'rate_limit_error',
        `This request would exceed the rate limit for your organization of 50 requests per minute.${waitHint(refusal, 'try again')}`,
        details.length === 0 ? {} : { details },
      );
    }
    default:
      return refused(refusal.status, TYPES[refusal.status] ?? 'api_error', refusal.message);
  }
}

/** Source: https://docs.claude.com/en/api/errors */
const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

function refused(
  status: number,
  type: string,
  message: string,
  more: JsonObject = {},
): RefusalBody {
  return { status, body: error(type, message, more) };
}

function error(type: string, message: string, more: JsonObject = {}): JsonObject {
  const inner: JsonValue = { type, message, ...more };
  return { type: 'error', error: inner, request_id: 'req_fake' };
}
