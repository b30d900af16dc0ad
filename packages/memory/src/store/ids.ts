import { createHash, randomFillSync } from 'node:crypto';
import { MemoryError } from '../errors.ts';

const random = Buffer.alloc(4096);
let used = random.length;
let lastTime = 0;
let counter = 0;

/**
 * A new UUID of version 7: ids sort by the time they were made, also within a millisecond.
 *
 * Source: RFC 9562, sections 5.7 and 6.2 (method 1).
 */
export function createId(now: number): string {
  counter = now > lastTime ? 0 : counter + 1;
  // A clock that is set back, or more than 4,096 ids in a millisecond: borrow from the future.
  lastTime = Math.max(now, lastTime + (counter > 0xfff ? 1 : 0));
  if (counter > 0xfff) counter = 0;
  if (used + 8 > random.length) {
    randomFillSync(random);
    used = 0;
  }
  const time = lastTime.toString(16).padStart(12, '0');
  const order = (0x7000 | counter).toString(16);
  const tail = random.toString('hex', used, used + 8);
  used += 8;
  const variant = ((Number.parseInt(tail.slice(0, 1), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-${order}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`;
}

/** An id that is always the same for the same names. */
export function idFromNames(...names: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(names)).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Whether a value can be the id of a session or an event. */
export function isId(id: unknown): id is string {
  if (typeof id !== 'string' || id === '' || id.length > 200) return false;
  return id.isWellFormed() && !id.includes('\0');
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
