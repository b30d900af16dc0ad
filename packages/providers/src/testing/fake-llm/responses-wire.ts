import { fieldsOf, listOf } from '../../json/fields.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { Part } from '../../models/message.ts';
import { type FakeReply, type FakeUsage, piecesOf, toolInput } from './fake-answer.ts';
import { type FakeWire, frame, type Frame, textsIn } from './fake-wire.ts';
import { refuseOpenAI } from './openai-wire.ts';

/**
 * OpenAI's Responses API. A part with `meta.openai.item` is sent as that item, whole; so is the signature of a thought,
 * where the request includes `reasoning.encrypted_content`.
 */
export const responsesWire: FakeWire = {
  framing: 'sse',
  contentType: 'text/event-stream; charset=utf-8',
  isStream: (body) => body['stream'] === true,
  promptTexts: (body) => {
    const { input } = body;
    if (typeof input === 'string') return [input];
    return listOf(input).flatMap((item) => {
      const { content, output } = fieldsOf(item);
      return [...textsIn(content), ...textsIn(output)];
    });
  },
  contextLimit: (_body, tokens) => (tokens === undefined ? undefined : { tokens, isSilent: false }),

  frames(reply, { body }) {
    const counter = { events: 0 };
    const event = (type: Frame['type'], kind: string, fields: JsonObject): Frame =>
      frame(type, { type: kind, sequence_number: counter.events++, ...fields });
    const begun = response(reply, 'in_progress', []);
    const items = outputOf(reply, body);
    const last = response(reply, statusOf(reply), items);
    return [
      event('open', 'response.created', { response: begun }),
      event('open', 'response.in_progress', { response: begun }),
      ...items.flatMap((item, index) =>
        itemEvents(item, index, reply.chunkSize).map(([type, kind, fields]) =>
          event(type, kind, fields),
        ),
      ),
      event('close', `response.${statusOf(reply)}`, { response: last }),
    ];
  },

  whole: (reply) => response(reply, statusOf(reply), outputOf(reply, {})),
  models: () => ({ object: 'list', data: [] }),
  embeddingInput: () => ({ texts: [] }),
  embeddings: () => ({ object: 'list', data: [] }),
  refuse: refuseOpenAI,
  streamError: (message, code = 'server_error') => ({
    type: 'error',
    code,
    message,
    param: null,
    sequence_number: 0,
  }),
};

/** Returns the word for how an answer ended. */
function statusOf({ finishReason }: FakeReply): string {
  switch (finishReason) {
    case 'length':
    case 'content-filter':
      return 'incomplete';
    case 'error':
      return 'failed';
    default:
      return finishReason === 'unknown' ? 'unknown' : 'completed';
  }
}

function response(reply: FakeReply, status: string, output: readonly JsonObject[]): JsonObject {
  const isOver = status !== 'in_progress';
  const reason = reply.finishReason === 'length' ? 'max_output_tokens' : 'content_filter';
  return {
    id: `resp_fake_${reply.number}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status,
    error: status === 'failed' ? { code: 'server_error', message: 'The model failed.' } : null,
    incomplete_details: status === 'incomplete' ? { reason } : null,
    model: reply.model,
    output,
    usage: isOver && reply.usage ? toUsage(reply.usage) : null,
  };
}

/** Returns the items of an answer: pieces of text that follow each other are one message. */
function outputOf(reply: FakeReply, body: JsonObject): readonly JsonObject[] {
  const isSigned = listOf(body['include']).includes('reasoning.encrypted_content');
  return reply.parts.flatMap((part, index): readonly JsonObject[] => {
    const own = part.meta?.['openai']?.['item'];
    if (typeof own === 'object' && own !== null && !Array.isArray(own)) {
      return [Object.fromEntries(Object.entries(own))];
    }
    const id = `${reply.number}_${index}`;
    return itemOf(part, id, reply, isSigned);
  });
}

function itemOf(
  part: Part,
  id: string,
  reply: FakeReply,
  isSigned: boolean,
): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return [
        {
          id: `msg_fake_${id}`,
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: part.text, annotations: [], logprobs: [] }],
        },
      ];
    case 'reasoning':
      return [
        {
          id: `rs_fake_${id}`,
          type: 'reasoning',
          summary: part.text === '' ? [] : [{ type: 'summary_text', text: part.text }],
          ...(isSigned ? { encrypted_content: `signed-${id}` } : {}),
        },
      ];
    case 'tool-call':
      return [
        {
          id: `fc_fake_${id}`,
          type: 'function_call',
          status: 'completed',
          call_id: part.id,
          name: part.name,
          arguments: toolInput(part, reply.hasBadToolInput),
        },
      ];
    default:
      return [];
  }
}

type Event = readonly [type: Frame['type'], kind: string, fields: JsonObject];

/** Returns the events of an item, from its beginning to its end. */
function itemEvents(item: JsonObject, index: number, size: number): readonly Event[] {
  const at = { output_index: index, item_id: item['id'] ?? '' };
  const begins = (empty: JsonObject): Event => [
    'open',
    'response.output_item.added',
    { output_index: index, item: { ...item, status: 'in_progress', ...empty } },
  ];
  const ends: Event = ['open', 'response.output_item.done', { output_index: index, item }];
  const deltas = (kind: string, text: unknown, more: JsonObject): readonly Event[] =>
    piecesOf(typeof text === 'string' ? text : '', size).map((delta) => [
      'content',
      kind,
      { ...at, ...more, delta },
    ]);
  const first = (list: JsonValue | undefined): JsonObject => {
    const [one] = Array.isArray(list) ? list : [];
    return typeof one === 'object' && one !== null ? one : {};
  };
  switch (item['type']) {
    case 'message': {
      const part = first(item['content']);
      const { text = '' } = part;
      const more = { content_index: 0 };
      return [
        begins({ content: [] }),
        ['open', 'response.content_part.added', { ...at, ...more, part: { ...part, text: '' } }],
        ...deltas('response.output_text.delta', text, more),
        ['open', 'response.output_text.done', { ...at, ...more, text }],
        ['open', 'response.content_part.done', { ...at, ...more, part }],
        ends,
      ];
    }
    case 'reasoning': {
      const { text = '' } = first(item['summary']);
      const more = { summary_index: 0 };
      const part = { type: 'summary_text', text };
      if (text === '') return [begins({}), ends];
      return [
        begins({ summary: [] }),
        [
          'open',
          'response.reasoning_summary_part.added',
          { ...at, ...more, part: { ...part, text: '' } },
        ],
        ...deltas('response.reasoning_summary_text.delta', text, more),
        ['open', 'response.reasoning_summary_text.done', { ...at, ...more, text }],
        ['open', 'response.reasoning_summary_part.done', { ...at, ...more, part }],
        ends,
      ];
    }
    case 'function_call': {
      const { arguments: input = '' } = item;
      return [
        begins({ arguments: '' }),
        ...deltas('response.function_call_arguments.delta', input, {}),
        ['open', 'response.function_call_arguments.done', { ...at, arguments: input }],
        ends,
      ];
    }
    default:
      return [begins({}), ['content', ends[1], ends[2]]];
  }
}

/** Token counts in the words of the Responses API. */
function toUsage({ input, output, reasoning, cached, written }: FakeUsage): JsonObject {
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    output_tokens_details: { reasoning_tokens: reasoning },
  };
}
