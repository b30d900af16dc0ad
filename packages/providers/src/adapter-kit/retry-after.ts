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
