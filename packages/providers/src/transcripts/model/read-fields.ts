import { parseJson } from '../../json/fields.ts';
import { isDeeperThan, type JsonObject, type JsonValue } from '../../json/json-value.ts';

/** No transcript is nested deeper. */
const MAX_DEPTH = 200;

/** Returns the value of a JSON text; `undefined` if it is not JSON, or nested too deeply. */
export function parseShallowJson(text: string): JsonValue | undefined {
  const value = parseJson(text);
  return isDeeperThan(value, MAX_DEPTH) ? undefined : value;
}

/** Returns a value that is JSON itself or JSON in a string; other strings as they are. */
export function unpacked(value: JsonValue | undefined): JsonValue {
  if (typeof value !== 'string') return value ?? null;
  const first = value.trimStart()[0];
  if (first !== '{' && first !== '[') return value;
  return parseShallowJson(value) ?? value;
}

/** Returns a field if it is a time: ISO 8601 as it is, or milliseconds since 1970 as ISO 8601. */
export function timeAt(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  if (typeof value === 'number' && Math.abs(value) <= 8.64e15) return new Date(value).toISOString();
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value);
  return isTime && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

/** Returns the words of a list, which white space parts. */
export function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
