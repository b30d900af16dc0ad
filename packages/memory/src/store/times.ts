import { MemoryError } from '../errors.ts';

const FORM = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * A time in the one form in which times are stored, so that they sort as text: UTC with milliseconds.
 *
 * @param what - What it is, for the message.
 */
export function toTime(value: unknown, what: string): string {
  const time = typeof value === 'string' && FORM.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new MemoryError(
    'invalid-input',
    `${what} is ${JSON.stringify(value)}: write it as ISO 8601, such as 2026-01-31T12:00:00+09:00`,
  );
}
