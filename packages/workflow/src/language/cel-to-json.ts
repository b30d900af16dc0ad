import type { JsonValue } from '@vizprompt/providers';

/** A value of CEL as JSON: whole numbers become numbers, and times ISO 8601. */
export function celToJson(value: unknown): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      break;
    case 'bigint':
      if (Number.isSafeInteger(Number(value))) return Number(value);
      break;
    case 'object':
      return objectToJson(value);
  }
  throw new Error(`it gives ${String(value)}, which JSON cannot hold`);
}

function objectToJson(value: object | null): JsonValue {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(celToJson);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, one]) => [String(key), celToJson(one)]));
  }
  // An unsigned number.
  if ('value' in value && typeof value.value === 'bigint') return celToJson(value.value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, celToJson(one)]));
  }
  throw new Error(
    `it gives a ${value.constructor.name}, which JSON cannot hold: use string(...) or int(...)`,
  );
}
