import { isDeeperThan, isJsonObject, type JsonObject, type JsonValue } from '@vizprompt/providers';

const NOTHING: JsonObject = Object.freeze({});

/** The value as an object; an empty one if it is something else. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : NOTHING;
}

/** A field as an object; an empty one if it is something else. */
export function objectAt(object: JsonObject, key: string): JsonObject {
  return objectOf(object[key]);
}

/** A field as a list; an empty one if it is something else. */
export function listAt(object: JsonObject, key: string): readonly JsonValue[] {
  const value = object[key];
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/** A field if it is a string. */
export function textAt(object: JsonObject, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = object[key];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** A field if it is a finite number. */
export function numberAt(object: JsonObject, key: string): number | undefined {
  const value = object[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A field if it is a time: ISO 8601, as it stands, or milliseconds since 1970. */
export function timeAt(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  if (typeof value === 'number' && Math.abs(value) <= 8.64e15) return new Date(value).toISOString();
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** A value that is JSON itself or JSON in a string; what is no JSON stays the string. */
export function unpacked(value: JsonValue | undefined): JsonValue {
  if (typeof value !== 'string') return value ?? null;
  const first = value.trimStart()[0];
  if (first !== '{' && first !== '[') return value;
  return parseJson(value) ?? value;
}

/** No transcript is nested deeper, and no event may be. */
const MAX_DEPTH = 200;

/** The value of a JSON text; `undefined` if it is none, or nested too deeply. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse gives JSON
    const value = JSON.parse(text) as JsonValue;
    return isDeeperThan(value, MAX_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}
