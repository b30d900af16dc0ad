import { createHash } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The id of a point, which must be a UUID: the id itself if it is one in small letters, else a UUID made
 * of its hash (RFC 9562, version 8). The same id gives the same point in every process.
 */
export function pointIdOf(id: string): string {
  if (UUID.test(id)) return id;
  // JSON, as a lone surrogate has no UTF-8.
  const hash = createHash('sha256').update(JSON.stringify(id)).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
