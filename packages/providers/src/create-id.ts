import { checkArgument } from './input/check-input.ts';
import { wholeFrom } from './input/kinds.ts';

/** Six bytes of milliseconds. */
const TIME = wholeFrom(0, 2 ** 48 - 1);

/** Random bytes are drawn for many ids at once. */
const random = new Uint8Array(4096);
let used = random.length;
let newest = 0;
let count = 0;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Returns a new UUID of version 7: ids sort by the time they were made, and those of one process also within a millisecond.
 *
 * Source: RFC 9562, sections 5.7 and 6.2 (method 1).
 *
 * @param now - Milliseconds since 1970. Default: the time of the machine.
 * @throws InputError for a time that is no whole number: it would be in all later ids.
 */
export function createId(now: number = Date.now()): string {
  if (!TIME.accepts(now)) checkArgument('the time of createId', now, TIME);
  count = now > newest ? 0 : count + 1;
  // A clock that is set back, or more than 4,096 ids in a millisecond: borrow from the future.
  newest = Math.max(now, newest + (count > 0xfff ? 1 : 0));
  if (count > 0xfff) count = 0;
  if (used + 8 > random.length) {
    crypto.getRandomValues(random);
    used = 0;
  }
  const time = newest.toString(16).padStart(12, '0');
  const order = (0x7000 | count).toString(16);
  let tail = '';
  for (let at = 0; at < 8; at++) {
    const byte = random[used++] ?? 0;
    tail += HEX[at === 0 ? (byte & 0x3f) | 0x80 : byte];
  }
  return `${time.slice(0, 8)}-${time.slice(8)}-${order}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

/**
 * Returns the UUID that the first 16 bytes of a hash make.
 *
 * Source: RFC 9562, sections 5.5 (version 5, of a SHA-1 with a name space) and 5.8 (version 8, of any other).
 *
 * @param hash - At least 16 bytes. They stay as they are.
 */
export function uuidFromHash(hash: Uint8Array, version: 5 | 8): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  const parts = [0, 8, 12, 16, 20, 32].map((at, index, all) => hex.slice(at, all[index + 1]));
  return parts.slice(0, 5).join('-');
}
