import type { Database, SqlExecutor } from '@vizprompt/providers';
import { decodePostings } from '@vizprompt/providers/internal';
import { BigramSketch } from '../segment/format/bigrams.ts';
import { Chunk } from '../chunk/chunk.ts';
import { givenRows, isAmong } from './given-rows.ts';
import { type IndexFacts, withEffects } from './index-facts.ts';
import { PAGE_CHUNKS, PageSignature } from './page-signature.ts';
import type { BlockRow } from './block-lists.ts';
import { readTexts, signatureRows, type SpacePlace } from './space-reader.ts';
import { type NewTerm, TermTable } from './term-table.ts';
import { writeTerms } from './term-rows.ts';
import { BLOCK, blocksOf, writeBlocks } from './posting-rows.ts';
import {
  BUNDLE_POSTINGS,
  BUNDLE_TERMS,
  countPostings,
  eachOfBundle,
  termsOfBundle,
  type TermPostings,
} from './term-bundles.ts';

/** Bundles of terms whose postings are rewritten in one transaction. */
const BUNDLES_AT_ONCE = 64;
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

/**
 * Merges the small rows of terms, some bundles of terms at a time; searches and writes continue meanwhile.
 *
 * @returns How many bundles were rewritten.
 */
export async function mergeBlocks(
  target: MergeTarget,
  { all = false, signal }: MergeOptions = {},
): Promise<number> {
  const { database, place } = target;
  const { tables, space } = place;
  const many = all
    ? ''
    : `HAVING max(CASE WHEN parts > 1 + size / ${LEAST_POSTINGS} THEN 1 ELSE 0 END) = 1
         OR sum(CASE WHEN term < 0 OR size <= ${BUNDLE_POSTINGS} THEN 1 ELSE 0 END) > 1`;
  const rows = await database.query<{ bundle: number }>(
    `SELECT bundle FROM (
       SELECT CASE WHEN term < 0 THEN term ELSE -1 - term / ${BUNDLE_TERMS} END AS bundle, term,
         count(*) AS parts, sum(n) AS size FROM ${tables.block} WHERE space = ? GROUP BY term
     ) AS terms GROUP BY bundle ${many} ORDER BY bundle DESC`,
    [space],
  );
  for (let from = 0; from < rows.length; from += BUNDLES_AT_ONCE) {
    signal?.throwIfAborted();
    const bundles = rows.slice(from, from + BUNDLES_AT_ONCE).map(({ bundle }) => bundle);
    await database.transaction((tx) => rewriteBundles(tx, target, bundles), READ_COMMITTED);
  }
  return rows.length;
}

async function rewriteBundles(
  tx: SqlExecutor,
  { place, facts }: MergeTarget,
  bundles: readonly number[],
): Promise<void> {
  const { dialect, tables, space } = place;
  // Searches by older facts look for chunks that are dropped here; and two merges take turns.
  await tx.execute(
    `UPDATE ${tables.space} SET swept = CASE WHEN swept < ? THEN ? ELSE swept END WHERE id = ?`,
    [facts.revision, facts.revision, space],
  );
  const among = isAmong(dialect, 'term', [...bundles, ...bundles.flatMap(termsOfBundle)]);
  // Rows of later changes stay as they are: until the space is swept again, processes add them to those that they have.
  const rows = await tx.query<BlockRow & { readonly n: number }>(
    `DELETE FROM ${tables.block} WHERE space = ? AND ${among.sql} AND first < ?
     RETURNING term, first, n, data`,
    [space, ...among.params, facts.nextChunk],
  );
  const isAlive = (doc: number): boolean =>
    doc >= facts.nextChunk || facts.columns.documentOf(doc) >= 0;
  const lists = [...rowsByTerm(rows)].map(([term, own]) => mergedPostings(term, own, isAlive));
  const living = lists.filter(({ count }) => count > 0).toSorted((a, b) => a.term - b.term);
  if (living.length > 0) await writeBlocks({ ...place, executor: tx }, blocksOf(living));
}

type CountedRow = Omit<BlockRow, 'term'> & { readonly n: number };

function rowsByTerm(
  rows: readonly (BlockRow & { readonly n: number })[],
): ReadonlyMap<number, readonly CountedRow[]> {
  const byTerm = new Map<number, CountedRow[]>();
  const add = (term: number, row: CountedRow): void => {
    const known = byTerm.get(term);
    if (known) known.push(row);
    else byTerm.set(term, [row]);
  };
  for (const row of rows.toSorted((a, b) => a.first - b.first)) {
    const { term: bundle, first, data } = row;
    if (bundle >= 0) add(bundle, row);
    else {
      eachOfBundle(bundle, data, (term, postings) =>
        add(term, { first, data: postings, n: countPostings(postings) }),
      );
    }
  }
  return byTerm;
}

function mergedPostings(
  term: number,
  rows: readonly CountedRow[],
  isAlive: (doc: number) => boolean,
): TermPostings {
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
  return { term, docs, times, count: kept };
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

/** How much changes of terms may weigh, as a part of all terms, before they are added to these. */
const LOOSE_PART = 1 / 4;
/** Which part of the terms no chunk may have any more before these are left out. */
const GONE_PART = 1 / 4;

/**
 * Adds the changes of terms up to those of the facts to all terms, if there are many. If many terms are in no chunk any more,
 * they are left out.
 */
export async function foldTerms({ database, place, facts }: MergeTarget): Promise<void> {
  const { tables, space } = place;
  const [size] = await database.query<{ loose: number; whole: number }>(
    `SELECT coalesce(sum(CASE WHEN is_sum = 0 THEN length(data) ELSE 0 END), 0) AS loose,
       coalesce(sum(CASE WHEN is_sum = 1 THEN length(data) ELSE 0 END), 0) AS whole
     FROM ${tables.vocabulary} WHERE space = ?`,
    [space],
  );
  if (!size || size.loose <= size.whole * LOOSE_PART) return;
  const leavesOut = facts.terms.partGone() > GONE_PART;
  await database.transaction(async (tx) => {
    // A revision of its own, so that no process keeps the numbers of terms that are left out.
    const [row] = await tx.query<{ revision: number }>(
      `UPDATE ${tables.space} SET revision = revision + ${leavesOut ? 1 : 0} WHERE id = ?
       RETURNING revision`,
      [space],
    );
    if (!row) return;
    const own = { ...place, executor: tx };
    if (leavesOut) await foldInto(own, row.revision, isGone);
    else await foldInto(own, facts.revision);
  }, READ_COMMITTED);
}

/** Checks whether no chunk has a term any more. */
function isGone({ chunks }: NewTerm): boolean {
  return chunks <= 0;
}

/**
 * Replaces what changes did to the terms by all terms as of a revision.
 *
 * @param isLeftOut - Returns true for a term that is left out.
 * @returns The terms that are left out.
 */
async function foldInto(
  place: SpacePlace,
  revision: number,
  isLeftOut: (term: NewTerm) => boolean = () => false,
): Promise<readonly number[]> {
  const { executor, tables, space } = place;
  const rows = await executor.query<{ no: number; sum: number; data: Uint8Array }>(
    `DELETE FROM ${tables.vocabulary} WHERE space = ? AND revision <= ?
     RETURNING revision AS no, is_sum AS sum, data`,
    [space, revision],
  );
  if (rows.length === 0) return [];
  const effects = rows
    .map(({ no, sum, data }) => ({ revision: no, isSum: sum === 1, data }))
    .toSorted((a, b) => a.revision - b.revision);
  const all = [...withEffects(new TermTable(), effects, -1).terms()];
  const data = writeTerms({ added: all.filter((term) => !isLeftOut(term)), deltas: [] });
  await writeTermSum(place, revision, data);
  return all.filter(isLeftOut).map(({ id }) => id);
}

/** Writes a row that says which terms a space has as of a revision. */
export async function writeTermSum(
  { executor, tables, space }: SpacePlace,
  revision: number,
  data: Uint8Array,
): Promise<void> {
  await executor.execute(`INSERT INTO ${tables.vocabulary} VALUES (?, ?, 1, ?)`, [
    space,
    revision,
    data,
  ]);
}

/**
 * Writes the signatures of pages that are full; those that have one of this version stay.
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
    const { chunks, packs, old } = signatureRows(page);
    const isSigned = signed.has(chunks) && signed.has(packs);
    if (isSigned && !(again && living.length < PAGE_CHUNKS)) continue;
    signal?.throwIfAborted();
    const signature = new PageSignature();
    if (living.length > 0) {
      for (const { chunk, text } of await readTexts({ ...place, executor: database }, living)) {
        const { fields } = text;
        const nowhere = { novelId: '', filePath: '', chunkIndex: 0, startLine: 1, endLine: 1 };
        signature.add(chunk, new Chunk({ ...fields, ...nowhere }));
      }
    }
    const given = givenRows(dialect, { page: 'int', data: 'bytes' }, [
      [chunks, signature.bytes],
      [packs, signature.packs],
    ]);
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
      const before = isAmong(dialect, 'page', old);
      await tx.execute(`DELETE FROM ${tables.signature} WHERE space = ? AND ${before.sql}`, [
        space,
        ...before.params,
      ]);
    }, READ_COMMITTED);
    await new Promise(setImmediate);
  }
}

/** Deletes the terms that no chunk has, and the rows of documents that went. */
export async function deleteGone({ database, place }: MergeTarget): Promise<void> {
  const { dialect, tables, space } = place;
  await database.transaction(async (tx) => {
    const [row] = await tx.query<{ revision: number }>(
      `UPDATE ${tables.space} SET revision = revision + 1, purged = revision + 1,
         swept = revision + 1 WHERE id = ? RETURNING revision`,
      [space],
    );
    if (!row) return;
    const own = { ...place, executor: tx };
    const gone = await foldInto(own, row.revision, isGone);
    if (gone.length > 0) {
      const among = isAmong(dialect, 'term', gone);
      await tx.execute(`DELETE FROM ${tables.block} WHERE space = ? AND ${among.sql}`, [
        space,
        ...among.params,
      ]);
    }
    await tx.execute(`DELETE FROM ${tables.document} WHERE space = ? AND length(facts) = 0`, [
      space,
    ]);
  }, READ_COMMITTED);
}
