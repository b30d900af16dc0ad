import type { SqlExecutor, SqlValue } from '@vizprompt/providers';
import type { ArrayCell, Dialect } from '@vizprompt/providers/internal';
import type { PartLookUp, TermLookUps } from '../search/term-look-ups.ts';
import { TITLE_PREFIX } from '../search/chunk-index.ts';
import { type ColumnType, givenRows, isAmong, typeOf, type SqlPiece } from './given-rows.ts';
import type { Changes, DocumentRow, SketchRow, SpaceState } from './index-facts.ts';
import { termsOfBuckets } from './bucket-terms.ts';
import { fromSql, keyOf, keyStart, toSql } from './sql-text.ts';
import { analyzerOf, BUCKET, type SqlTables } from './sql-tables.ts';
import { bundleOf, eachOfBundle } from './term-bundles.ts';
import { endingBucket, holdingBucket, readingBucket } from './term-buckets.ts';
import { type NumberedText, packsOf, readPack } from './text-pack.ts';

/** Above all characters that words have. */
const HIGHEST = '\u{10FFFF}';

/** A term with how many chunks have it. */
export interface TermRow {
  readonly id: number;
  readonly key: string;
  readonly chunks: number;
}

/** The terms that look-ups found. */
export interface FoundTerms {
  /** Those that were asked for by themselves. */
  readonly terms: readonly TermRow[];
  /** By the texts of the look-ups, those of titles among them. */
  readonly starting: ReadonlyMap<string, readonly TermRow[]>;
  readonly ending: ReadonlyMap<string, readonly TermRow[]>;
  readonly holding: ReadonlyMap<string, readonly TermRow[]>;
  readonly readings: ReadonlyMap<string, readonly TermRow[]>;
}

/** The postings of a term in a row of its own, or, with a number below 0, of some terms. */
export interface BlockRow {
  readonly term: number;
  /** The first chunk of the block, or one before it. */
  readonly first: number;
  readonly data: Uint8Array;
}

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

/** The kinds of rows of {@link readPrepared}. */
const ROW = {
  document: 0,
  sketch: 1,
  state: 2,
  term: 3,
  starting: 4,
  ending: 5,
  holding: 6,
  reading: 7,
} as const;

type PreparedRow = {
  readonly kind: number;
  readonly no: number;
  readonly id: number;
  readonly n: number;
  readonly text: string;
  readonly data: Uint8Array;
};

/**
 * Reads in one statement, and so as one revision: the state of a space, what changed since another revision, and terms.
 *
 * @param since - The revision; -1 for all.
 */
export async function readPrepared(
  place: SpacePlace,
  since: number,
  lookUps: TermLookUps,
): Promise<{ readonly changes: Changes | undefined; readonly found: FoundTerms }> {
  const { dialect, tables, name, space } = place;
  const nothing = `CAST(NULL AS ${typeOf(dialect, 'bytes')})`;
  const pieces: SqlPiece[] = [
    {
      sql: `SELECT ${ROW.document} AS kind, revision AS no, id AS id, 0 AS n,
        '["' || novel || '","' || path || '"]' AS text, facts AS data
        FROM ${tables.document} WHERE space = ? AND revision > ?`,
      params: [space, since],
    },
    {
      sql: `SELECT ${ROW.sketch}, revision, is_sum, 0, '', data
        FROM ${tables.sketch} WHERE space = ? AND revision > ?`,
      params: [space, since],
    },
    {
      sql: `SELECT ${ROW.state}, revision, id, swept, purged || ' ' || next_chunk || ' ' || analyzer, ${nothing}
        FROM ${tables.space} WHERE name = ? AND is_current = 1`,
      params: [keyOf(name)],
    },
    ...termPieces(place, lookUps, nothing),
  ];
  const rows = await place.executor.query<PreparedRow>(
    pieces.map(({ sql }) => sql).join('\n UNION ALL '),
    pieces.flatMap(({ params }) => params),
  );
  const of = (kind: keyof typeof ROW): readonly PreparedRow[] =>
    rows.filter((row) => row.kind === ROW[kind]);
  const [state] = of('state').map(stateOf);
  const tableOf = (
    kind: keyof typeof ROW,
    texts: Iterable<string>,
  ): ReadonlyMap<string, readonly TermRow[]> => {
    const lists = Array.from(texts, (text): [text: string, rows: TermRow[]] => [text, []]);
    for (const row of of(kind)) lists[row.no]?.[1].push(termOf(row));
    return new Map(lists);
  };
  return {
    changes: state && {
      state,
      documents: of('document').map(documentOf),
      sketches: of('sketch')
        .map(sketchOf)
        .toSorted((a, b) => a.revision - b.revision),
    },
    found: {
      terms: of('term').map(termOf),
      starting: tableOf('starting', lookUps.starting.keys()),
      ending: tableOf('ending', lookUps.ending.keys()),
      holding: tableOf('holding', lookUps.holding.keys()),
      readings: tableOf('reading', lookUps.readings),
    },
  };
}

/** The statements that look terms up; none for what is not asked. */
function termPieces(place: SpacePlace, lookUps: TermLookUps, nothing: string): readonly SqlPiece[] {
  const { dialect, tables, space } = place;
  const pieces: SqlPiece[] = [];
  if (lookUps.terms.size > 0) {
    const given = givenRows(
      dialect,
      { word: 'text' },
      Array.from(lookUps.terms, (term) => [keyOf(term)]),
    );
    pieces.push({
      sql: `SELECT ${ROW.term}, 0, t.id, t.chunks, coalesce(t.whole, t.key), ${nothing}
        FROM ${given.sql} CROSS JOIN ${tables.term} t
        WHERE t.space = ? AND t.key = given.word AND t.chunks > 0`,
      params: [...given.params, space],
    });
  }
  if (lookUps.starting.size > 0) {
    const rows = [...lookUps.starting.values()].flatMap(({ text, atMost }, no) =>
      [text, TITLE_PREFIX + text].flatMap((start) => {
        const low = keyStart(start);
        return Array.from(atMost, ([word, most]) => {
          return [no, low, low + HIGHEST, keyOf(word), most];
        });
      }),
    );
    const given = tellingRows(place, { no: 'int', low: 'text', high: 'text' }, rows);
    pieces.push({
      sql: `SELECT ${ROW.starting}, given.no, t.id, t.chunks, coalesce(t.whole, t.key), ${nothing}
        FROM ${given.sql} CROSS JOIN ${tables.term} t
        WHERE t.space = ? AND t.key >= given.low AND t.key < given.high AND t.chunks > 0`,
      params: [...given.params, space],
    });
  }
  pieces.push(
    ...partPieces(place, 'ending', lookUps.ending, nothing),
    ...partPieces(place, 'holding', lookUps.holding, nothing),
  );
  if (lookUps.readings.size > 0) {
    const rows = Array.from(lookUps.readings, (reading, no) => [no, readingBucket(reading), '']);
    const given = givenRows(dialect, { no: 'int', bucket: 'int', text: 'text' }, rows);
    const found = termsOfBuckets(place, BUCKET.reading, given);
    pieces.push({
      sql: `SELECT ${ROW.reading}, t.no, t.id, t.chunks, t.key, ${nothing} FROM ${found.sql}`,
      params: found.params,
    });
  }
  return pieces;
}

/**
 * Selects from rows that end with a word and a limit: those whose word is in no more chunks than the limit. Words that ask for
 * the same share one row, as each row returns all of its terms.
 */
function tellingRows(
  { dialect, tables, space }: SpacePlace,
  columns: Readonly<Record<string, ColumnType>>,
  rows: readonly (readonly ArrayCell[])[],
): SqlPiece {
  const given = givenRows(dialect, { ...columns, word: 'text', most: 'int' }, rows);
  return {
    sql: `(SELECT DISTINCT ${Object.keys(columns).join(', ')} FROM ${given.sql}
      WHERE coalesce((
        SELECT w.chunks FROM ${tables.term} w WHERE w.space = ? AND w.key = given.word
      ), 0) <= given.most) AS given`,
    params: [...given.params, space],
  };
}

/** The statements that look for terms by a part of them: in its bucket, or in all terms if it is too short to have one. */
function partPieces(
  place: SpacePlace,
  kind: 'ending' | 'holding',
  lookUps: ReadonlyMap<string, PartLookUp>,
  nothing: string,
): readonly SqlPiece[] {
  const { dialect, tables, space } = place;
  const bucketOf = kind === 'ending' ? endingBucket : holdingBucket;
  const rows = [...lookUps.values()].flatMap(({ text, atMost }, no) => {
    const [bucket, part] = [bucketOf(text) ?? -1, comparable(text, kind)];
    return Array.from(atMost, ([word, most]) => [no, bucket, part, keyOf(word), most] as const);
  });
  const columns = { no: 'int', bucket: 'int', text: 'text' } as const;
  const indexOf = dialect === 'postgres' ? 'strpos' : 'instr';
  // More than asked for may be found, as the caller compares the terms.
  const fits = (key: string, text: string): string =>
    kind === 'ending'
      ? `substr(${key}, length(${key}) - length(${text}) + 1) = ${text}`
      : `${indexOf}(${key}, ${text}) > 0`;
  const pieces: SqlPiece[] = [];
  const inBuckets = rows.filter(([, bucket]) => bucket >= 0);
  if (inBuckets.length > 0) {
    const given = tellingRows(place, columns, inBuckets);
    const found = termsOfBuckets(place, BUCKET.part, given);
    pieces.push({
      sql: `SELECT ${ROW[kind]}, t.no, t.id, t.chunks, t.key, ${nothing} FROM ${found.sql}
        WHERE ${fits('t.key', 't.text')}`,
      params: found.params,
    });
  }
  const inAll = rows.filter(([, bucket]) => bucket < 0);
  if (inAll.length > 0) {
    const given = tellingRows(place, columns, inAll);
    pieces.push({
      sql: `SELECT ${ROW[kind]}, given.no, t.id, t.chunks, coalesce(t.whole, t.key), ${nothing}
        FROM ${given.sql} CROSS JOIN ${tables.term} t
        WHERE t.space = ? AND t.chunks > 0 AND ${fits('coalesce(t.whole, t.key)', 'given.text')}`,
      params: [...given.params, space],
    });
  }
  return pieces;
}

/** A part as terms have it: half of a character at its edge is not stored as one, so it is left out. */
function comparable(text: string, kind: 'ending' | 'holding'): string {
  const part = text.replace(/^[\udc00-\udfff]/, '');
  return toSql(kind === 'ending' ? part : part.replace(/[\ud800-\udbff]$/, ''));
}

function stateOf({ no, id, n, text }: PreparedRow): SpaceState {
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

function documentOf({ no, id, text, data }: PreparedRow): DocumentRow {
  const [novelId, filePath]: readonly [string, string] = JSON.parse(text);
  return { id, revision: no, novelId, filePath, facts: data };
}

function sketchOf({ no, id, data }: PreparedRow): SketchRow {
  return { revision: no, isSum: id === 1, data };
}

function termOf({ id, n, text }: PreparedRow): TermRow {
  return { id, chunks: n, key: fromSql(text) };
}

/**
 * Reads the postings of terms.
 *
 * @returns They, and the last change whose dead chunks are in none of them; nothing if the space is gone.
 */
export async function readBlocks(
  { executor, dialect, tables, space }: SpacePlace,
  terms: readonly number[],
): Promise<{ readonly swept: number; readonly blocks: readonly BlockRow[] } | undefined> {
  const asked = new Set(terms);
  const among = isAmong(dialect, 'term', [...asked, ...new Set(terms.map(bundleOf))]);
  const rows = await executor.query<BlockRow>(
    `SELECT 0 AS term, swept AS first, CAST(NULL AS ${typeOf(dialect, 'bytes')}) AS data
     FROM ${tables.space} WHERE id = ?
     UNION ALL SELECT term, first, data FROM ${tables.block} WHERE space = ? AND ${among.sql}`,
    [space, space, ...among.params],
  );
  const [state] = rows.filter(({ term }) => term === 0);
  if (!state) return undefined;
  const blocks: BlockRow[] = [];
  for (const row of rows) {
    const { term: bundle, first, data } = row;
    if (bundle > 0) blocks.push(row);
    if (bundle >= 0) continue;
    eachOfBundle(bundle, data, (term, postings) => {
      if (asked.has(term)) blocks.push({ term, first, data: postings });
    });
  }
  return { swept: state.first, blocks };
}

/** A row of texts. */
export interface PackRow {
  readonly chunk: number;
  readonly data: Uint8Array;
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
): Promise<readonly NumberedText[]> {
  const asked = new Set(chunks);
  const among = isAmong(dialect, 'chunk', packsOf(chunks));
  const rows = await executor.query<{ chunk: number; data: Uint8Array }>(
    `SELECT chunk, data FROM ${tables.text} WHERE space = ? AND ${among.sql}`,
    [space, ...among.params],
  );
  return rows.flatMap(({ chunk, data }) =>
    readPack(chunk, data, numberOf).filter((one) => asked.has(one.chunk)),
  );
}

/** Reads some slices of the signatures of all pages, each `length` bytes from one of these places on. */
export async function readSignatures(
  { executor, tables, space }: SpacePlace,
  places: readonly number[],
  length: number,
): Promise<readonly { readonly page: number; readonly slices: readonly Uint8Array[] }[]> {
  const slices = places.map((place, at) => `substr(data, ${place + 1}, ${length}) AS s${at}`);
  const rows = await executor.query<Record<string, SqlValue>>(
    `SELECT page, ${slices.join(', ')} FROM ${tables.signature} WHERE space = ? ORDER BY page`,
    [space],
  );
  return rows.map((row) => {
    const found = places.map((_, at) => row[`s${at}`]);
    return {
      page: Number(row['page']),
      slices: found.map((slice) => (slice instanceof Uint8Array ? slice : new Uint8Array())),
    };
  });
}
