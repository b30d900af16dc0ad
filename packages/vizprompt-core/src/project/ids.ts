import { createHash } from 'node:crypto';

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
