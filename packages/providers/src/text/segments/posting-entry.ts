import { decodePostings, encodePostings } from '../../postings/postings.ts';
import type { ByteWriter } from './byte-writer.ts';

/** The rows that have a term, and its places in them. */
export interface TermRows {
  readonly count: number;
  /** Ascending, up to {@link count}; a row may come twice. */
  readonly rows: Uint32Array;
  /** The places of all rows: for each how many there are, then each, counted from the one before. */
  readonly places: Uint8Array;
  /** For each row, where its places end. */
  readonly ends: Uint32Array;
}

/** The same as bytes. */
export interface PostingEntry {
  readonly first: number;
  readonly count: number;
  readonly rows: Uint8Array;
  readonly places: Uint8Array;
}

/** Encodes places, which ascend. */
export function encodePlaces(places: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  addNumber(places.length, bytes);
  let before = 0;
  for (const place of places) {
    addNumber(place - before, bytes);
    before = place;
  }
  return Uint8Array.from(bytes);
}

function addNumber(value: number, bytes: number[]): void {
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest & 127) | 128);
  bytes.push(rest);
}

/** Encodes the rows from `from` up to `to`. */
export function encodeEntry(
  { count, rows, places, ends }: TermRows,
  from = 0,
  to: number = count,
): PostingEntry {
  const first = rows[from] ?? 0;
  return {
    first,
    count: to - from,
    rows: encodePostings(first, rows, ONCE, from, to),
    places: places.slice(from === 0 ? 0 : ends[from - 1], ends[to - 1] ?? 0),
  };
}

/**
 * Joins entries of one term whose rows follow each other. Only the first gap of each is written again: it is the first byte,
 * and counted from its own first row.
 *
 * @param scratch - Where the bytes are written; the result is valid until it is written to again.
 * @returns Nothing if the rows of one come before the last of the one before.
 */
export function joinEntries(
  entries: readonly PostingEntry[],
  scratch: Readonly<Record<'rows' | 'places', ByteWriter>>,
): PostingEntry | undefined {
  const [head] = entries;
  if (!head || entries.length === 1) return head;
  const { rows, places } = scratch;
  rows.clear();
  places.clear();
  let count = 0;
  let last = head.first;
  for (const entry of entries) {
    if (entry.first < last) return undefined;
    rows.number((entry.first - last) * 2);
    rows.bytes(entry.rows.subarray(1));
    places.bytes(entry.places);
    count += entry.count;
    last = lastRow(entry);
  }
  return { first: head.first, count, rows: rows.written(), places: places.written() };
}

/** Returns the last row of an entry. */
function lastRow({ first, rows }: Pick<PostingEntry, 'first' | 'rows'>): number {
  let last = first;
  for (let at = 0; at < rows.length;) {
    let factor = 1;
    let value = 0;
    for (let byte = 128; byte > 127; factor *= 128) {
      byte = rows[at++] ?? 0;
      value += (byte & 127) * factor;
    }
    last += value / 2;
  }
  return last;
}

/** How often a row has the term is among its places. */
const ONCE: ArrayLike<number> = [];

/** Decodes the rows of an entry. */
export function decodeRows({
  first,
  count,
  rows: bytes,
}: Omit<PostingEntry, 'places'>): Uint32Array {
  const rows = new Uint32Array(count);
  decodePostings(bytes, bytes.length, first, rows, UNUSED, 0);
  return rows;
}

const UNUSED = new Uint8Array(0);

/** Cuts the places of an entry into those of each row. */
export function cutPlaces(bytes: Uint8Array, count: number): readonly Uint8Array[] {
  const ends = endsOfPlaces(bytes, count);
  return Array.from(ends, (end, at) => bytes.subarray(at === 0 ? 0 : ends[at - 1], end));
}

/** Returns where the places of each row end. */
export function endsOfPlaces(bytes: Uint8Array, count: number): Uint32Array {
  const ends = new Uint32Array(count);
  let at = 0;
  for (let row = 0; row < count; row++) {
    let left = 0;
    let factor = 1;
    for (;;) {
      const byte = bytes[at++] ?? 0;
      left += (byte & 127) * factor;
      if (byte < 128) break;
      factor *= 128;
    }
    for (; left > 0 && at < bytes.length; at++) if ((bytes[at] ?? 0) < 128) left--;
    ends[row] = at;
  }
  return ends;
}

/** Decodes the places of one row. */
export function decodePlaces(bytes: Uint8Array): readonly number[] {
  const places: number[] = [];
  let place = 0;
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  for (let left = number(); left > 0; left--) places.push((place += number()));
  return places;
}
