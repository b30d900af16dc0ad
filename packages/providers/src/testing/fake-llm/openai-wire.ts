import { createHash } from 'node:crypto';
import { fieldsOf, listOf, numberOf } from '../../json/fields.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { FinishReason } from '../../models/events.ts';
import { type Part, textOf } from '../../models/message.ts';
import { type FakeReply, type FakeUsage, piecesOf, toolInput } from './fake-answer.ts';
import { type FakeWire, frame, type Frame, textsIn } from './fake-wire.ts';
import { type Refusal, type RefusalBody, retryInfo, waitHint } from './refusal.ts';

const FINISH: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  error: 'error',
  unknown: 'unknown',
};

/**
 * OpenAI Chat Completions and Embeddings, and what servers that are compatible with them add.
 *
 * @param reasoningField - The field of a message that holds reasoning.
 */
export function openaiWire(reasoningField: string): FakeWire {
  return {
    framing: 'sse',
    contentType: 'text/event-stream; charset=utf-8',
    isStream: (body) => body['stream'] === true,
    promptTexts: (body) =>
      listOf(body['messages']).flatMap((message) => textsIn(fieldsOf(message)['content'])),
    contextLimit: (_body, tokens) =>
      tokens === undefined ? undefined : { tokens, isSilent: false },

    frames(reply, { body }) {
      const hasUsage = fieldsOf(body['stream_options'])['include_usage'] === true && reply.usage;
      const chunk = (rest: JsonObject): JsonObject => ({
        ...head(reply, 'chat.completion.chunk'),
        ...rest,
      });
      const choice = (type: Frame['type'], delta: JsonObject, reason: string | null): Frame =>
        frame(
          type,
          chunk({
            choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
            ...(hasUsage ? { usage: null } : {}),
          }),
        );
      return [
        choice('open', { role: 'assistant', content: '' }, null),
        ...toDeltas(reply, reasoningField).map((delta) => choice('content', delta, null)),
        choice('close', {}, FINISH[reply.finishReason]),
        ...(hasUsage ? [frame('close', chunk({ choices: [], usage: toUsage(hasUsage) }))] : []),
        { type: 'close', data: '[DONE]' },
      ];
    },

    whole: (reply) => ({
      ...head(reply, 'chat.completion'),
      choices: [
        {
          index: 0,
          message: toMessage(reply, reasoningField),
          logprobs: null,
          finish_reason: FINISH[reply.finishReason],
        },
      ],
      ...(reply.usage ? { usage: toUsage(reply.usage) } : {}),
    }),

    models(ids, model) {
      const entry = (id: string): JsonObject => ({
        id,
        object: 'model',
        created: 1_700_000_000,
        owned_by: 'fake',
      });
      return model === '' ? { object: 'list', data: ids.map(entry) } : entry(model);
    },

    embeddingInput: (body) => ({
      texts: textsIn(body['input']),
      dimensions: numberOf(body['dimensions']),
      isBase64: body['encoding_format'] === 'base64',
    }),

    embeddings: ({ model, vectors, tokens, isBase64 }) => ({
      object: 'list',
      data: vectors.map(({ index, vector }) => ({
        object: 'embedding',
        index,
        embedding: isBase64 ? base64Of(vector) : Array.from(vector),
      })),
      model,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    }),

    refuse: refuseOpenAI,
    streamError: (message, code = 'server_error') => ({
      error: { message, type: 'server_error', param: null, code },
    }),
  };
}

/** Returns a refusal in the words of OpenAI: `{ error: { message, type, param, code } }`. */
export function refuseOpenAI(refusal: Refusal): RefusalBody {
  switch (refusal.type) {
    case 'key': {
      const message = refusal.isMissing
        ? "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth."
        : 'Incorrect API key provided: wrong. You can find your API key in your account settings.';
      return error(401, message, { code: refusal.isMissing ? null : 'invalid_api_key' });
    }
    case 'model':
      return error(
        404,
        `The model \`${refusal.model}\` does not exist or you do not have access to it.`,
        { code: 'model_not_found' },
      );
    case 'field':
      return error(
        400,
        `Unsupported parameter: '${refusal.field}' is not supported with this model.`,
        { code: 'unsupported_parameter', param: refusal.field },
      );
    case 'context':
      return error(
        400,
        `This model's maximum context length is ${refusal.limit} tokens. However, your messages resulted in ${refusal.tokens} tokens. Please reduce the length of the messages.`,
        { code: 'context_length_exceeded', param: 'messages' },
      );
    case 'quota':
      return error(
        429,
        'You exceeded your current quota, please check your plan and billing details.',
        { code: 'insufficient_quota', type: 'insufficient_quota' },
      );
    case 'rate-limit': {
      const details = retryInfo(refusal);
      return error(
        429,
        `Rate limit reached for ${refusal.model} on requests per min (RPM): Limit 3, Used 3, Requested 1.${waitHint(refusal, 'try again')}`,
        {
          code: 'rate_limit_exceeded',
          type: 'requests',
          ...(details.length === 0 ? {} : { details }),
        },
      );
    }
    default: {
      const type = refusal.status >= 500 ? 'server_error' : 'invalid_request_error';
      return error(refusal.status, refusal.message, { type });
    }
  }
}

function error(status: number, message: string, rest: JsonObject): RefusalBody {
  const known = { message, type: 'invalid_request_error', param: null, code: null };
  return { status, body: { error: { ...known, ...rest } } };
}

/** Returns the deltas of a streamed message: of its text, its reasoning and its tool calls. */
function toDeltas(reply: FakeReply, reasoningField: string): readonly JsonObject[] {
  let calls = 0;
  return reply.parts.flatMap((part): readonly JsonObject[] => {
    if (part.type === 'tool-call') {
      const index = calls++;
      const { id, name } = part;
      const start = { index, id, type: 'function', function: { name, arguments: '' } };
      const input = piecesOf(toolInput(part, reply.hasBadToolInput), reply.chunkSize);
      return [
        { tool_calls: [start] },
        ...input.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ];
    }
    if (part.type !== 'text' && part.type !== 'reasoning') return [];
    const field = part.type === 'text' ? 'content' : reasoningField;
    return piecesOf(part.text, reply.chunkSize).map((piece) => ({ [field]: piece }));
  });
}

/** Returns the fields that all answers begin with. */
function head({ number, model }: FakeReply, object: string): JsonObject {
  const created = Math.floor(Date.now() / 1000);
  return { id: `chatcmpl-fake-${number}`, object, created, model };
}

/** Returns a message as a whole. */
function toMessage({ parts, hasBadToolInput }: FakeReply, reasoningField: string): JsonObject {
  const text = textOf(parts);
  const reasoning = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  const calls = parts.flatMap((part: Part) =>
    part.type === 'tool-call'
      ? [
          {
            id: part.id,
            type: 'function',
            function: { name: part.name, arguments: toolInput(part, hasBadToolInput) },
          },
        ]
      : [],
  );
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning === '' ? {} : { [reasoningField]: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** Token counts in the words of OpenAI. */
function toUsage({ input, output, reasoning, cached, written }: FakeUsage): JsonObject {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

/**
 * Returns a vector of length 1 for each text: the same text always has the same one, and different texts
 * have different ones. Nothing is known of meaning.
 */
export function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, (_, dimension) => {
    const hash = createHash('sha256').update(`${dimension} ${text}`).digest();
    return hash.readInt32LE() / 2 ** 31;
  });
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Returns the bytes of a vector (32-bit floats, little endian) in base64, as OpenAI sends them. */
function base64Of(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [dimension, value] of vector.entries()) bytes.writeFloatLE(value, dimension * 4);
  return bytes.toString('base64');
}
