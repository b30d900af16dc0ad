/** A value in an array of PostgreSQL. */
export type ArrayCell = number | string | Uint8Array | null;

/** Returns an array of PostgreSQL as text, to be cast: `CAST(? AS BIGINT[])`. */
export function sqlArray(cells: readonly ArrayCell[]): string {
  const texts = cells.map((cell) => {
    if (cell === null) return 'NULL';
    if (typeof cell === 'number') return String(cell);
    if (typeof cell === 'string') return `"${cell.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
    return String.raw`"\\x${hexOf(cell)}"`;
  });
  return `{${texts.join(',')}}`;
}

/** Returns bytes as hexadecimal digits. */
export function hexOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex');
}
