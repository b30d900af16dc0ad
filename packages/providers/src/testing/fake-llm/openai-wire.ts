import type { FinishReason } from '../../chat/events.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { fieldsOf, listOf, numberOf } from '../../json/fields.ts';
import { textsIn, type FakeWire } from './fake-wire.ts';
import { frame, type Frame } from './frames.ts';
import { refuseOpenAI } from './openai-errors.ts';
import { head, toDeltas, toMessage, toUsage } from './openai-message.ts';
import { base64Of } from './vectors.ts';

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
