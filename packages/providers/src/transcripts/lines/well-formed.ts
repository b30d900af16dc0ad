import type { JsonValue } from '../../json/json-value.ts';
import { objectOf } from '../../json/fields.ts';

/** A line that could hold half of a character: an escape of a surrogate. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

/**
 * Returns the value with U+FFFD for each half of a character, which cannot be stored.
 *
 * @param raw - The text of the value, which saves time where it cannot hold any.
 */
export function wellFormed(value: JsonValue, raw: string | undefined): JsonValue {
  return raw === undefined || SURROGATE.test(raw) ? repaired(value) : value;
}

function repaired(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(repaired);
  return Object.fromEntries(
    Object.entries(objectOf(value)).map(([key, field]) => [key.toWellFormed(), repaired(field)]),
  );
}
