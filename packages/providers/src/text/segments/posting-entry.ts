import { decodePostings, encodePostings } from '../../postings/postings.ts';
import { ByteReader, ByteWriter } from './byte-writer.ts';

/** The rows that have a term, and its places in them. */
export interface TermRows {
  /** Ascending; a row may come twice. */
  readonly rows: readonly number[];
  /** For each row, its places as bytes: how many there are, then each, counted from the one before. */
  readonly places: readonly Uint8Array[];
}

/** The same as bytes. */
export interface PostingEntry {
  readonly first: number;
  readonly count: number;
  readonly rows: Uint8Array;
  readonly places: Uint8Array;
}

const writer = new ByteWriter();

/** Encodes places, which ascend. */
export function encodePlaces(places: readonly number[]): Uint8Array {
  writer.number(places.length);
  let before = 0;
  for (const place of places) {
    writer.number(place - before);
    before = place;
  }
  return writer.take();
}

/** Encodes the rows from `from` up to `to`. */
export function encodeEntry(all: TermRows, from = 0, to: number = all.rows.length): PostingEntry {
  const first = all.rows[from] ?? 0;
  for (let at = from; at < to; at++) writer.bytes(all.places[at] ?? NOWHERE);
  return {
    first,
    count: to - from,
    rows: encodePostings(first, all.rows, ONCE, from, to),
    places: writer.take(),
  };
}

/** How often a row has the term is among its places. */
const ONCE: ArrayLike<number> = [];
const NOWHERE = new Uint8Array([0]);

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
  const reader = new ByteReader(bytes);
  let at = 0;
  return Array.from({ length: count }, () => {
    const size = reader.number();
    const head = sizeOf(size);
    const own = bytes.subarray(at, at + head + reader.numbers(size).length);
    at += own.length;
    return own;
  });
}

function sizeOf(value: number): number {
  let bytes = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) bytes++;
  return bytes;
}

/** Decodes the places of one row. */
export function decodePlaces(bytes: Uint8Array): readonly number[] {
  const reader = new ByteReader(bytes);
  let place = 0;
  return Array.from({ length: reader.number() }, () => (place += reader.number()));
}
