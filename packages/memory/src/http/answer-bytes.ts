/** A page ends before it has more bytes of JSON than this, but for its first entry. */
export const PAGE_BYTES: number = 1 << 20;

/** Returns the bytes of values as JSON. */
export function jsonBytes(values: object): number {
  return Buffer.byteLength(JSON.stringify(values));
}

/** Returns the first entries that fit into a page, and at least one. */
export function firstBytes<Entry extends object>(entries: readonly Entry[]): readonly Entry[] {
  let bytes = 0;
  const end = entries.findIndex((entry, at) => {
    bytes += jsonBytes(entry);
    return at > 0 && bytes > PAGE_BYTES;
  });
  return end < 0 ? entries : entries.slice(0, end);
}
