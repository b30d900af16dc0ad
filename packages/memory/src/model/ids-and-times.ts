import { createHash } from 'node:crypto';
import { isStorable, uuidFromHash } from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';

/** Returns an id that is always the same for the same names: a UUID of version 8 (RFC 9562), made of a SHA-256. */
export function idFromNames(...names: readonly string[]): string {
  return uuidFromHash(createHash('sha256').update(JSON.stringify(names)).digest(), 8);
}

/** Checks whether a value can be the id of a session or an event. */
export function isId(id: unknown): id is string {
  if (typeof id !== 'string' || id === '' || id.length > 200) return false;
  return isStorable(id);
}

/** Throws if a value cannot be the id of a session or an event. */
export function assertId(id: unknown, what: string): asserts id is string {
  if (isId(id)) return;
  const shown = typeof id === 'string' ? JSON.stringify(id.slice(0, 40)) : String(id);
  throw new MemoryError(
    'invalid-input',
    `${what} is ${shown}: an id is a string of 1 to 200 characters without NUL or lone surrogates`,
  );
}

const FORM = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** A time of the day that says no offset from UTC. */
const LOCAL = /T[\d:.]+$/;

/** Checks whether it begins with a day that there is: `Date.parse` takes the 31st of February for the 3rd of March. */
function isDay(text: string): boolean {
  if (!FORM.test(text)) return false;
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return day.getUTCDate() === Number(text.slice(8, 10));
}

/**
 * Returns a time in the one form in which times are stored, so that they sort as text: UTC with milliseconds.
 *
 * @param what - Names the value, for the message.
 */
export function toTime(value: unknown, what: string): string {
  const time = typeof value === 'string' && isDay(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new MemoryError(
    'invalid-input',
    `${what} is ${JSON.stringify(value)}: write it as ISO 8601, such as 2026-01-31T12:00:00+09:00`,
  );
}

/**
 * Returns the same of a time that is kept: what belongs to no time zone would be another moment on another machine.
 *
 * @param what - Names the value, for the message.
 */
export function toKeptTime(value: unknown, what: string): string {
  if (typeof value !== 'string' || !LOCAL.test(value)) return toTime(value, what);
  throw new MemoryError(
    'invalid-input',
    `${what} is ${JSON.stringify(value)}, without an offset from UTC: write ${value}Z or such as ${value}+09:00`,
  );
}
