/** A row of two numbers and bytes. */
export interface PackedRow {
  readonly key: number;
  readonly number: number;
  readonly data: Uint8Array;
}

/** Bytes before those of a row: its numbers, and how many bytes it has. */
const HEAD = 12;

/**
 * Returns an expression that puts the rows of a statement of PostgreSQL into one string. A process reads bytes as hexadecimal
 * digits in twice the time, and each row that comes alone takes it as long as some hundred bytes.
 *
 * @param key - The columns with the numbers of a row; those of its bytes are in `data`.
 */
export function packedRows(key: string, number: string): string {
  const numbers = [key, number, 'length(data)'].map((column) => `int4send(${column})`);
  return `coalesce(encode(string_agg(${numbers.join(' || ')} || data, CAST('' AS BYTEA)), 'base64'), '')`;
}

/** Returns the rows of {@link packedRows}. */
export function unpackRows(packed: string): readonly PackedRow[] {
  const bytes = Buffer.from(packed, 'base64');
  const rows: PackedRow[] = [];
  for (let at = 0; at < bytes.length;) {
    const from = at + HEAD;
    const end = from + bytes.readInt32BE(at + 8);
    const data = bytes.subarray(from, end);
    rows.push({ key: bytes.readInt32BE(at), number: bytes.readInt32BE(at + 4), data });
    at = end;
  }
  return rows;
}
