import type { JsonValue } from '@vizprompt/providers';

/** JSON with sorted keys and no white space: equal for equal values, whatever the order of their keys. */
export function canonicalJson(value: JsonValue): string {
  return JSON.stringify(value, (_, field: JsonValue) =>
    isPlainObject(field)
      ? Object.fromEntries(Object.entries(field).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  );
}

function isPlainObject(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
