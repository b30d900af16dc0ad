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
  withItem,
} from './response.ts';

type EventRow = readonly [name: string, answer: ServerAnswer, expected: Form['expected']];

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

/** Thoughts, calls, sources and sound, whole and in pieces. */
const ROWS: readonly EventRow[] = [
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

export const PIECE_FORMS: readonly Form[] = ROWS.map(([name, answer, expected]) => ({
  kind: 'the Responses API: events',
  wire: 'responses',
  name,
  answers: [answer],
  expected,
}));
