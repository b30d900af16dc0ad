import { viewPostings } from '@vizprompt/providers/internal';
import { ByteWriter } from '../binary/section-file.ts';
import { givenRows } from './given-rows.ts';
import type { SpacePlace } from './space-reader.ts';
import { BUNDLE_POSTINGS, bundleOf, type TermPostings, writeBundle } from './term-bundles.ts';

/** Postings of one row. */
export const BLOCK = 1024;

/** A row of postings: of a term, or of the rare ones of a bundle. */
export type NewBlock = readonly [term: number, first: number, n: number, data: Uint8Array];

/** Cuts the postings of terms into rows, whose bytes are parts of the same ones. */
export function blocksOf(lists: readonly TermPostings[]): readonly NewBlock[] {
  const writer = new ByteWriter(1 << 16);
  const rows: (readonly [term: number, first: number, n: number, end: number])[] = [];
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
      writer.append(viewPostings(first, docs, times, from, to));
      rows.push([term, first, to - from, writer.length]);
    }
  }
  for (const [bundle, own] of bundles) {
    let [base, n] = [Infinity, 0];
    for (const { docs, from = 0, count } of own) {
      base = Math.min(base, docs[from] ?? 0);
      n += count;
    }
    writeBundle(writer, base, own);
    rows.push([bundle, base, n, writer.length]);
  }
  const bytes = writer.view();
  let start = 0;
  return rows.map(([term, first, n, end]) => {
    const data = bytes.subarray(start, end);
    start = end;
    return [term, first, n, data];
  });
}

/** Rows of one statement. */
const BLOCKS_AT_ONCE = 20_000;

export async function writeBlocks(
  { executor, dialect, tables, space }: SpacePlace,
  blocks: readonly NewBlock[],
): Promise<void> {
  const all = blocks.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
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
