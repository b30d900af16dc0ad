import type { JsonValue } from '../json.ts';

/** An object of unknown keys, or nothing: how answers of servers are read. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; an empty one for everything else. */
export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** Whether a value is an object, and no list. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is a string. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value if it is a finite number. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The value as a list; an empty one for everything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What was parsed from JSON, as JSON. */
export function jsonOf(value: unknown): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by an SDK
  return value as JsonValue;
}
