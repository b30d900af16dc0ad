import type { FinishReason, LLMErrorCode } from '@vizprompt/providers';
import type { Expected, Form, ServerAnswer } from './form.ts';
import { MESSAGES_CALLS, MESSAGES_CONTENT } from './messages-content.ts';
import { MESSAGES_REFUSED } from './messages-refused.ts';
import { message } from './messages-events.ts';
import { MESSAGES_STREAMS, type MessagesRow } from './messages-streams.ts';
import { MESSAGES_WORDS } from './messages-words.ts';

const wire = 'anthropic';
const half = { type: 'text', text: 'half an' };

const ENDS: readonly (readonly [
  word: string | null,
  becomes: FinishReason | `!${LLMErrorCode}`,
])[] = [
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
  // Servers of others that speak the protocol.
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
  ['sensitive', 'content-filter'],
  ['error', '!server'],
  ['abort', '!server'],
  ['insufficient_system_resource', '!overloaded'],
  ['a word of 2027', '!truncated'],
  [null, '!truncated'],
];

const FINISH: readonly Form[] = ENDS.map(([word, becomes]) => ({
  kind: 'Messages: the end of an answer',
  wire,
  name: word === null ? 'none' : `\`${word}\``,
  answers: [message([half], { stop_reason: word })],
  expected: becomes.startsWith('!')
    ? { code: becomes.slice(1) as LLMErrorCode, partial: 'half an' }
    : { finish: becomes as FinishReason, text: 'half an' },
}));

const RETRYABLE: ReadonlySet<string> = new Set(['rate_limit', 'overloaded', 'server', 'timeout']);

const WORDS: readonly Form[] = Object.entries(MESSAGES_WORDS).flatMap(([code, rows]) =>
  rows.map(([server, status, type, sentence]) => ({
    kind: 'Messages: refusals and their meaning',
    wire,
    name: `${server}: \`${code}\``,
    answers: [
      { status, body: { type: 'error', error: { type, message: sentence }, request_id: 'r' } },
    ],
    expected: {
      code: code as LLMErrorCode,
      says: sentence.slice(0, 20).replace(/\.$/, ''),
      isRetryable: RETRYABLE.has(code),
      requests: 1,
    },
  })),
);

const refused = (body: string | object, headers: object = {}): ServerAnswer => ({
  status: 418,
  body,
  headers: {
    'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
    ...headers,
  },
});
const SENTENCE = 'The boiler is on fire';
const says: Expected = { code: 'invalid_request', says: SENTENCE };

const BODIES: readonly MessagesRow[] = [
  [
    '`{ type: "error", error }`',
    refused({ type: 'error', error: { type: 'x', message: SENTENCE } }),
    says,
  ],
  ['`{ error: { message } }`', refused({ error: { message: SENTENCE } }), says],
  ['`{ message }` (Bedrock)', refused({ message: SENTENCE }), says],
  ['`{ detail }` (vLLM, LiteLLM)', refused({ detail: SENTENCE }), says],
  [
    '`{ detail: [{ msg }] }`',
    refused({ detail: [{ loc: ['body'], msg: SENTENCE, type: 'x' }] }),
    says,
  ],
  ['`[{ error }]` (Vertex)', refused([{ error: { code: 418, message: SENTENCE } }]), says],
  ['plain text', refused(SENTENCE), says],
  [
    'a page',
    refused(`<html><head><title>${SENTENCE}</title></head></html>`, {
      'content-type': 'text/html',
    }),
    says,
  ],
];

const slow = (headers: Readonly<Record<string, string>>, sentence = 'slow down'): ServerAnswer => ({
  status: 429,
  headers: { ...headers, 'content-type': 'application/json' },
  body: { type: 'error', error: { type: 'rate_limit_error', message: sentence } },
});
const wait = (retryAfterMs: number): Expected => ({
  code: 'rate_limit',
  isRetryable: true,
  retryAfterMs,
});
const DAY = 86_400_000;
const tomorrow = new Date(Date.now() + DAY);

const WAITS: readonly MessagesRow[] = [
  ['`retry-after: 20`', slow({ 'retry-after': '20' }), wait(20_000)],
  ['`retry-after` as a date', slow({ 'retry-after': tomorrow.toUTCString() }), wait(DAY)],
  ['`retry-after-ms: 1500`', slow({ 'retry-after-ms': '1500' }), wait(1500)],
  [
    '`anthropic-ratelimit-requests-reset`, used up',
    slow({
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': tomorrow.toISOString(),
      'anthropic-ratelimit-tokens-remaining': '9',
      'anthropic-ratelimit-tokens-reset': new Date(Date.now() + 2 * DAY).toISOString(),
    }),
    wait(DAY),
  ],
  ['in the sentence', slow({}, 'Too many requests. Please try again in 30 seconds.'), wait(30_000)],
  ['nowhere', slow({}), wait(0)],
];

const rows = (kind: string, list: readonly MessagesRow[]): readonly Form[] =>
  list.map(([name, answer, expected]) => ({
    kind: `Messages: ${kind}`,
    wire,
    name,
    answers: [answer],
    expected,
  }));

/** The same of Anthropic's Messages, and of servers of others that speak its protocol. */
export const MESSAGES_FORMS: readonly Form[] = [
  ...FINISH,
  ...rows('the body of a refusal', BODIES),
  ...WORDS,
  ...rows('how long to wait', WAITS),
  ...MESSAGES_REFUSED,
  ...rows('streams', MESSAGES_STREAMS),
  ...rows('content', MESSAGES_CONTENT),
  ...rows('calls of tools', MESSAGES_CALLS),
];
