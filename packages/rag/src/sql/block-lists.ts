import { decodePostings, LruMap } from '@vizprompt/providers/internal';

/** The postings of a term in a row of its own, or, with a number below 0, of some terms. */
export interface BlockRow {
  readonly term: number;
  /** The first chunk of the block, or one before it. */
  readonly first: number;
  readonly data: Uint8Array;
}

/** The rows of the postings of a term, in the order of their chunks. */
export type BlockList = readonly BlockRow[];

/** The postings of terms that searches have read, by number. */
export type BlockCache = LruMap<number, BlockList>;

/** Maximum size of a cache of postings, in bytes: those of some 125,000 chunks. */
const MAX_BYTES: number = 32 * 1024 * 1024;
/** Bytes of a row in memory, besides those of its postings. */
const ROW_BYTES = 160;

/** Creates a cache of postings as of one revision. */
export function blockCache(maxBytes: number = MAX_BYTES): BlockCache {
  return new LruMap(maxBytes, (list) =>
    list.reduce((sum, { data }) => sum + ROW_BYTES + data.length, ROW_BYTES),
  );
}

/** Copies postings: rows that are read together share memory, which a cache of one of them would keep. */
export function copyList(list: BlockList): BlockList {
  const bytes = new Uint8Array(list.reduce((sum, { data }) => sum + data.length, 0));
  let end = 0;
  return list.map(({ term, first, data }) => {
    const from = end;
    end += data.length;
    bytes.set(data, from);
    return { term, first, data: bytes.subarray(from, end) };
  });
}

export function blocksByTerm(rows: readonly BlockRow[]): ReadonlyMap<number, readonly BlockRow[]> {
  const byTerm = new Map<number, BlockRow[]>();
  for (const row of rows) {
    const known = byTerm.get(row.term);
    if (known) known.push(row);
    else byTerm.set(row.term, [row]);
  }
  for (const blocks of byTerm.values()) blocks.sort((a, b) => a.first - b.first);
  return byTerm;
}

/** Chunks that came after the facts have higher numbers than all that these know, or none of their documents. */
export function decodeBlocks(
  blocks: readonly BlockRow[],
  capacity: number,
  docs: Uint32Array,
  frequencies: Uint8Array,
): number {
  let count = 0;
  for (const { first, data } of blocks) {
    count = decodePostings(data, data.length, first, docs, frequencies, count);
  }
  count = Math.min(count, docs.length);
  while (count > 0 && (docs[count - 1] ?? 0) >= capacity) count--;
  return count;
}
