/** Any value that JSON can hold. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** An object that JSON can hold. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** Checks whether a value of parsed JSON is an object, and no list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Checks whether a value of parsed JSON is nested deeper than a number of levels. A text or a number has none, `[]`
 * has one. Takes no more of the stack than that number, so that it can guard what recurses.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels <= 0) return true;
  if (Array.isArray(value)) return value.some((one) => isDeeperThan(one, levels - 1));
  for (const key in value) {
    if (isDeeperThan(Reflect.get(value, key), levels - 1)) return true;
  }
  return false;
}
