import type { Form, ServerAnswer } from '../form.ts';
import {
  begins,
  callOf,
  created,
  done,
  ends,
  events,
  message,
  piece,
  response,
  withItem,
} from './response.ts';

type EventRow = readonly [name: string, answer: ServerAnswer, expected: Form['expected']];

const item = message('はい。');
const text = { text: 'はい。', finish: 'stop', parts: [{ type: 'text', text: 'はい。' }] } as const;
const args = '{"city":"X"}';
const one = {
  finish: 'tool-calls',
  parts: [{ type: 'tool-call', id: 'call_1', name: 'w', input: { city: 'X' } }],
} as const;
const argsPiece = (delta: unknown, more: object = {}): object => ({
  type: 'response.function_call_arguments.delta',
  output_index: 0,
  item_id: 'fc_1',
  delta,
  ...more,
});
const summary = (delta: string, more: object = {}): object => ({
  type: 'response.reasoning_summary_text.delta',
  output_index: 0,
  item_id: 'rs_1',
  summary_index: 0,
  delta,
  ...more,
});
const thoughts = (...texts: readonly string[]): object => ({
  id: 'rs_1',
  type: 'reasoning',
  summary: texts.map((each) => ({ type: 'summary_text', text: each })),
  encrypted_content: 'gAAA',
});
const reasoning = [
  {
    type: 'reasoning',
    text: '考える。',
    meta: { openai: { item: { encrypted_content: 'gAAA' } } },
  },
];

/** Pieces that come in another way, or not at all: the answer is the same. */
const ROWS: readonly EventRow[] = [
  [
    'all events',
    events(
      created,
      begins({ ...item, content: [] }),
      piece('は'),
      piece('い。'),
      done(item),
      ends({ output: [item] }),
    ),
    text,
  ],
  ['pieces and the end only', events(piece('は'), piece('い。'), ends()), text],
  [
    'no pieces, `output_text.done`',
    events(
      created,
      begins({ ...item, content: [] }),
      { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'はい。' },
      ends(),
    ),
    text,
  ],
  [
    'no pieces, `content_part.done`',
    events(
      created,
      {
        type: 'response.content_part.done',
        output_index: 0,
        content_index: 0,
        part: { type: 'output_text', text: 'はい。' },
      },
      ends(),
    ),
    text,
  ],
  ['no pieces, `output_item.done`', events(created, done(item), ends()), text],
  ['the end only', events(ends({ output: [item] })), text],
  [
    'the last piece missing',
    events(
      created,
      begins({ ...item, content: [] }),
      piece('は'),
      done(item),
      ends({ output: [item] }),
    ),
    text,
  ],
  [
    'an empty `output` at the end',
    events(created, piece('はい。'), done(item), ends({ output: [] })),
    text,
  ],
  [
    'another id with each event (GitHub Copilot)',
    events(
      created,
      begins({ ...item, id: 'a', content: [] }),
      piece('は', { item_id: 'b' }),
      piece('い。', { item_id: 'c' }),
      done({ ...item, id: 'd' }),
      ends({ output: [{ ...item, id: 'e' }] }),
    ),
    text,
  ],
  [
    'no places',
    events(
      created,
      { type: 'response.output_item.added', item },
      { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'はい。' },
      { type: 'response.output_item.done', item },
      ends({ output: [item] }),
    ),
    text,
  ],
  [
    'no lines for the kinds',
    {
      headers: { 'content-type': 'text/event-stream' },
      body: [created, piece('はい。'), ends()]
        .map((event) => `data: ${JSON.stringify(event)}\n\n`)
        .join(''),
    },
    text,
  ],
  [
    '`[DONE]` after the end',
    {
      headers: { 'content-type': 'text/event-stream' },
      body:
        [created, piece('はい。'), ends()]
          .map((event) => `data: ${JSON.stringify(event)}\n\n`)
          .join('') + 'data: [DONE]\n\n',
    },
    text,
  ],
  [
    '`keepalive` events',
    events(
      { type: 'keepalive', sequence_number: 0 },
      created,
      { type: 'keepalive' },
      piece('はい。'),
      ends(),
    ),
    text,
  ],
  [
    'a kind of tomorrow',
    events(created, { type: 'response.dream.delta', delta: 'x' }, piece('はい。'), ends()),
    text,
  ],
  [
    'the end under a name of tomorrow',
    events(created, piece('はい。'), { type: 'response.done', response: response() }),
    text,
  ],
  [
    'noise against observers (`obfuscation`)',
    events(created, piece('はい。', { obfuscation: 'xyz', logprobs: [] }), ends()),
    text,
  ],
  [
    '`queued` first',
    events(
      { type: 'response.queued', response: response({ status: 'queued', usage: null }) },
      piece('はい。'),
      ends(),
    ),
    text,
  ],
  ['a whole answer', { body: response({ output: [item] }) }, text],
  [
    'a whole answer without `object`',
    { body: { ...response({ output: [item] }), object: undefined } },
    text,
  ],
  [
    'a whole answer in the media type of a stream',
    { headers: { 'content-type': 'text/event-stream' }, body: response({ output: [item] }) },
    text,
  ],
  [
    'a content that is a text',
    { body: response({ output: [{ type: 'message', role: 'assistant', content: 'はい。' }] }) },
    text,
  ],
  [
    'two texts of a message',
    withItem({
      ...item,
      content: [
        { type: 'output_text', text: 'は' },
        { type: 'output_text', text: 'い。' },
      ],
    }),
    {
      text: 'はい。',
      parts: [
        { type: 'text', text: 'は' },
        { type: 'text', text: 'い。' },
      ],
    },
  ],
  [
    'a comment before the answer (`phase`)',
    events(
      created,
      done({ ...message('調べる。'), phase: 'commentary' }, 0),
      done({ ...message('はい。'), id: 'msg_2', phase: 'final_answer' }, 1),
      ends(),
    ),
    {
      text: '調べる。はい。',
      parts: [
        { type: 'text', meta: { openai: { phase: 'commentary' } } },
        { type: 'text', meta: { openai: { phase: 'final_answer' } } },
      ],
    },
  ],
  [
    'a refusal in pieces',
    events(
      created,
      { type: 'response.refusal.delta', output_index: 0, content_index: 0, delta: 'いい' },
      { type: 'response.refusal.delta', output_index: 0, content_index: 0, delta: 'え。' },
      { type: 'response.refusal.done', output_index: 0, content_index: 0, refusal: 'いいえ。' },
      ends(),
    ),
    { text: 'いいえ。', finish: 'content-filter' },
  ],
  [
    'a refusal as a whole',
    withItem({ ...item, content: [{ type: 'refusal', refusal: 'いいえ。' }] }),
    { text: 'いいえ。', finish: 'content-filter' },
  ],
  [
    '`<think>` in a text',
    events(created, piece('<think>考える。</think>はい。'), ends()),
    { text: 'はい。', reasoning: '考える。' },
  ],
  [
    'a summary of thoughts',
    events(
      created,
      begins({ id: 'rs_1', type: 'reasoning', summary: [] }),
      summary('考え'),
      summary('る。'),
      done(thoughts('考える。')),
      ends(),
    ),
    { reasoning: '考える。', parts: reasoning },
  ],
  [
    'a summary at the end only',
    withItem(thoughts('考える。')),
    { reasoning: '考える。', parts: reasoning },
  ],
  [
    'a summary of two parts',
    events(
      created,
      summary('一。'),
      summary('二。', { summary_index: 1 }),
      done(thoughts('一。', '二。')),
      ends(),
    ),
    { reasoning: '一。\n\n二。' },
  ],
  [
    'thoughts that are only signed',
    withItem(thoughts()),
    {
      reasoning: '',
      parts: [
        {
          type: 'reasoning',
          text: '',
          meta: { openai: { item: { id: 'rs_1', encrypted_content: 'gAAA' } } },
        },
      ],
    },
  ],
  [
    'thoughts in full (gpt-oss)',
    events(
      created,
      {
        type: 'response.reasoning_text.delta',
        output_index: 0,
        content_index: 0,
        item_id: 'rs_1',
        delta: '考える。',
      },
      done({
        id: 'rs_1',
        type: 'reasoning',
        summary: [],
        content: [{ type: 'reasoning_text', text: '考える。' }],
      }),
      ends(),
    ),
    {
      reasoning: '考える。',
      parts: [
        {
          type: 'reasoning',
          meta: { openai: { item: { content: [{ type: 'reasoning_text' }] } } },
        },
      ],
    },
  ],
  [
    'thoughts in full and their summary',
    withItem({
      id: 'rs_1',
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: '要約。' }],
      content: [{ type: 'reasoning_text', text: '考える。' }],
    }),
    { reasoning: '考える。' },
  ],
  [
    'a call in pieces',
    events(
      created,
      begins(callOf('')),
      argsPiece('{"ci'),
      argsPiece('ty":"X"}'),
      done(callOf(args)),
      ends(),
    ),
    one,
  ],
  [
    'a call, its arguments at once',
    events(
      created,
      begins(callOf('')),
      { type: 'response.function_call_arguments.done', output_index: 0, arguments: args },
      ends(),
    ),
    one,
  ],
  [
    'a call without its beginning',
    events(created, argsPiece(args), done(callOf(args)), ends()),
    one,
  ],
  ['a call at the end only', events(created, ends({ output: [callOf(args)] })), one],
  ['arguments as an object', withItem(callOf({ city: 'X' })), one],
  ['arguments in JSON twice', withItem(callOf(JSON.stringify(args))), one],
  [
    'a call without `call_id`',
    withItem(callOf(args, { call_id: undefined })),
    { parts: [{ type: 'tool-call', id: 'fc_1', name: 'w' }] },
  ],
  ['no arguments', withItem(callOf('')), { parts: [{ type: 'tool-call', input: {} }] }],
  [
    'two calls, their pieces mixed',
    events(
      created,
      begins(callOf('')),
      begins(callOf('', { id: 'fc_2', call_id: 'call_2', name: 'v' }), 1),
      argsPiece('{"a"'),
      argsPiece('{"b"', { output_index: 1 }),
      argsPiece(':1}'),
      argsPiece(':2}', { output_index: 1 }),
      ends(),
    ),
    {
      finish: 'tool-calls',
      parts: [
        { type: 'tool-call', id: 'call_1', input: { a: 1 } },
        { type: 'tool-call', id: 'call_2', name: 'v', input: { b: 2 } },
      ],
    },
  ],
  ['broken arguments', withItem(callOf('{city: Kyoto}')), { code: 'output_parse' }],
  [
    'half a call, cut by the limit',
    events(
      created,
      begins(callOf('')),
      argsPiece('{"ci'),
      ends({ incomplete_details: { reason: 'max_output_tokens' } }, 'incomplete'),
    ),
    { finish: 'length', parts: [] },
  ],
  [
    'a citation in an event',
    events(
      created,
      piece('はい。'),
      {
        type: 'response.output_text.annotation.added',
        output_index: 0,
        content_index: 0,
        annotation: {
          type: 'url_citation',
          url: 'https://example.com/a',
          title: 't',
          start_index: 0,
          end_index: 2,
        },
      },
      ends(),
    ),
    { parts: [{ type: 'text' }, { type: 'source', url: 'https://example.com/a', title: 't' }] },
  ],
  [
    'a citation in the item, and again in an event',
    events(
      created,
      piece('はい。'),
      {
        type: 'response.output_text.annotation.added',
        output_index: 0,
        annotation: { type: 'url_citation', url: 'https://example.com/a', title: 't' },
      },
      done(
        message('はい。', {
          annotations: [{ type: 'url_citation', url: 'https://example.com/a', title: 't' }],
        }),
      ),
      ends(),
    ),
    { parts: [{ type: 'text' }, { type: 'source', url: 'https://example.com/a' }] },
  ],
  [
    'a citation of a file',
    withItem(
      message('はい。', {
        annotations: [{ type: 'file_citation', file_id: 'f', filename: 'a.pdf', index: 2 }],
      }),
    ),
    { parts: [{ type: 'text' }, { type: 'source', title: 'a.pdf' }] },
  ],
  [
    'a citation of a file in a container',
    withItem(
      message('はい。', {
        annotations: [
          {
            type: 'container_file_citation',
            container_id: 'c',
            file_id: 'f',
            filename: 'b.csv',
            start_index: 0,
            end_index: 1,
          },
        ],
      }),
    ),
    { parts: [{ type: 'text' }, { type: 'source', title: 'b.csv' }] },
  ],
  [
    'the path of a file',
    withItem(
      message('はい。', { annotations: [{ type: 'file_path', file_id: 'file-1', index: 0 }] }),
    ),
    { parts: [{ type: 'text' }, { type: 'source', title: 'file-1' }] },
  ],
  [
    'sound',
    events(
      created,
      { type: 'response.audio.transcript.delta', delta: 'はい。' },
      { type: 'response.audio.delta', delta: 'AAAA' },
      { type: 'response.audio.delta', delta: 'AAAA' },
      ends(),
    ),
    { text: 'はい。', parts: [{ type: 'text' }, { type: 'file', mediaType: 'audio/pcm' }] },
  ],
];

export const EVENT_FORMS: readonly Form[] = ROWS.map(([name, answer, expected]) => ({
  kind: 'the Responses API: events',
  wire: 'responses',
  name,
  answers: [answer],
  expected,
}));
