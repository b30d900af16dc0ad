/** The most occurrences in one row that postings distinguish. */
export const MAX_FREQUENCY = 255;
/** A gap of 33 bits, and a frequency. */
const MOST_BYTES = 6;

/**
 * Encodes which rows have a term and how often: for each row the gap to the one before, times two, in 7 bits a byte, plus
 * one if it has the term more than once; then, in that case, how often.
 *
 * @param base - The row that the first gap is counted from; below the first row, or the row itself.
 * @param rows - Ascending.
 * @param from - The place of the first row that is encoded, and that after the last one.
 */
export function encodePostings(
  base: number,
  rows: ArrayLike<number>,
  frequencies: ArrayLike<number>,
  from = 0,
  to: number = rows.length,
): Uint8Array {
  return viewPostings(base, rows, frequencies, from, to).slice();
}

/** The bytes that were encoded last. Most lists are short, and there are tens of thousands of them in a change. */
let encoded = new Uint8Array(1024);

/** The same as {@link encodePostings}, valid until the next postings are encoded. */
export function viewPostings(
  base: number,
  rows: ArrayLike<number>,
  frequencies: ArrayLike<number>,
  from: number,
  to: number,
): Uint8Array {
  const most = (to - from) * MOST_BYTES;
  if (most > encoded.length) encoded = new Uint8Array(most * 2);
  const bytes = encoded;
  let length = 0;
  let before = base;
  for (let at = from; at < to; at++) {
    const row = rows[at] ?? 0;
    const frequency = frequencies[at] ?? 1;
    const isMany = frequency > 1;
    let rest = (row - before) * 2 + (isMany ? 1 : 0);
    before = row;
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes[length++] = (rest & 127) | 128;
    bytes[length++] = rest;
    if (isMany) bytes[length++] = Math.min(frequency, MAX_FREQUENCY);
  }
  return bytes.subarray(0, length);
}

/**
 * Decodes what {@link encodePostings} wrote to the places from `count` on. This is where searching spends its time: hence
 * plain loops.
 *
 * @param length - Where the bytes end.
 * @param base - The base of {@link encodePostings}.
 * @param from - Where the bytes begin.
 * @returns How many places are written then. Rows beyond the end of the arrays are counted and not written.
 */
export function decodePostings(
  bytes: Uint8Array,
  length: number,
  base: number,
  rows: Uint32Array,
  frequencies: Uint8Array,
  count = 0,
  from = 0,
): number {
  let row = base;
  let place = count;
  for (let at = from; at < length;) {
    let value = bytes[at++] ?? 0;
    if (value > 127) {
      value &= 127;
      for (let shift = 7; ; shift += 7) {
        const byte = bytes[at++] ?? 0;
        value |= (byte & 127) << shift;
        if (byte < 128) break;
      }
    }
    row += value >>> 1;
    rows[place] = row;
    frequencies[place++] = (value & 1) === 1 ? (bytes[at++] ?? 1) : 1;
  }
  return place;
}
