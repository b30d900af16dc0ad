/** A time as text with the offset of the local time zone: `2026-01-31T12:00:00.000+09:00`. */
export function formatTime(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
  const sign = minutes < 0 ? '-' : '+';
  const pad = (value: number): string => String(Math.floor(Math.abs(value))).padStart(2, '0');
  return `${local}${sign}${pad(minutes / 60)}:${pad(minutes % 60)}`;
}

/** Whether a text is a time of ISO 8601, with a date and a time of day. */
export function isTimestamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Milliseconds since 1970; of an invalid time, 0. */
export function timeValue(timestamp: string): number {
  return Date.parse(timestamp) || 0;
}

/** Orders by time, the oldest first; digits below a millisecond count too. */
export function compareTimes(a: string, b: string): number {
  const difference = timeValue(a) - timeValue(b);
  return difference === 0 ? fraction(a) - fraction(b) : difference;
}

function fraction(timestamp: string): number {
  return Number(`0.${/[.,](\d+)/.exec(timestamp)?.[1] ?? '0'}`);
}
