import type { JsonValue } from '@vizprompt/providers';
import { objectOf } from '../fields.ts';

/** A line that could hold half of a character: an escape of a surrogate. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

/** The value with U+FFFD for each half of a character, which cannot be stored. */
export function wellFormed(value: JsonValue, raw: string): JsonValue {
  return SURROGATE.test(raw) ? repaired(value) : value;
}

function repaired(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(repaired);
  return Object.fromEntries(
    Object.entries(objectOf(value)).map(([key, field]) => [key.toWellFormed(), repaired(field)]),
  );
}
