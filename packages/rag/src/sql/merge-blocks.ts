import type { Database, SqlExecutor } from '@vizprompt/providers';
import { decodePostings } from '@vizprompt/providers/internal';
import { BigramSketch } from '../segment/format/bigram-sketch.ts';
import { Chunk } from '../chunk/chunk.ts';
import { readText } from './chunk-text.ts';
import { givenRows, isAmong } from './given-rows.ts';
import type { IndexFacts } from './index-facts.ts';
import { PAGE_CHUNKS, PageSignature } from './page-signature.ts';
import { type BlockRow, readTexts, type SpacePlace } from './space-reader.ts';
import { BLOCK, blocksOf, type NewBlock, writeBlocks } from './write-plans.ts';

/** Terms whose postings are rewritten in one transaction. */
const TERMS_AT_ONCE = 500;
/** A term is rewritten if it has more rows than one for each of this many postings, plus one. */
const LEAST_POSTINGS = BLOCK / 4;

/** The space that is merged, and the facts of its chunks. */
export interface MergeTarget {
  readonly database: Database;
  readonly place: Omit<SpacePlace, 'executor'>;
  readonly facts: IndexFacts;
}

/** Options of {@link mergeBlocks}. */
export interface MergeOptions {
  /** True if all terms are rewritten: then no posting of a dead chunk stays. Default: those in many small rows. */
  readonly all?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const READ_COMMITTED = { isolation: 'read-committed' } as const;

/** Merges the small rows of terms, some hundreds of terms at a time; searches and writes continue meanwhile. */
export async function mergeBlocks(
  target: MergeTarget,
  { all = false, signal }: MergeOptions = {},
): Promise<number> {
  const { database, place } = target;
  const { tables, space } = place;
  const many = all ? '' : `HAVING count(*) > 1 + sum(n) / ${LEAST_POSTINGS}`;
  const rows = await database.query<{ term: number }>(
    `SELECT term FROM ${tables.block} WHERE space = ? GROUP BY term ${many} ORDER BY term`,
    [space],
  );
  for (let from = 0; from < rows.length; from += TERMS_AT_ONCE) {
    signal?.throwIfAborted();
    const terms = rows.slice(from, from + TERMS_AT_ONCE).map(({ term }) => term);
    await database.transaction((tx) => rewriteTerms(tx, target, terms), READ_COMMITTED);
  }
  return rows.length;
}

async function rewriteTerms(
  tx: SqlExecutor,
  { place, facts }: MergeTarget,
  terms: readonly number[],
): Promise<void> {
  const { dialect, tables, space } = place;
  // Searches by older facts look for chunks that are dropped here; and two merges take turns.
  await tx.execute(
    `UPDATE ${tables.space} SET swept = CASE WHEN swept < ? THEN ? ELSE swept END WHERE id = ?`,
    [facts.revision, facts.revision, space],
  );
  const among = isAmong(dialect, 'term', terms);
  const rows = await tx.query<BlockRow & { readonly n: number }>(
    `DELETE FROM ${tables.block} WHERE space = ? AND ${among.sql} RETURNING term, first, n, data`,
    [space, ...among.params],
  );
  rows.sort((a, b) => a.term - b.term || a.first - b.first);
  const isAlive = (doc: number): boolean =>
    doc >= facts.nextChunk || facts.columns.documentOf(doc) >= 0;
  const blocks: NewBlock[] = [];
  for (let at = 0; at < rows.length;) {
    const term = rows[at]?.term ?? 0;
    const start = at;
    while (rows[at]?.term === term) at++;
    blocks.push(...mergedBlocks(term, rows.slice(start, at), isAlive));
  }
  if (blocks.length > 0) await writeBlocks({ ...place, executor: tx }, blocks);
}

function mergedBlocks(
  term: number,
  rows: readonly (BlockRow & { readonly n: number })[],
  isAlive: (doc: number) => boolean,
): Iterable<NewBlock> {
  const size = rows.reduce((sum, { n }) => sum + n, 0);
  const docs = new Uint32Array(size);
  const times = new Uint8Array(size);
  let count = 0;
  for (const { first, data } of rows) {
    count = decodePostings(data, data.length, first, docs, times, count);
  }
  let kept = 0;
  for (let at = 0; at < count; at++) {
    const doc = docs[at] ?? 0;
    if (!isAlive(doc)) continue;
    docs[kept] = doc;
    times[kept++] = times[at] ?? 1;
  }
  return blocksOf(term, docs, times, kept);
}

/** Adds the counts of all changes up to those of the facts into one row. */
export async function foldSketches({ database, place, facts }: MergeTarget): Promise<void> {
  const { tables, space } = place;
  const upTo = [space, facts.revision];
  await database.transaction(async (tx) => {
    await tx.execute(`UPDATE ${tables.space} SET swept = swept WHERE id = ?`, [space]);
    const rows = await tx.query<{ revision: number; data: Uint8Array }>(
      `DELETE FROM ${tables.sketch} WHERE space = ? AND revision <= ? RETURNING revision, data`,
      upTo,
    );
    if (rows.length === 0) return;
    const sum = new BigramSketch();
    for (const { data } of rows) sum.addBytes(data);
    const revision = Math.max(...rows.map((row) => row.revision));
    await tx.execute(`INSERT INTO ${tables.sketch} VALUES (?, ?, 1, ?)`, [
      space,
      revision,
      sum.write().slice(),
    ]);
  }, READ_COMMITTED);
}

/**
 * Writes the signatures of pages that are full; those that have one stay.
 *
 * @param again - True if signatures of pages with dead chunks are written again, without the pairs of these chunks.
 */
export async function signPages(
  { database, place, facts }: MergeTarget,
  { again = false, signal }: { again?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const { dialect, tables, space } = place;
  const rows = await database.query<{ page: number }>(
    `SELECT page FROM ${tables.signature} WHERE space = ?`,
    [space],
  );
  const signed = new Set(rows.map(({ page }) => page));
  for (let page = 0; (page + 1) * PAGE_CHUNKS <= facts.nextChunk; page++) {
    const ids = Array.from({ length: PAGE_CHUNKS }, (_, at) => page * PAGE_CHUNKS + at);
    const living = ids.filter((id) => facts.columns.documentOf(id) >= 0);
    if (signed.has(page) && !(again && living.length < PAGE_CHUNKS)) continue;
    signal?.throwIfAborted();
    const signature = new PageSignature();
    if (living.length > 0) {
      for (const { chunk, data } of await readTexts({ ...place, executor: database }, living)) {
        const { fields } = readText(data);
        const nowhere = { novelId: '', filePath: '', chunkIndex: 0, startLine: 1, endLine: 1 };
        signature.add(chunk, new Chunk({ ...fields, ...nowhere }));
      }
    }
    const given = givenRows(dialect, { page: 'int', data: 'bytes' }, [[page, signature.bytes]]);
    await database.transaction(async (tx) => {
      // A space that was deleted meanwhile must not get rows again.
      const { changes } = await tx.execute(
        `UPDATE ${tables.space} SET swept = swept WHERE id = ?`,
        [space],
      );
      if (changes === 0) return;
      await tx.execute(
        `INSERT INTO ${tables.signature} SELECT CAST(? AS INTEGER), given.page, given.data
         FROM ${given.sql} WHERE true ON CONFLICT (space, page) DO UPDATE SET data = excluded.data`,
        [space, ...given.params],
      );
    }, READ_COMMITTED);
    await new Promise(setImmediate);
  }
}

/** Deletes the rows of terms that no chunk has, and of documents that went. */
export async function deleteGone({ database, place }: MergeTarget): Promise<void> {
  const { tables, space } = place;
  await database.transaction(async (tx) => {
    await tx.execute(
      `UPDATE ${tables.space} SET revision = revision + 1, purged = revision + 1,
         swept = revision + 1 WHERE id = ?`,
      [space],
    );
    const gone = `SELECT id FROM ${tables.term} WHERE space = ? AND chunks <= 0`;
    for (const table of [tables.lookup, tables.block]) {
      await tx.execute(`DELETE FROM ${table} WHERE space = ? AND term IN (${gone})`, [
        space,
        space,
      ]);
    }
    await tx.execute(`DELETE FROM ${tables.term} WHERE space = ? AND chunks <= 0`, [space]);
    await tx.execute(`DELETE FROM ${tables.document} WHERE space = ? AND length(facts) = 0`, [
      space,
    ]);
  }, READ_COMMITTED);
}
