import { isJsonObject, type JsonObject, type JsonValue } from './json-value.ts';

/** An object of unknown keys and values: how foreign data is read. */
export type Fields = Readonly<Record<string, unknown>>;

/** Checks whether a value is an object and not a list. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, else an empty one. */
export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** Returns the value if it is a string. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns the value if it is a finite number. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Returns the value if it is a list, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Types a value as JSON that an SDK has parsed. */
export function jsonOf(value: unknown): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by an SDK
  return value as JsonValue;
}

/** Returns the value of a JSON text; `undefined` if it is not JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return jsonOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const EMPTY: JsonObject = Object.freeze({});

/** Returns the value if it is a JSON object, else an empty one. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : EMPTY;
}

/** Returns a field if it is an object, else an empty one. */
export function objectAt(object: JsonObject, key: string): JsonObject {
  return objectOf(object[key]);
}

/** Returns a field if it is a list, else an empty one. */
export function listAt(object: JsonObject, key: string): readonly JsonValue[] {
  const value = object[key];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- isArray forgets what the items are
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/** Returns the first of the fields that is a string. */
export function textAt(object: Fields, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = object[key];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** Returns a field if it is a finite number. */
export function numberAt(object: Fields, key: string): number | undefined {
  return numberOf(object[key]);
}

/** Returns the fields of an object that have a value: for objects whose fields are absent or set. */
export function omitUndefined<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key of it
    const value: unknown = fields[key as keyof T];
    if (value !== undefined) result[key] = value;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what is undefined was left out
  return result as { [K in keyof T]?: Exclude<T[K], undefined> };
}
