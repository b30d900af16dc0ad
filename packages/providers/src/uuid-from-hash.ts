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
