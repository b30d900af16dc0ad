/** `20s`, `1.5s`, `500ms`, `6m0s`, `1h2m3s`. */
const TEXT_HINT = /(?:try again|retry) (?:in|after) ((?:\d+(?:\.\d+)? ?(?:ms|h|m|s)\s*)+)/i;
const MS_IN: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * How long a provider asks to wait, in milliseconds: the header `retry-after-ms`, `Retry-After` in
 * seconds or as a date (RFC 9110, section 10.2.3), `google.rpc.RetryInfo` in the body, or "try again
 * in 20s" in the message.
 */
export function retryAfterMs(
  headers: Headers | undefined,
  body: string,
  now: number = Date.now(),
): number | undefined {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (ms >= 0) return ms;
  const header = headers?.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  if (!Number.isNaN(date)) return Math.max(0, date - now);
  const info = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
  if (info !== undefined) return Number(info) * 1000;
  const hint = TEXT_HINT.exec(body)?.[1];
  if (hint === undefined) return undefined;
  return Array.from(hint.matchAll(/(\d+(?:\.\d+)?) ?(ms|h|m|s)/gi)).reduce(
    (sum, [, amount, unit = 's']) => sum + Number(amount) * (MS_IN[unit.toLowerCase()] ?? 1000),
    0,
  );
}
