import type { LLMErrorCode } from '../models/llm-error.ts';
import { kindsIn } from './failure-words.ts';

/** A refusal of a provider, as it came over the wire. */
export interface HttpFailure {
  /** Absent for a failure that came within a stream. */
  readonly status?: number | undefined;
  /** The provider's own codes and types, such as `insufficient_quota`. */
  readonly reason?: string | undefined;
  /** The provider's sentence. */
  readonly text: string;
  /** The field that the provider objects to. */
  readonly param?: string | undefined;
  /** More that the provider says, for the wait and for fields, not for people. */
  readonly details?: string | undefined;
}

/** The meaning of a status where the words say nothing. */
const BY_STATUS: Readonly<Record<number, LLMErrorCode>> = {
  401: 'auth',
  402: 'quota',
  403: 'permission',
  404: 'not_found',
  408: 'timeout',
  409: 'server',
  410: 'not_found',
  413: 'context_length',
  423: 'overloaded',
  424: 'server',
  425: 'server',
  429: 'rate_limit',
  440: 'auth',
  451: 'permission',
  498: 'overloaded',
  499: 'server',
  501: 'unsupported',
  503: 'overloaded',
  504: 'timeout',
  522: 'timeout',
  524: 'timeout',
  529: 'overloaded',
};

type Codes = readonly LLMErrorCode[];

const ANY: Codes = [
  'context_length',
  'quota',
  'output_parse',
  'content_filter',
  'auth',
  'rate_limit',
  'not_found',
  'overloaded',
  'unsupported',
  'permission',
  'server',
];

/** A server that fails says little of the request; what it says of its own state counts. */
const SERVER_WORDS: Codes = [
  'context_length',
  'quota',
  'output_parse',
  'content_filter',
  'rate_limit',
  'overloaded',
];

/** Which words may say better than a status what happened; for other statuses, see {@link wordsFor}. */
const WORDS_FOR: Readonly<Record<number, Codes>> = {
  401: ['quota'],
  402: [],
  403: ['quota', 'content_filter', 'auth', 'rate_limit', 'context_length'],
  404: ['quota'],
  408: [],
  413: [],
  429: ['context_length', 'quota', 'overloaded', 'permission'],
  451: ['content_filter'],
  500: [...SERVER_WORDS, 'unsupported'],
  501: [],
  503: ['context_length', 'quota', 'rate_limit'],
  504: [],
  524: [],
  529: [],
};

/** Returns the code of a failure: by what the provider says, and by the status where it says nothing. */
export function codeOf({ reason = '', text, ...failure }: HttpFailure): LLMErrorCode {
  // A failure with a status of success came within the stream.
  const status = (failure.status ?? 0) >= 400 ? failure.status : undefined;
  const said = `${reason} ${text}`;
  const allowed = wordsFor(status);
  const [kind] = kindsIn(said).filter((code) => allowed.includes(code));
  if (kind === 'context_length' && status === 429 && !/too large|must be reduced/i.test(said)) {
    return 'rate_limit';
  }
  if (kind !== undefined && !(kind === 'unsupported' && status === undefined)) return kind;
  if (status === undefined) return 'server';
  if (status === 404 && /endpoints? found that support/i.test(said)) return 'unsupported';
  return BY_STATUS[status] ?? (status >= 500 ? 'server' : 'invalid_request');
}

function wordsFor(status: number | undefined): Codes {
  if (status === undefined) return [...ANY, 'timeout'];
  return WORDS_FOR[status] ?? (status >= 500 ? SERVER_WORDS : ANY);
}

/** Returns advice for a code, as the end of a sentence. */
export function adviceFor(code: LLMErrorCode, keyName: string | undefined): string {
  switch (code) {
    case 'auth':
      return keyName ? `check ${keyName} or pass apiKey` : 'check the key';
    case 'permission':
      return 'the key is not allowed to use this model';
    case 'not_found':
      return 'check the name of the model and the address';
    case 'quota':
      return 'the account has no allowance left; waiting does not help';
    case 'context_length':
      return 'send fewer or shorter messages';
    default:
      return '';
  }
}

/** Returns an address for people: without user, password, query and fragment, where keys may hide. */
export function addressOf(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname.replace(/\/$/, '')}`;
  } catch {
    return url.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
  }
}

/** A number with a unit: `20s`, `1.5s`, `500ms`, `30 seconds`, `2 minutes`; or several: `6m0s`, `1h2m3s`. */
const SPAN =
  '\\d+(?:\\.\\d+)? ?(?:milliseconds?|millis|ms|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s|days?|d)(?![a-z])';
const SPANS = new RegExp(`^(?:${SPAN}[ ,]*(?:and )?)+$`, 'i');
const TEXT_HINT = new RegExp(
  `(?:try(?:ing)? again|retry(?:ing)?|available|wait(?:ing)?|resets?|back|resume)(?: it)?(?: again)?(?: in| after| for| at least| another| about|:)* ?((?:${SPAN}[ ,]*(?:and )?)+)`,
  'i',
);
/** A bare number after these words is one of seconds. */
const BARE_HINT = /(?:retry|try again|wait)(?: in| after| for)? (\d+(?:\.\d+)?)(?! ?[a-z%\d])/i;
/** ISO 8601: `PT1M30S`. */
const PERIOD = /^PT(?:\d+(?:\.\d+)?[HMS])+$/;
/** A point in time, with its zone. */
const TIME_HINT =
  /(?:resets?|again|available|until|after)[^.]{0,12} (\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)? ?(?:Z|UTC|[+-]\d\d:?\d\d))/i;
const CHINESE_UNITS: Readonly<Record<string, string>> = { 秒: 's', 分钟: 'm', 小时: 'h' };
const CHINESE_HINT = /(?<!\d)(\d+(?:\.\d+)?) ?(秒|分钟|小时)钟?[之以]?后/;
const IN_BODY =
  /"(?:retryDelay|retry_delay|retry_after|retryAfter|retry-after|retry_after_seconds|estimated_time|wait_seconds|reset_in|resets_in_seconds)"\s*:\s*(?:"([^"]+)"|(\d+(?:\.\d+)?)|\{\s*"seconds"\s*:\s*"?(\d+)"?)/i;
const IN_BODY_MS = /"(?:retry_after_ms|retryAfterMs|wait_ms)"\s*:\s*"?(\d+(?:\.\d+)?)/i;
const RESET_IN_BODY = /"(?:x-ratelimit-reset|resets?_at)"\s*:\s*"?(\d{9,13})/i;

/** A number above this is a point in time, not a span: seconds, and milliseconds, since 1970. */
const EPOCH_S = 1_000_000_000;
const EPOCH_MS = 1_000_000_000_000;

/**
 * How long a provider asks to wait, in milliseconds. It reads `retry-after-ms`, `Retry-After` in seconds, with a unit or
 * as a date (RFC 9110, section 10.2.3), `x-ratelimit-reset-*` and its kin, `google.rpc.RetryInfo` and the like in the
 * body, and "try again in 20s" in the message.
 *
 * @param isLimited - True if the answer refuses for its rate: only then a reset of a limit is a wait.
 */
export function retryAfterMs(
  headers: Headers | undefined,
  body: string,
  now: number = Date.now(),
  isLimited: boolean = true,
): number | undefined {
  for (const name of ['retry-after-ms', 'x-ms-retry-after-ms', 'x-retry-after-ms']) {
    const ms = Number.parseFloat(headers?.get(name) ?? '');
    if (ms >= 0) return ms;
  }
  for (const name of ['retry-after', 'x-retry-after', 'x-ratelimit-retry-after']) {
    const wait = readWait(headers?.get(name) ?? undefined, now);
    if (wait !== undefined) return wait;
  }
  return inBody(body, now) ?? (isLimited ? resetMs(headers, now) : undefined);
}

function inBody(body: string, now: number): number | undefined {
  const ms = IN_BODY_MS.exec(body)?.[1];
  if (ms !== undefined) return Number(ms);
  const [, quoted, bare, seconds] = IN_BODY.exec(body) ?? [];
  const told = readWait(quoted ?? bare ?? seconds, now);
  if (told !== undefined) return told;
  const hint = TEXT_HINT.exec(body)?.[1] ?? BARE_HINT.exec(body)?.[1];
  const [, amount = '', unit = ''] = CHINESE_HINT.exec(body) ?? [];
  const said =
    readWait(hint?.trim() ?? amount + (CHINESE_UNITS[unit] ?? ''), now) ??
    readWait(TIME_HINT.exec(body)?.[1], now);
  return said ?? readWait(RESET_IN_BODY.exec(body)?.[1], now);
}

/** Returns a number of seconds, a span with units, a date, or a point in time as a number. */
function readWait(text: string | undefined, now: number): number | undefined {
  const whole = text?.trim().replace(/^"|"$/g, '') ?? '';
  // A header that came twice is a list.
  const value = /^(\d[\d.]*),/.exec(whole)?.[1] ?? whole;
  if (value === '') return undefined;
  if (PERIOD.test(value)) return spanMs(value.slice(2));
  if (/^\d+(\.\d+)?$/.test(value)) {
    const number = Number(value);
    if (number >= EPOCH_MS) return Math.max(0, number - now);
    return number >= EPOCH_S ? Math.max(0, number * 1000 - now) : number * 1000;
  }
  if (SPANS.test(value)) return spanMs(value);
  if (!/^(?:[A-Za-z]{3,9},? |\d{4}-\d\d-\d\d)/.test(value)) return undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const MS_IN: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

function spanMs(text: string): number {
  return Array.from(text.matchAll(/(?<!\d)(\d+(?:\.\d+)?) ?([a-z]+)/gi)).reduce(
    (sum, [, amount, unit = 's']) => {
      const isMs = /^(?:ms|milli)/i.test(unit);
      return sum + Number(amount) * (isMs ? 1 : (MS_IN[unit.charAt(0).toLowerCase()] ?? 1000));
    },
    0,
  );
}

/** `x-ratelimit-reset`, `…-reset-requests`, `…-reset-tokens`, `ratelimit-reset`, `anthropic-ratelimit-…-reset`. */
const RESET = /^(?:x-|anthropic-)?rate-?limit-(?:(.*)-)?reset(?:-(.*))?$/;

/** Returns the wait until the used up limits reset, or all limits where the server does not say. */
function resetMs(headers: Headers | undefined, now: number): number | undefined {
  const waits: { readonly ms: number; readonly isUsedUp: boolean }[] = [];
  headers?.forEach((value, name) => {
    if (!RESET.test(name)) return;
    const ms = readWait(value, now);
    const left = Number.parseFloat(headers.get(name.replace('reset', 'remaining')) ?? '');
    if (ms !== undefined) waits.push({ ms, isUsedUp: left <= 0 });
  });
  // RFC draft: `RateLimit: limit=100, remaining=0, reset=30` or `"default";r=0;t=30`.
  const draft = /(?:\breset|;\s*t)=(\d+)/.exec(headers?.get('ratelimit') ?? '')?.[1];
  if (draft !== undefined) waits.push({ ms: Number(draft) * 1000, isUsedUp: false });
  const usedUp = waits.filter(({ isUsedUp }) => isUsedUp);
  const counted = (usedUp.length > 0 ? usedUp : waits).map(({ ms }) => ms);
  return counted.length === 0 ? undefined : Math.max(...counted);
}
