import type { Form, ServerAnswer } from '../form.ts';
import {
  begins,
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

/** Pieces of a text that come in another way, or not at all: the answer is the same. */
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
];

export const EVENT_FORMS: readonly Form[] = ROWS.map(([name, answer, expected]) => ({
  kind: 'the Responses API: events',
  wire: 'responses',
  name,
  answers: [answer],
  expected,
}));
