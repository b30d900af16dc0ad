import type { JsonValue } from '../json/json-value.ts';
import { redact, type RedactOptions } from '../redact/redact.ts';

/**
 * Takes the secrets out of all texts in a JSON value. A text that is a field is judged with the name
 * of the field, as in `"password": "..."`. Names, and the base64 of bytes, stay as they are.
 *
 * @returns The same object where nothing was found.
 */
export function redactStrings(value: JsonValue, options: RedactOptions = {}): JsonValue {
  if (typeof value === 'string') return redact(value, options).text;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    const clean = items.map((item) => redactStrings(item, options));
    return clean.every((item, index) => item === items[index]) ? value : clean;
  }
  const fields = Object.entries(value);
  const clean = fields.map(([name, field]) => [name, redactField(name, field, options)] as const);
  const isSame = clean.every(([, field], index) => field === fields[index]?.[1]);
  return isSame ? value : Object.fromEntries(clean);
}

function redactField(name: string, field: JsonValue, options: RedactOptions): JsonValue {
  if (name === '$bytes') return field;
  const clean = redactStrings(field, options);
  if (typeof clean !== 'string') return clean;
  const before = `${name}="`;
  const { text } = redact(`${before}${clean}"`, options);
  return text.startsWith(before) && text.endsWith('"') ? text.slice(before.length, -1) : clean;
}
