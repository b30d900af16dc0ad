import type { SqlExecutor, SqlValue } from '@vizprompt/providers';
import type { Dialect } from '@vizprompt/providers/internal';
import type { BackendStats, DocumentRef } from '../contract/search-backend.ts';
import type { BlockRow } from './block-lists.ts';
import { isAmong, type SqlPiece, typeOf } from './given-rows.ts';
import type { Changes, DocumentRow, EffectRow, SpaceState } from './index-facts.ts';
import { packedRows, unpackRows } from './packed-rows.ts';
import { PACK_SLICE_BYTES, SLICE_BYTES, type TextSlices } from './page-signature.ts';
import { analyzerOf, type SqlTables } from './sql-tables.ts';
import { fromSql, keyOf } from './sql-text.ts';
import { bundleOf, eachOfBundle } from './term-bundles.ts';
import { type PackRow, packsOf, readPack, type ReadText } from './text-pack.ts';

/** Where the rows of an index are. */
export interface SpacePlace {
  readonly executor: SqlExecutor;
  readonly dialect: Dialect;
  readonly tables: SqlTables;
  /** The name of the space. */
  readonly name: string;
  /** Its number. */
  readonly space: number;
}

/** The kinds of rows of {@link readState}. */
const ROW = { document: 0, sketch: 1, state: 2, vocabulary: 3, block: 4 } as const;

type ChangeRow = {
  readonly kind: number;
  readonly no: number;
  readonly id: number;
  readonly n: number;
  readonly text: string;
  readonly data: Uint8Array;
};

/** The terms whose postings are read. */
export interface AskedPostings {
  /** All of their rows. */
  readonly terms: readonly number[];
  /** Terms of which only rows of chunks from these numbers on are read. */
  readonly later: ReadonlyMap<number, number>;
}

const NO_POSTINGS: AskedPostings = { terms: [], later: new Map() };

/** The result of {@link readState}. */
export interface ReadState {
  /** Nothing if there is no such space. */
  readonly changes: Changes | undefined;
  readonly blocks: readonly BlockRow[];
}

/**
 * Reads in one statement, and so as one revision, the state of a space, what changed since another revision, and the postings of
 * terms.
 *
 * @param since - The revision; -1 for all.
 */
export async function readState(
  { executor, dialect, tables, name, space }: SpacePlace,
  since: number,
  asked: AskedPostings = NO_POSTINGS,
): Promise<ReadState> {
  const nothing = `CAST(NULL AS ${typeOf(dialect, 'bytes')})`;
  const isAsked = asked.terms.length + asked.later.size > 0;
  const blocks = selectBlocks({ dialect, tables, space }, asked);
  const params = [space, since, space, since, space, since, keyOf(name)];
  const rows = await executor.query<ChangeRow>(
    `SELECT ${ROW.document} AS kind, revision AS no, id AS id, 0 AS n,
       '["' || novel || '","' || path || '"]' AS text, facts AS data
     FROM ${tables.document} WHERE space = ? AND revision > ?
     UNION ALL SELECT ${ROW.sketch}, revision, is_sum, 0, '', data
     FROM ${tables.sketch} WHERE space = ? AND revision > ?
     UNION ALL SELECT ${ROW.vocabulary}, revision, is_sum, 0, '', data
     FROM ${tables.vocabulary} WHERE space = ? AND revision > ?
     UNION ALL SELECT ${ROW.state}, revision, id, swept,
       purged || ' ' || next_chunk || ' ' || analyzer, ${nothing}
     FROM ${tables.space} WHERE name = ? AND is_current = 1${
       !isAsked
         ? ''
         : `
     UNION ALL SELECT ${ROW.block}, ${
       dialect === 'postgres'
         ? `0, 0, 0, ${packedRows('term', 'first')}, ${nothing}`
         : `term, first, 0, '', data`
     } FROM (${blocks.sql}) AS blocks`
     }`,
    isAsked ? [...params, ...blocks.params] : params,
  );
  const of = (kind: keyof typeof ROW): readonly ChangeRow[] =>
    rows.filter((row) => row.kind === ROW[kind]);
  const [state] = of('state').map(stateOf);
  const effects = (kind: 'sketch' | 'vocabulary'): readonly EffectRow[] =>
    of(kind)
      .map(effectOf)
      .toSorted((a, b) => a.revision - b.revision);
  return {
    changes: state && {
      state,
      documents: of('document').map(documentOf),
      sketches: effects('sketch'),
      vocabulary: effects('vocabulary'),
    },
    blocks: ofTerms(
      asked,
      dialect === 'postgres'
        ? of('block').flatMap(({ text }) => packedBlocks(text))
        : of('block').map(({ no: term, id: first, data }) => ({ term, first, data })),
    ),
  };
}

/**
 * Reads what changes did to the terms of a space.
 *
 * @param since - The revision after which they begin; -1 for all.
 * @param before - The revision before which they end.
 */
export async function readVocabulary(
  { executor, tables, space }: SpacePlace,
  since: number,
  before: number,
): Promise<readonly EffectRow[]> {
  const rows = await executor.query<{ no: number; id: number; data: Uint8Array }>(
    `SELECT revision AS no, is_sum AS id, data FROM ${tables.vocabulary}
     WHERE space = ? AND revision > ? AND revision < ? ORDER BY revision`,
    [space, since, before],
  );
  return rows.map(effectOf);
}

function stateOf({ no, id, n, text }: ChangeRow): SpaceState {
  const [purged = '', nextChunk = '', ...analyzer] = text.split(' ');
  return {
    id,
    revision: no,
    swept: n,
    purged: Number(purged),
    nextChunk: Number(nextChunk),
    analyzer: analyzerOf(fromSql(analyzer.join(' '))),
  };
}

function documentOf({ no, id, text, data }: ChangeRow): DocumentRow {
  const [novelId, filePath]: readonly [string, string] = JSON.parse(text);
  return { id, revision: no, novelId, filePath, facts: data };
}

function effectOf({ no, id, data }: Pick<ChangeRow, 'no' | 'id' | 'data'>): EffectRow {
  return { revision: no, isSum: id === 1, data };
}

/** Returns the statement that selects rows of postings. */
function selectBlocks(
  { dialect, tables, space }: Pick<SpacePlace, 'dialect' | 'tables' | 'space'>,
  { terms, later }: AskedPostings,
): SqlPiece {
  const whole = withBundles(terms);
  const known = new Set(whole);
  const rest = withBundles(later.keys()).filter((term) => !known.has(term));
  const from = Math.min(...later.values());
  const select = (numbers: readonly number[]): SqlPiece => {
    const among = isAmong(dialect, 'term', numbers);
    return {
      sql: `SELECT term, first, data FROM ${tables.block} WHERE space = ? AND ${among.sql}`,
      params: [space, ...among.params],
    };
  };
  const all = select(whole);
  if (rest.length === 0) return all;
  const some = select(rest);
  return {
    sql: `${all.sql} UNION ALL ${some.sql} AND first >= ?`,
    params: [...all.params, ...some.params, from],
  };
}

interface ReadBlocks extends Pick<SpaceState, 'revision' | 'swept'> {
  readonly blocks: readonly BlockRow[];
}

/**
 * Reads the postings of terms.
 *
 * @returns They, the last change that they have, and the last one whose dead chunks are in none of them; nothing if the space is
 * gone.
 */
export async function readBlocks(
  { executor, dialect, tables, space }: SpacePlace,
  asked: AskedPostings,
): Promise<ReadBlocks | undefined> {
  const { sql, params } = selectBlocks({ dialect, tables, space }, asked);
  if (dialect === 'postgres') {
    const [state] = await executor.query<{ revision: number; swept: number; packed: string }>(
      `SELECT revision, swept, (SELECT ${packedRows('term', 'first')} FROM (${sql}) AS blocks) AS packed
       FROM ${tables.space} WHERE id = ?`,
      [...params, space],
    );
    if (!state) return undefined;
    const { revision, swept, packed } = state;
    return { revision, swept, blocks: ofTerms(asked, packedBlocks(packed)) };
  }
  const rows = await executor.query<BlockRow & { readonly revision: number }>(
    `SELECT 0 AS term, swept AS first, revision, CAST(NULL AS ${typeOf(dialect, 'bytes')}) AS data
     FROM ${tables.space} WHERE id = ? UNION ALL SELECT term, first, 0, data FROM (${sql}) AS blocks`,
    [space, ...params],
  );
  const [state] = rows.filter(({ term }) => term === 0);
  return state && { revision: state.revision, swept: state.first, blocks: ofTerms(asked, rows) };
}

function packedBlocks(packed: string): readonly BlockRow[] {
  return unpackRows(packed).map(({ key: term, number: first, data }) => ({ term, first, data }));
}

function withBundles(terms: Iterable<number>): readonly number[] {
  const own = [...terms];
  return [...own, ...new Set(own.map(bundleOf))];
}

/** Returns the rows of terms; of rows that terms share, what is of these. */
function ofTerms({ terms, later }: AskedPostings, rows: readonly BlockRow[]): readonly BlockRow[] {
  const least = new Map(later);
  for (const term of terms) least.set(term, 0);
  const blocks: BlockRow[] = [];
  const add = (row: BlockRow): void => {
    if (row.first >= (least.get(row.term) ?? Infinity)) blocks.push(row);
  };
  for (const row of rows) {
    const { term: bundle, first, data } = row;
    if (bundle > 0) add(row);
    if (bundle >= 0) continue;
    eachOfBundle(bundle, data, (term, postings) => add({ term, first, data: postings }));
  }
  return blocks;
}

/**
 * Reads the texts of chunks by their numbers, in no order. Those of chunks that went are missing.
 *
 * @param numberOf - As of {@link readPack}.
 */
export async function readTexts(
  { executor, dialect, tables, space }: SpacePlace,
  chunks: readonly number[],
  numberOf?: (term: string) => number,
): Promise<readonly ReadText[]> {
  const asked = new Set(chunks);
  const among = isAmong(dialect, 'chunk', packsOf(chunks));
  const from = `FROM ${tables.text} WHERE space = ? AND ${among.sql}`;
  const params = [space, ...among.params];
  if (dialect === 'postgres') {
    const [row] = await executor.query<{ packed: string }>(
      `SELECT ${packedRows('chunk', 'n')} AS packed ${from}`,
      params,
    );
    return unpackRows(row?.packed ?? '').flatMap(({ key: chunk, data }) =>
      readPack({ chunk, data }, numberOf, asked),
    );
  }
  const rows = await executor.query<PackRow>(`SELECT chunk, data ${from}`, params);
  return rows.flatMap((row) => readPack(row, numberOf, asked));
}

/** Slices of the signatures of a page. */
export interface PageSlices {
  /** Those of chunks, in the order of the request; absent if the page has no such signature. */
  chunks?: readonly Uint8Array[];
  /** The same of packs. */
  packs?: readonly Uint8Array[];
}

/**
 * Signatures in rows of lower numbers, from 0 up and from -1 down, are those of programs that did not sign all forms of a text:
 * they are not read. No index has as many pages.
 */
const FIRST_ROW: number = 1 << 22;

/** Returns the numbers of the rows of a page: the signature of its chunks, that of its packs, and those of older programs. */
export function signatureRows(page: number): {
  readonly chunks: number;
  readonly packs: number;
  readonly old: readonly number[];
} {
  return { chunks: FIRST_ROW + page, packs: -1 - FIRST_ROW - page, old: [page, -1 - page] };
}

/** Reads some slices of the signatures of all pages, from these places on. */
export async function readSignatures(
  { executor, dialect, tables, space }: SpacePlace,
  { chunks, packs }: TextSlices,
): Promise<ReadonlyMap<number, PageSlices>> {
  const columns = Array.from({ length: Math.max(chunks.length, packs.length) }, (_, at) => at);
  const nothing = `CAST(NULL AS ${typeOf(dialect, 'bytes')})`;
  const select = (places: readonly number[], length: number, pages: string): string => {
    const slices = columns.map((at) => {
      const place = places[at];
      return `${place === undefined ? nothing : `substr(data, ${place + 1}, ${length})`} AS s${at}`;
    });
    return `SELECT page, ${slices.join(', ')} FROM ${tables.signature} WHERE space = ? AND ${pages}`;
  };
  const rows = await executor.query<Record<string, SqlValue>>(
    [
      ...(chunks.length > 0 ? [select(chunks, SLICE_BYTES, `page >= ${FIRST_ROW}`)] : []),
      ...(packs.length > 0 ? [select(packs, PACK_SLICE_BYTES, `page < -${FIRST_ROW}`)] : []),
    ].join(' UNION ALL '),
    [...(chunks.length > 0 ? [space] : []), ...(packs.length > 0 ? [space] : [])],
  );
  const pages = new Map<number, PageSlices>();
  for (const row of rows) {
    const number = Number(row['page']);
    const page = (number < 0 ? -1 - number : number) - FIRST_ROW;
    const slices = columns.flatMap((at) => {
      const slice = row[`s${at}`];
      return slice instanceof Uint8Array ? [slice] : [];
    });
    const known = pages.get(page) ?? {};
    pages.set(page, known);
    if (number < 0) known.packs = slices;
    else known.chunks = slices;
  }
  return pages;
}

/**
 * Counts what a space holds. Its bytes are those of its contents: other spaces share the tables.
 *
 * @param terms - How many terms of texts it has.
 */
export async function spaceStats(place: SpacePlace, terms: number): Promise<BackendStats> {
  const { executor, tables, name, space } = place;
  const bytesOf = (table: string, column = 'data'): string =>
    `(SELECT coalesce(sum(length(${column})), 0) FROM ${table} WHERE space = ?)`;
  const [row] = await executor.query<Omit<BackendStats, 'terms'>>(
    `SELECT
       (SELECT coalesce(sum(n), 0) FROM ${tables.text} WHERE space = ?) AS chunks,
       (SELECT count(*) FROM ${tables.document} WHERE space = ? AND length(facts) > 0) AS documents,
       ${bytesOf(tables.text)} + ${bytesOf(tables.block)} + ${bytesOf(tables.signature)}
         + ${bytesOf(tables.document, 'facts')} + ${bytesOf(tables.sketch)}
         + ${bytesOf(tables.vocabulary)} AS bytes,
       (SELECT analyzer FROM ${tables.space} WHERE name = ? AND is_current = 1) AS analyzer`,
    [...Array.from({ length: 8 }, () => space), keyOf(name)],
  );
  const none = { chunks: 0, documents: 0, terms: 0, bytes: 0, analyzer: '' };
  return row ? { ...row, terms, analyzer: analyzerOf(fromSql(row.analyzer)) } : none;
}

/** Reads which documents have chunks, and what is stored of their versions. */
export async function storedDocuments({
  executor,
  tables,
  space,
}: SpacePlace): Promise<readonly (DocumentRef & { readonly stamp: string | undefined })[]> {
  const rows = await executor.query<{ novel: string; path: string; stamp: string | null }>(
    `SELECT novel, path, stamp FROM ${tables.document} WHERE space = ? AND length(facts) > 0`,
    [space],
  );
  return rows.map(({ novel, path, stamp }) => {
    return {
      novelId: fromSql(novel),
      filePath: fromSql(path),
      stamp: stamp === null ? undefined : stamp,
    };
  });
}
