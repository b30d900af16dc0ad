import type { FakeWireName } from '@vizprompt/providers/testing';
import { refusal, type Form } from './form.ts';

/** Times are made when the file is loaded: the tests read them a little later. */
const MINUTE = 60_000;
const DAY = 86_400_000;
const soon = (ms: number): Date => new Date(Date.now() + ms);
const iso = (ms: number): string => soon(ms).toISOString();

type Row = readonly [
  name: string,
  headers: Readonly<Record<string, string>>,
  /** 0: the server does not say. */
  waitMs: number,
  sentence?: string,
  more?: object,
  wire?: FakeWireName,
];

/** Where a server says how long to wait. */
const ROWS: readonly Row[] = [
  ['`Retry-After: 20`', { 'retry-after': '20' }, 20_000],
  ['`Retry-After: 1.5`', { 'retry-after': '1.5' }, 1500],
  ['`Retry-After: 30s`', { 'retry-after': '30s' }, 30_000],
  ['`Retry-After: 1m30s`', { 'retry-after': '1m30s' }, 90_000],
  ['`Retry-After: 30 seconds`', { 'retry-after': '30 seconds' }, 30_000],
  ['`Retry-After` as a date', { 'retry-after': soon(DAY).toUTCString() }, DAY],
  ['`Retry-After` as an ISO date', { 'retry-after': iso(DAY) }, DAY],
  [
    '`Retry-After` as a time in seconds',
    { 'retry-after': String(Math.ceil(soon(DAY).getTime() / 1000)) },
    DAY,
  ],
  ['`retry-after-ms` (Azure)', { 'retry-after-ms': '2500' }, 2500],
  ['`x-ms-retry-after-ms`', { 'x-ms-retry-after-ms': '2500' }, 2500],
  [
    '`x-ratelimit-reset-requests: 12s`, used up',
    {
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '12s',
      'x-ratelimit-reset-tokens': '6m0s',
    },
    12_000,
  ],
  [
    '`x-ratelimit-reset-tokens: 6m0s`, used up',
    {
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-remaining-requests': '9',
      'x-ratelimit-reset-requests': '12s',
      'x-ratelimit-reset-tokens': '6m0s',
    },
    360_000,
  ],
  ['`x-ratelimit-reset-tokens: 850ms`', { 'x-ratelimit-reset-tokens': '850ms' }, 850],
  ['`x-ratelimit-reset-requests: 1h0m3s`', { 'x-ratelimit-reset-requests': '1h0m3s' }, 3_603_000],
  [
    '`x-ratelimit-reset` in milliseconds since 1970 (OpenRouter)',
    { 'x-ratelimit-reset': String(soon(DAY).getTime()) },
    DAY,
  ],
  ['`x-ratelimit-reset: 7` (GitHub, Together)', { 'x-ratelimit-reset': '7' }, 7000],
  ['`ratelimit-reset: 9` (IETF)', { 'ratelimit-reset': '9' }, 9000],
  ['`ratelimit: "default";r=0;t=30` (IETF)', { ratelimit: '"default";r=0;t=30' }, 30_000],
  [
    '`anthropic-ratelimit-tokens-reset`',
    { 'anthropic-ratelimit-tokens-reset': iso(DAY), 'anthropic-ratelimit-tokens-remaining': '0' },
    DAY,
  ],
  ['`Please try again in 1.5s`', {}, 1500, 'Rate limit reached. Please try again in 1.5s.'],
  ['`try again in 6m0s`', {}, 360_000, 'Rate limit reached, try again in 6m0s.'],
  ['`try again after 2 seconds`', {}, 2000, 'Rate limit reached, please try again after 2 seconds'],
  ['`retry after 1 minute`', {}, MINUTE, 'Rate limit reached; retry after 1 minute.'],
  ['`wait 20 seconds`', {}, 20_000, 'Rate limit: please wait 20 seconds before the next call'],
  [
    '`Please retry in 33.5s` (Gemini)',
    {},
    33_500,
    'Rate limit. Please retry in 33.5s.',
    {},
    'gemini',
  ],
  [
    '`RetryInfo` (Gemini)',
    {},
    33_000,
    'Rate limit',
    { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '33s' }] },
    'gemini',
  ],
  [
    '`RetryInfo` as an object',
    {},
    7000,
    'Rate limit',
    { details: [{ retryDelay: { seconds: 7 } }] },
  ],
  ['`retry_after: 12` in the body', {}, 12_000, 'Rate limit', { retry_after: 12 }],
  ['`retry_after_ms: 1200` in the body', {}, 1200, 'Rate limit', { retry_after_ms: 1200 }],
  [
    '`X-RateLimit-Reset` in the body (OpenRouter)',
    {},
    DAY,
    'Rate limit',
    { metadata: { headers: { 'X-RateLimit-Reset': String(soon(DAY).getTime()) } } },
  ],
  [
    '`resets_at` in the body (ChatGPT)',
    {},
    DAY,
    'slow down',
    { resets_at: Math.ceil(soon(DAY).getTime() / 1000) },
  ],
  ['`Retry-After: PT1M30S`', { 'retry-after': 'PT1M30S' }, 90_000],
  ['`Retry-After: 20, 20`', { 'retry-after': '20, 20' }, 20_000],
  ['`Retry-After: "20"`', { 'retry-after': '"20"' }, 20_000],
  ['`resets at` a time', {}, DAY, `The limit resets at ${iso(DAY)}`],
  ['`30 秒后`', {}, 30_000, '请在 30 秒后重试'],
  ['no wait: how often', {}, 0, 'please retry 3 times'],
  ['no wait: a limit', {}, 0, 'limit of 10 per 60s'],
  ['`Retry-After: -5`', { 'retry-after': '-5' }, 0],
  ['`Retry-After: soon`', { 'retry-after': 'soon' }, 0],
  ['Ollama, behind a proxy', { 'retry-after': '3' }, 3000, 'rate limit', {}, 'ollama'],
];

export const WAIT_FORMS: readonly Form[] = ROWS.map(
  ([name, headers, waitMs, sentence = 'slow down', more = {}, wire = 'openai']) => ({
    kind: 'how long to wait',
    wire,
    name,
    answers: [
      {
        ...refusal(wire, 429, sentence, more),
        headers: { ...headers, 'content-type': 'application/json' },
      },
    ],
    expected: {
      code: 'rate_limit',
      isRetryable: true,
      retryAfterMs: waitMs,
    },
  }),
);
