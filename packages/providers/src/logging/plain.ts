import { isError } from '../errors.ts';

const MAX_DEPTH = 16;

/**
 * Returns a value as JSON can hold it, whatever it is: a log line with half of its fields says more than none.
 * Errors become name, message, code and cause; bigints decimal text.
 */
export function toPlain(value: unknown): unknown {
  return convert(value, []);
}

/** Returns a property, or what it threw, as text. */
export function readField(object: object, name: string): unknown {
  try {
    return Reflect.get(object, name);
  } catch {
    return '[unreadable]';
  }
}

function convert(value: unknown, above: readonly object[]): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (above.includes(value)) return '[circular]';
  if (above.length >= MAX_DEPTH) return '[too deep]';
  const path = [...above, value];
  try {
    return convertObject(value, path);
  } catch {
    return '[unreadable]';
  }
}

function convertObject(value: object, path: readonly object[]): unknown {
  const toJSON = readField(value, 'toJSON');
  if (typeof toJSON === 'function') return convert(Reflect.apply(toJSON, value, []), path);
  if (Array.isArray(value)) return value.map((item: unknown) => convert(item, path));
  const names = isError(value) ? errorNames(value) : Object.keys(value);
  return Object.fromEntries(names.map((name) => [name, convert(readField(value, name), path)]));
}

function errorNames(error: Error): string[] {
  return ['name', 'message', 'code', 'cause'].filter((name) => name in error);
}
