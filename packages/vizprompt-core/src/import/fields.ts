import { isJsonObject, type JsonObject, type JsonValue } from '@vizprompt/providers';
import { isTimestamp } from '../format/ids-and-times.ts';

/** A text in an object that came from outside; `undefined` for anything else. */
export function textAt(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === 'string' ? value : undefined;
}

/** An object in an object; empty for anything else. */
export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}

/** A list in an object; empty for anything else. */
export function listAt(object: JsonObject, key: string): readonly JsonValue[] {
  const value: unknown = object[key];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse gave
  return Array.isArray(value) ? (value as JsonValue[]) : [];
}

/** A number in an object. */
export function numberAt(object: JsonObject, key: string): number | undefined {
  const value = object[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Seconds since 1970 as ISO 8601 in UTC, to the microsecond. */
export function timeFromSeconds(seconds: number | undefined): string | undefined {
  if (seconds === undefined || seconds <= 0 || seconds > 1e11) return undefined;
  const micros = Math.round(seconds * 1e6);
  const whole = new Date(Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19);
  return `${whole}.${String(micros % 1e6).padStart(6, '0')}Z`;
}

/**
 * A time in an object, as ISO 8601: a text of that form as it is, a number as seconds or, where it is
 * too large for that, milliseconds since 1970.
 */
export function timeAt(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  if (typeof value === 'string') return isTimestamp(value) ? value : undefined;
  if (typeof value !== 'number') return undefined;
  return timeFromSeconds(value > 1e11 ? value / 1000 : value);
}
