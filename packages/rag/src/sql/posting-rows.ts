import { encodePostings } from '@vizprompt/providers/internal';
import { givenRows } from './given-rows.ts';
import type { SpacePlace } from './space-reader.ts';
import { BUNDLE_POSTINGS, bundleOf, type TermPostings, writeBundle } from './term-bundles.ts';

/** Postings of one row. */
export const BLOCK = 1024;

/** A row of postings: of a term, or of the rare ones of a bundle. */
export type NewBlock = readonly [term: number, first: number, n: number, data: Uint8Array];

/** Cuts the postings of terms into rows. */
export function* blocksOf(lists: readonly TermPostings[]): Generator<NewBlock> {
  const bundles = new Map<number, TermPostings[]>();
  for (const list of lists) {
    const { term, docs, times, from: start = 0, count } = list;
    if (count <= BUNDLE_POSTINGS) {
      const bundle = bundleOf(term);
      const known = bundles.get(bundle);
      if (known) known.push(list);
      else bundles.set(bundle, [list]);
      continue;
    }
    for (let from = start; from < start + count; from += BLOCK) {
      const to = Math.min(start + count, from + BLOCK);
      const first = docs[from] ?? 0;
      yield [term, first, to - from, encodePostings(first, docs, times, from, to)];
    }
  }
  for (const [bundle, own] of bundles) {
    const base = Math.min(...own.map(({ docs, from = 0 }) => docs[from] ?? 0));
    const n = own.reduce((sum, { count }) => sum + count, 0);
    yield [bundle, base, n, writeBundle(base, own)];
  }
}

/** Rows of one statement. */
const BLOCKS_AT_ONCE = 20_000;

export async function writeBlocks(
  { executor, dialect, tables, space }: SpacePlace,
  blocks: Iterable<NewBlock>,
): Promise<void> {
  const all = [...blocks].toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const columns = { term: 'int', first: 'int', n: 'int', data: 'bytes' } as const;
  for (let from = 0; from < all.length; from += BLOCKS_AT_ONCE) {
    const given = givenRows(dialect, columns, all.slice(from, from + BLOCKS_AT_ONCE));
    await executor.execute(
      `INSERT INTO ${tables.block} SELECT CAST(? AS INTEGER), given.term, given.first, given.n, given.data
       FROM ${given.sql}`,
      [space, ...given.params],
    );
  }
}
