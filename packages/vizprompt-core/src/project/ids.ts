import { createHash, randomBytes } from 'node:crypto';

/** Whether a text is a UUID of any version. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

function format(bytes: Uint8Array, version: number): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join('-');
}

let lastTime = 0;
let sequence = 0;

/**
 * A new UUID of version 7: ids sort by the time they were made, also within a millisecond.
 *
 * Source: RFC 9562, sections 5.7 and 6.2 (method 1).
 *
 * @param now - Milliseconds since 1970.
 */
export function createUuid(now: number = Date.now()): string {
  sequence = now > lastTime ? 0 : sequence + 1;
  // A clock that is set back, or more than 4,096 ids in a millisecond: borrow from the future.
  const time = Math.max(now, lastTime + (sequence > 0xfff ? 1 : 0));
  if (sequence > 0xfff) sequence = 0;
  lastTime = time;
  const bytes = randomBytes(16);
  bytes.writeUIntBE(time, 0, 6);
  bytes.writeUInt16BE(sequence, 6);
  return format(bytes, 7);
}

/** The name space of all ids that are made from names: an id made for this SDK. */
const NAMESPACE = Buffer.from('6c1a4f0e7d2b4c3a9f5e8b1d0a7c6e42', 'hex');

/**
 * The UUID of version 5 of a name: always the same for the same name.
 *
 * Source: RFC 9562, section 5.5.
 */
export function uuidFromName(...name: readonly string[]): string {
  const digest = createHash('sha1').update(NAMESPACE).update(JSON.stringify(name)).digest();
  return format(digest.subarray(0, 16), 5);
}
