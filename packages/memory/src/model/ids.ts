import { hash } from 'node:crypto';
import { isStorable } from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';

/** An id that is always the same for the same names: a UUID of version 8 (RFC 9562), made of a SHA-256. */
export function idFromNames(...names: readonly string[]): string {
  const hex = hash('sha256', JSON.stringify(names));
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Whether a value can be the id of a session or an event. */
export function isId(id: unknown): id is string {
  if (typeof id !== 'string' || id === '' || id.length > 200) return false;
  return isStorable(id);
}

/** Refuses what cannot be the id of a session or an event. */
export function assertId(id: unknown, what: string): asserts id is string {
  if (isId(id)) return;
  const shown = typeof id === 'string' ? JSON.stringify(id.slice(0, 40)) : String(id);
  throw new MemoryError(
    'invalid-input',
    `${what} is ${shown}: an id is a text of 1 to 200 characters without NUL or lone surrogates`,
  );
}
