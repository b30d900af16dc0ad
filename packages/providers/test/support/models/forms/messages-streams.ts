import { sse, type Expected, type ServerAnswer } from './form.ts';
import { begin, blockEvents, end, named } from './messages-events.ts';

/** A form, and what comes of it. */
export type MessagesRow = readonly [name: string, answer: ServerAnswer, expected: Expected];

const hello = { type: 'text', text: '猫だ。' };
const half = { type: 'text', text: 'half an' };

const raw = (text: string): ServerAnswer => ({
  headers: { 'content-type': 'text/event-stream' },
  body: text,
});
const unnamed = (text: string): string => text.replaceAll(/^event: .*\n/gm, '');
const all = (...blocks: readonly object[]): string =>
  begin() + blocks.map(blockEvents).join('') + end({ stop_reason: 'end_turn' });
const text: Expected = { text: '猫だ。', finish: 'stop' };
const failed = (type: string, said = 'boiler'): string =>
  named({ type: 'error', error: { type, message: said } });
const started =
  begin() +
  named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
  named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'half an' } });
const whole = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [hello],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

/** The forms of the event stream of an answer. */
export const MESSAGES_STREAMS: readonly MessagesRow[] = [
  ['events without names', raw(unnamed(all(hello))), text],
  [
    'events without names, and an error',
    raw(unnamed(started + failed('overloaded_error'))),
    { code: 'overloaded', partial: 'half an' },
  ],
  [
    'events without names, `[DONE]` at the end',
    raw(`${unnamed(all(hello))}data: [DONE]\n\n`),
    text,
  ],
  ['lines that end in CR LF', raw(all(hello).replaceAll('\n', '\r\n')), text],
  ['no space after the colon', raw(all(hello).replaceAll(/^(event|data): /gm, '$1:')), text],
  ['a byte order mark', raw(`\uFEFF${all(hello)}`), text],
  ['comments', raw(`: hello\n\n${all(hello).replaceAll('\n\n', '\n\n: alive\n\n')}`), text],
  [
    '`ping` first and between',
    raw(
      named({ type: 'ping' }) +
        all(hello).replaceAll(
          'event: content_block_stop',
          `event: ping\ndata: {"type":"ping"}\n\nevent: content_block_stop`,
        ),
    ),
    text,
  ],
  [
    'events of an unknown kind',
    raw(
      begin() +
        named({ type: 'weather', sky: 'blue' }) +
        blockEvents(hello) +
        end({ stop_reason: 'end_turn' }),
    ),
    text,
  ],
  ['the whole answer as JSON', { body: whole }, text],
  [
    'the whole answer as JSON, called a stream',
    { headers: { 'content-type': 'text/event-stream' }, body: JSON.stringify(whole) },
    text,
  ],
  [
    'the whole answer in `message_start`',
    sse(
      named({ type: 'message_start', message: { ...whole, stop_reason: null } }),
      end({ stop_reason: 'end_turn' }),
    ),
    text,
  ],
  [
    'an error as JSON with the status 200',
    { body: { type: 'error', error: { type: 'overloaded_error', message: 'boiler' } } },
    { code: 'overloaded', says: 'boiler' },
  ],
  [
    'an error before the first piece',
    raw(begin() + failed('overloaded_error')),
    { code: 'overloaded' },
  ],
  [
    '`overloaded_error` in the middle',
    raw(started + failed('overloaded_error', 'Overloaded')),
    { code: 'overloaded', partial: 'half an', isRetryable: true },
  ],
  [
    '`api_error` in the middle',
    raw(started + failed('api_error')),
    { code: 'server', says: 'boiler', partial: 'half an', isRetryable: true },
  ],
  [
    '`rate_limit_error` in the middle',
    raw(started + failed('rate_limit_error')),
    { code: 'rate_limit', partial: 'half an' },
  ],
  [
    '`timeout_error` in the middle',
    raw(started + failed('timeout_error')),
    { code: 'timeout', partial: 'half an' },
  ],
  [
    '`invalid_request_error` in the middle',
    raw(started + failed('invalid_request_error', 'prompt is too long: 3 tokens > 2 maximum')),
    { code: 'context_length', partial: 'half an' },
  ],
  [
    'an error that is plain text',
    raw(`${started}event: error\ndata: boiler on fire\n\n`),
    { code: 'server', says: 'boiler on fire', partial: 'half an' },
  ],
  [
    'events without an error, with `error: null`',
    raw(all(hello).replaceAll('data: {', 'data: {"error":null,')),
    text,
  ],
  [
    'events without names, with `error: null`',
    raw(unnamed(all(hello)).replaceAll('data: {', 'data: {"error":null,')),
    text,
  ],
  [
    'an error without a name among events with names',
    raw(`${started}data: {"error":{"type":"overloaded_error","message":"boiler"}}\n\n`),
    { code: 'overloaded', says: 'boiler', partial: 'half an' },
  ],
  ['no end', raw(started), { code: 'truncated', partial: 'half an', isRetryable: true }],
  [
    'no end after a whole block',
    raw(begin() + blockEvents(half)),
    { code: 'truncated', partial: 'half an' },
  ],
  [
    'no `message_stop`',
    raw(
      begin() +
        blockEvents(hello) +
        named({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} }),
    ),
    text,
  ],
  [
    'no `content_block_stop`',
    raw(started.replaceAll('half an', '猫だ。') + end({ stop_reason: 'end_turn' })),
    text,
  ],
  [
    'no `content_block_start`',
    raw(
      begin() +
        named({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'text_delta', text: '猫だ。' },
        }) +
        end({ stop_reason: 'end_turn' }),
    ),
    text,
  ],
  ['no `message_start`', raw(blockEvents(hello) + end({ stop_reason: 'end_turn' })), text],
  [
    'no counts',
    raw(
      named({ type: 'message_start', message: { id: 'm', model: 'm', content: [] } }) +
        blockEvents(hello) +
        named({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }),
    ),
    text,
  ],
  [
    'half a frame',
    raw(`${started}event: content_block_delta\ndata: {"type":"content_bl`),
    { code: 'truncated', partial: 'half an' },
  ],
  ['nothing', raw(''), { code: 'truncated' }],
];
