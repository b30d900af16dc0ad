import { MemoryError } from '../errors.ts';

const FORM = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** Whether it begins with a day that there is: `Date.parse` takes the 31st of February for the 3rd of March. */
function isDay(text: string): boolean {
  if (!FORM.test(text)) return false;
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return day.getUTCDate() === Number(text.slice(8, 10));
}

/**
 * A time in the one form in which times are stored, so that they sort as text: UTC with milliseconds.
 *
 * @param what - What it is, for the message.
 */
export function toTime(value: unknown, what: string): string {
  const time = typeof value === 'string' && isDay(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new MemoryError(
    'invalid-input',
    `${what} is ${JSON.stringify(value)}: write it as ISO 8601, such as 2026-01-31T12:00:00+09:00`,
  );
}
