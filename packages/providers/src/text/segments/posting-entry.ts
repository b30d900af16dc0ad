import { decodePostings, encodePostings } from '../../postings/postings.ts';
import { ByteReader } from './byte-writer.ts';

/** The rows that have a term, and its places in them. */
export interface TermRows {
  /** Ascending; a row may come twice. */
  readonly rows: readonly number[];
  /** The places of all rows: for each how many there are, then each, counted from the one before. */
  readonly places: Uint8Array;
  /** For each row, where its places end. */
  readonly ends: readonly number[];
}

/** The same as bytes. */
export interface PostingEntry {
  readonly first: number;
  readonly count: number;
  readonly rows: Uint8Array;
  readonly places: Uint8Array;
}

/** Adds the bytes of places, which ascend. */
export function addPlaces(places: readonly number[], bytes: number[]): void {
  addNumber(places.length, bytes);
  let before = 0;
  for (const place of places) {
    addNumber(place - before, bytes);
    before = place;
  }
}

function addNumber(value: number, bytes: number[]): void {
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest & 127) | 128);
  bytes.push(rest);
}

/** Encodes places, which ascend. */
export function encodePlaces(places: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  addPlaces(places, bytes);
  return Uint8Array.from(bytes);
}

/** Encodes the rows from `from` up to `to`. */
export function encodeEntry(
  { rows, places, ends }: TermRows,
  from = 0,
  to: number = rows.length,
): PostingEntry {
  const first = rows[from] ?? 0;
  return {
    first,
    count: to - from,
    rows: encodePostings(first, rows, ONCE, from, to),
    places: places.subarray(ends[from - 1] ?? 0, ends[to - 1] ?? 0),
  };
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
  const ends: number[] = [];
  addEnds(bytes, count, 0, ends);
  return ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
}

/** Adds where the places of each row end, counted from `offset` before the bytes. */
export function addEnds(bytes: Uint8Array, count: number, offset: number, ends: number[]): void {
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
    ends.push(offset + at);
  }
}

/** Decodes the places of one row. */
export function decodePlaces(bytes: Uint8Array): readonly number[] {
  const reader = new ByteReader(bytes);
  let place = 0;
  return Array.from({ length: reader.number() }, () => (place += reader.number()));
}
