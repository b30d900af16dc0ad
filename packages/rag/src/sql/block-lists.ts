import { decodePostings, LruMap } from '@vizprompt/providers/internal';

/** The postings of a term in a row of its own, or, with a number below 0, of some terms. */
export interface BlockRow {
  readonly term: number;
  /** The first chunk of the block, or one before it. */
  readonly first: number;
  readonly data: Uint8Array;
}

/** The postings of a term: the bytes of its rows in the order of their chunks. An object for each row would take more than they do. */
export interface BlockList {
  /** The first chunk of each row, or one before it, and where its bytes end. */
  readonly places: Uint32Array;
  readonly data: Uint8Array;
}

/** Postings as of a change, which later ones only add to until merges drop dead chunks. */
export interface HeldList extends BlockList {
  readonly revision: number;
  /** The numbers of its chunks are lower, and those of chunks of later changes are not. */
  readonly nextChunk: number;
}

/** The postings of terms that searches have read, by number. */
export type BlockCache = LruMap<number, HeldList>;

/** Maximum size of a cache of postings, in bytes: those of some 125,000 chunks. */
const MAX_BYTES: number = 32 * 1024 * 1024;
/** Bytes of a list in memory, besides those of its postings and places: its two arrays have buffers of their own. */
const LIST_BYTES = 700;

/** Creates a cache of postings. */
export function blockCache(maxBytes: number = MAX_BYTES): BlockCache {
  return new LruMap(
    maxBytes,
    ({ places, data }) => LIST_BYTES + places.byteLength + data.byteLength,
  );
}

const NO_POSTINGS: BlockList = { places: new Uint32Array(), data: new Uint8Array() };

/** Returns the postings of terms by number. They share no memory with the rows, which are read together. */
export function blocksByTerm(rows: readonly BlockRow[]): ReadonlyMap<number, BlockList> {
  const byTerm = new Map<number, BlockRow[]>();
  for (const row of rows) {
    const known = byTerm.get(row.term);
    if (known) known.push(row);
    else byTerm.set(row.term, [row]);
  }
  return new Map(Array.from(byTerm, ([term, own]) => [term, joinRows(own)]));
}

function joinRows(rows: BlockRow[]): BlockList {
  rows.sort((a, b) => a.first - b.first);
  const places = new Uint32Array(rows.length * 2);
  const data = new Uint8Array(rows.reduce((sum, row) => sum + row.data.length, 0));
  let end = 0;
  for (const [at, row] of rows.entries()) {
    data.set(row.data, end);
    end += row.data.length;
    places[at * 2] = row.first;
    places[at * 2 + 1] = end;
  }
  return { places, data };
}

/** Returns postings with those of later chunks. */
export function joinLists(
  before: BlockList = NO_POSTINGS,
  after: BlockList = NO_POSTINGS,
): BlockList {
  if (before.data.length === 0) return after;
  if (after.data.length === 0) return before;
  const places = new Uint32Array(before.places.length + after.places.length);
  places.set(before.places);
  for (const [at, place] of after.places.entries()) {
    places[before.places.length + at] = at % 2 === 0 ? place : place + before.data.length;
  }
  const data = new Uint8Array(before.data.length + after.data.length);
  data.set(before.data);
  data.set(after.data, before.data.length);
  return { places, data };
}

/** Chunks that came after the facts have higher numbers than all that these know, or none of their documents. */
export function decodeBlocks(
  list: BlockList | undefined,
  capacity: number,
  docs: Uint32Array,
  frequencies: Uint8Array,
): number {
  const { places, data } = list ?? NO_POSTINGS;
  let [count, from] = [0, 0];
  for (let at = 0; at < places.length; at += 2) {
    const end = places[at + 1] ?? 0;
    count = decodePostings(data, end, places[at] ?? 0, docs, frequencies, count, from);
    from = end;
  }
  count = Math.min(count, docs.length);
  while (count > 0 && (docs[count - 1] ?? 0) >= capacity) count--;
  return count;
}
