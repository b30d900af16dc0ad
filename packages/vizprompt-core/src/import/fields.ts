import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isDeeperThan, isJsonObject, parseJson } from '@vizprompt/providers/internal';
import { isTimestamp } from '../format/ids-and-times.ts';

/** The greatest depth of JSON within a string, as of an entry by default. */
const NESTED_DEPTH = 200;

/**
 * Returns the value of a JSON text within a source, such as a string in an entry: `undefined` if it is not JSON, or so deep
 * that reading it could exhaust the stack.
 */
export function parseNested(text: string): JsonValue | undefined {
  const value = parseJson(text);
  return isDeeperThan(value, NESTED_DEPTH) ? undefined : value;
}

/** Seconds since 1970 as ISO 8601 in UTC, to the microsecond. */
export function timeFromSeconds(seconds: number | undefined): string | undefined {
  if (seconds === undefined || seconds <= 0 || seconds > 1e11) return undefined;
  const micros = Math.round(seconds * 1e6);
  const whole = new Date(Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19);
  return `${whole}.${String(micros % 1e6).padStart(6, '0')}Z`;
}

/** Returns a time in an object as ISO 8601; see {@link timeOf}. */
export function timeAt(object: JsonObject, key: string): string | undefined {
  return timeOf(object[key]);
}

/** Units of a second that a number of this size counts: seconds, milliseconds, microseconds, nanoseconds. */
function perSecond(value: number): number {
  if (value <= 1e11) return 1;
  if (value <= 1e14) return 1e3;
  return value <= 1e17 ? 1e6 : 1e9;
}

/**
 * Reads a time in any spelling as ISO 8601: a string of that form as it is, in UTC where it names no zone; a
 * number since 1970 by its size; `{ $date }` of MongoDB; the dates of SillyTavern. Anything else is unknown.
 */
function timeOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return timeFromSeconds(value / perSecond(value));
  if (isJsonObject(value))
    return timeOf(value['$date'] ?? value['$numberLong'] ?? value['created']);
  if (typeof value !== 'string') return undefined;
  if (/^\d{9,19}(?:\.\d+)?$/.test(value)) return timeOf(Number(value));
  if (isTimestamp(value)) return /(?:Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : inUtc(value);
  const tavern = /^(\d{4})-(\d\d?)-(\d\d?) ?@ ?(\d\d?)h ?(\d\d?)m ?(\d\d?)s/.exec(value);
  if (tavern) {
    const [year = 0, month = 0, ...rest] = tavern.slice(1).map(Number);
    const time = Date.UTC(year, month - 1, ...rest);
    return Number.isNaN(time) ? undefined : new Date(time).toISOString();
  }
  const local = localTime(value);
  if (local !== undefined) return local;
  // With `AM` or `PM`, the month comes first.
  const isDate = /^[A-Z][a-z]+ \d\d?, \d{4} |^\d\d?\/\d\d?\/\d{4},? .*[AP]M$/i.test(value);
  if (!isDate) return undefined;
  const time = Date.parse(`${value.replace(/(\d)([ap]m)$/i, '$1 $2')} UTC`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** Reads a date as programs show it, the year first or the day before a dot. */
function localTime(value: string): string | undefined {
  const [, year, month, day, time = ''] =
    /^(\d{4})[/.](\d\d?)[/.](\d\d?),? (\d\d?:\d\d(?::\d\d)?)$/.exec(value) ?? [];
  const [, ownDay, ownMonth, ownYear, ownTime = ''] =
    /^(\d\d?)\.(\d\d?)\.(\d{4}),? (\d\d?:\d\d(?::\d\d)?)$/.exec(value) ?? [];
  const date = [year ?? ownYear, month ?? ownMonth, day ?? ownDay];
  if (date.includes(undefined)) return undefined;
  const clock = (time || ownTime).padStart(time.length > 5 || ownTime.length > 5 ? 8 : 5, '0');
  const written = `${date.map((each) => (each ?? '').padStart(2, '0')).join('-')}T${clock}Z`;
  const read = Date.parse(written);
  return Number.isNaN(read) ? undefined : new Date(read).toISOString();
}

function inUtc(value: string): string | undefined {
  const zoned = `${value.replace(' ', 'T')}Z`;
  return Number.isNaN(Date.parse(zoned)) ? value : zoned;
}

/** Returns an id: a string that is not blank, or a number. */
export function idOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Returns the first of the fields that is an id; a blank string is none. */
export function idAt(object: JsonObject, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const id = idOf(object[key]);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Returns a name in lower case, without what parts its words: `parent_id`, `parentID` and `parent-id` are one. */
export function squash(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9$]/g, '');
}

/** The fields of an object by their squashed names. */
export type Spelled = ReadonlyMap<string, JsonValue>;

/** Returns the fields of objects by their squashed names; the first object that has one wins. */
export function spelled(...objects: readonly JsonObject[]): Spelled {
  const fields = new Map<string, JsonValue>();
  for (const object of objects) {
    for (const [key, value] of Object.entries(object)) {
      const name = squash(key);
      if (!isBlank(value) && !fields.has(name)) fields.set(name, value);
    }
  }
  return fields;
}

/** Returns the first of the named fields that is there. */
export function firstOf(fields: Spelled, names: Iterable<string>): JsonValue | undefined {
  for (const name of names) {
    const value = fields.get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Returns the first of the named fields that is an id. */
export function firstId(fields: Spelled, names: Iterable<string>): string | undefined {
  for (const name of names) {
    const id = idOf(fields.get(name));
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Returns the first of the named fields that is a string. */
export function firstText(fields: Spelled, names: Iterable<string>): string | undefined {
  for (const name of names) {
    const value = fields.get(name);
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** Returns the first of the named fields that is a time. */
export function firstTime(fields: Spelled, names: Iterable<string>): string | undefined {
  for (const name of names) {
    const time = timeOf(fields.get(name));
    if (time !== undefined) return time;
  }
  return undefined;
}

/** Checks whether a value says nothing: null, an empty string or list. */
export function isBlank(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) && value.length === 0;
}
