import type { SqlExecutor } from '../../storage/database.ts';
import { sqlArray } from '../../storage/sql-statements.ts';
import { numbersOf as idsOf } from '../index-tables.ts';
import type { QueryGroup } from '../parse-query.ts';
import type { GoneRows, SegmentRow } from './segment-rows.ts';
import { decodeRows, type PostingEntry } from './posting-entry.ts';
import { type FreshTerms, freshTerms } from './row-terms.ts';
import type { SegmentTables } from './segment-tables.ts';
import { PageReader } from './segment-writer.ts';
import { afterPrefix, compareTerms } from './term-order.ts';

/**
 * The newest postings of a frequent term that the first statement reads, and the most of a term that it reads whole: fewer
 * with their places, which are several times as many bytes. Another statement takes longer than a page of rows.
 */
const NEWEST = { postings: 600, all: 32_768, allPlaced: 8192 } as const;

/** A term of a query. */
export interface AskedTerm {
  readonly text: string;
  readonly isPrefix: boolean;
}

/** Some of the postings of a term in a segment. */
export interface Part {
  readonly segment: SegmentRow;
  /** Where the block is stored. Absent: the part was in a page. */
  readonly at?: { readonly term: string; readonly part: number };
  readonly count: number;
  /** The lowest number of a row. */
  readonly low: number;
  /** None of its rows has a higher number. */
  high: number;
  /** The numbers of its rows, once they are loaded. */
  rows?: Float64Array;
  places?: Uint8Array;
}

/** The state of an index at one moment, as far as a query needs it. */
export interface Snapshot {
  readonly newest: number;
  readonly segments: readonly SegmentRow[];
  readonly fresh: readonly FreshTerms[];
  readonly gone: GoneRows;
  /** The parts of each term, by {@link keyOfTerm}. */
  readonly parts: ReadonlyMap<string, readonly Part[]>;
}

/** Returns a name of a term that is asked for. */
export function keyOfTerm({ text, isPrefix }: AskedTerm): string {
  return isPrefix ? `${text}*` : `${text} `;
}

/**
 * Returns the terms of groups, each once.
 *
 * @param isPlaced - True if the places of all of them are wanted. Default: of those of phrases.
 */
export function termsOf(groups: readonly QueryGroup[], isPlaced = false): readonly WantedTerms[] {
  const terms = new Map<string, WantedTerms>();
  for (const group of groups) {
    for (const term of group.terms) {
      const key = keyOfTerm(term);
      const hasPlaces = isPlaced || group.terms.length > 1 || terms.get(key)?.hasPlaces === true;
      terms.set(key, { ...term, hasPlaces });
    }
  }
  return [...terms.values()];
}

/** A term, and whether the places of its newest postings are read with them. */
export interface WantedTerms extends AskedTerm {
  readonly hasPlaces: boolean;
}

const KIND = { newest: 0, segment: 1, fresh: 2, known: 3, gone: 4, page: 5, block: 6 } as const;

interface SnapshotRow {
  readonly kind: number;
  readonly segment: number | null;
  readonly at: number | null;
  readonly first: number | null;
  readonly part: number | null;
  readonly n: number | null;
  readonly data: Uint8Array | null;
  readonly places: Uint8Array | null;
  readonly text: string | null;
}

/** Where a snapshot is read from. */
export interface SnapshotSource {
  /** The table whose rows are indexed, and the column with their numbers. */
  readonly table: string;
  readonly key: string;
  readonly tables: SegmentTables;
  /** Fresh rows that were read before, by their numbers: their terms are not read again. */
  readonly known: ReadonlyMap<number, FreshTerms>;
}

/** Reads what a query needs in one statement: all of rare terms, and the newest postings of frequent ones. */
export async function readSnapshot(
  executor: SqlExecutor,
  { table, key, tables, known }: SnapshotSource,
  terms: readonly WantedTerms[],
): Promise<Snapshot> {
  const exact = terms.flatMap(({ text, isPrefix, hasPlaces }, at) => {
    return isPrefix ? [] : [[at, Number(hasPlaces), text] as const];
  });
  const prefixes = terms.flatMap(({ text, isPrefix, hasPlaces }, at) => {
    return isPrefix ? [[at, Number(hasPlaces), text, afterPrefix(text)] as const] : [];
  });
  const { fresh, segment, page, block, gone } = tables;
  const numbers = sqlArray([...known.keys()]);
  const none = 'CAST(NULL AS BIGINT)';
  const bytes = 'CAST(NULL AS BYTEA)';
  const text = 'CAST(NULL AS TEXT)';
  const frequent = `SELECT asked.no AS at, block.segment, block.first, block.part, block.n, block.data,
    CASE WHEN asked.placed = 1 THEN block.places END AS places, block.term,
    sum(block.n) OVER (PARTITION BY asked.no)
      <= CASE WHEN asked.placed = 1 THEN ${NEWEST.allPlaced} ELSE ${NEWEST.all} END OR sum(block.n) OVER (
      PARTITION BY asked.no ORDER BY segment.age DESC, block.segment DESC, block.part DESC
    ) - block.n < ${NEWEST.postings} AS is_new`;
  // A merge in progress has written blocks of a segment that does not exist yet.
  const existing = `JOIN ${segment} AS segment ON segment.no = block.segment`;
  // Most queries have no prefixes, and planning takes as long as reading.
  const hasPrefixes = prefixes.length > 0;
  const ofPrefixes = (sql: string): string => (hasPrefixes ? sql : '');
  const rows = await executor.query<SnapshotRow>(
    `WITH exact AS (
       SELECT * FROM unnest(CAST(? AS BIGINT[]), CAST(? AS BIGINT[]), CAST(? AS TEXT[]))
         AS exact(no, placed, term)
     )${ofPrefixes(`, prefix AS (
       SELECT * FROM unnest(CAST(? AS BIGINT[]), CAST(? AS BIGINT[]), CAST(? AS TEXT[]), CAST(? AS TEXT[]))
         AS prefix(no, placed, term, after)
     )`)}
     SELECT ${KIND.newest} AS kind, ${none} AS segment, ${none} AS at, max(${key}) AS first,
       ${none} AS part, ${none} AS n, ${bytes} AS data, ${bytes} AS places, ${text} AS text FROM ${table}
     UNION ALL SELECT ${KIND.segment}, no, ${none}, base, age, docs, ${bytes}, ${bytes}, CAST(words AS TEXT)
       FROM ${segment}
     UNION ALL SELECT ${KIND.fresh}, ${none}, ${none}, id, no, ${none}, ${bytes}, ${bytes}, terms FROM ${fresh}
       WHERE CASE WHEN no = ANY(CAST(? AS BIGINT[])) THEN FALSE ELSE TRUE END
     UNION ALL SELECT ${KIND.known}, ${none}, ${none}, ${none}, ${none}, ${none}, ${bytes}, ${bytes},
       string_agg(CAST(no AS TEXT), ',') FROM ${fresh} WHERE no = ANY(CAST(? AS BIGINT[]))
     UNION ALL SELECT ${KIND.gone}, ${none}, ${none}, ${none}, ${none}, ${none}, ${bytes}, ${bytes},
       string_agg(id || ',' || age, ',') FROM ${gone}
     UNION ALL SELECT ${KIND.page}, segment.no, exact.no, ${none}, ${none}, ${none}, page.data, ${bytes}, ${text}
       FROM ${segment} AS segment CROSS JOIN exact CROSS JOIN LATERAL (
         SELECT data FROM ${page} WHERE segment = segment.no AND term <= exact.term COLLATE "C"
         ORDER BY term DESC LIMIT 1
       ) AS page
       WHERE NOT EXISTS (
         SELECT 1 FROM ${block} AS block
         WHERE block.term = exact.term COLLATE "C" AND block.segment = segment.no
       )
     ${ofPrefixes(`UNION ALL SELECT ${KIND.page}, segment.no, prefix.no, ${none}, ${none}, ${none}, page.data, ${bytes}, ${text}
       FROM ${segment} AS segment CROSS JOIN prefix CROSS JOIN LATERAL (
         SELECT data FROM ${page} WHERE segment = segment.no AND term < prefix.after COLLATE "C"
         AND term >= COALESCE((
           SELECT max(term) FROM ${page} WHERE segment = segment.no AND term <= prefix.term COLLATE "C"
         ), '')
       ) AS page`)}
     UNION ALL SELECT ${KIND.block}, segment, at, first, part, n,
       CASE WHEN is_new THEN data END,
       CASE WHEN is_new THEN places END, term FROM (
         ${frequent} FROM exact JOIN ${block} AS block ON block.term = exact.term COLLATE "C"
         ${existing}
         CROSS JOIN LATERAL (SELECT exact.no, exact.placed) AS asked
         ${ofPrefixes(`UNION ALL
         ${frequent} FROM prefix JOIN ${block} AS block
           ON block.term >= prefix.term COLLATE "C" AND block.term < prefix.after COLLATE "C"
         ${existing}
         CROSS JOIN LATERAL (SELECT prefix.no, prefix.placed) AS asked`)}
       ) AS block`,
    [...columns(exact, 3), ...(hasPrefixes ? columns(prefixes, 4) : []), numbers, numbers],
  );
  return snapshotOf(rows, terms, known);
}

function columns(
  rows: readonly (readonly (string | number)[])[],
  width: number,
): readonly string[] {
  return Array.from({ length: width }, (_, at) => sqlArray(rows.map((row) => row[at] ?? null)));
}

function snapshotOf(
  rows: readonly SnapshotRow[],
  terms: readonly AskedTerm[],
  known: SnapshotSource['known'],
): Snapshot {
  const segments = new Map<number, SegmentRow>();
  for (const { kind, segment: no, first, part, n, text } of rows) {
    if (kind !== KIND.segment || no === null) continue;
    segments.set(no, { no, base: first ?? 0, age: part ?? 0, docs: n ?? 0, words: Number(text) });
  }
  const parts = new Map<string, Part[]>(terms.map((term) => [keyOfTerm(term), []]));
  const fresh: FreshTerms[] = [];
  const gone = new Map<number, number>();
  let newest = 0;
  for (const row of rows) {
    const { kind, first, text, data } = row;
    if (kind === KIND.newest) newest = first ?? 0;
    else if (kind === KIND.fresh) fresh.push(freshOf(row));
    else if (kind === KIND.known) fresh.push(...knownOf(text ?? '', known));
    else if (kind === KIND.gone) readGone(text ?? '', gone);
    if (kind !== KIND.page && kind !== KIND.block) continue;
    const term = terms[row.at ?? -1];
    const segment = segments.get(row.segment ?? -1);
    const into = term && parts.get(keyOfTerm(term));
    if (!into || !segment) continue;
    if (kind === KIND.page && data) readPage(data, term, segment, into);
    else if (kind === KIND.block) into.push(blockPart(row, segment));
  }
  for (const all of parts.values()) setHighs(all);
  fresh.sort((a, b) => a.id - b.id);
  return { newest, segments: [...segments.values()], fresh, gone, parts };
}

function freshOf({ first, part, text }: SnapshotRow): FreshTerms {
  return freshTerms({ id: first ?? 0, no: part ?? 0, terms: text ?? '' });
}

/** Returns the fresh rows that were read before and are still there. One value says which: a row for each takes longer. */
function knownOf(joined: string, known: SnapshotSource['known']): readonly FreshTerms[] {
  return idsOf(joined).flatMap((no) => known.get(no) ?? []);
}

function readGone(joined: string, gone: Map<number, number>): void {
  if (joined === '') return;
  const numbers = joined.split(',').map(Number);
  for (let at = 0; at < numbers.length; at += 2) {
    const id = numbers[at] ?? 0;
    gone.set(id, Math.max(numbers[at + 1] ?? 0, gone.get(id) ?? -1));
  }
}

function readPage(data: Uint8Array, asked: AskedTerm, segment: SegmentRow, into: Part[]): void {
  const page = new PageReader(data);
  for (let one = page.next(); one; one = page.next()) {
    const order = compareTerms(one.term, asked.text);
    const isAsked = asked.isPrefix ? one.term.startsWith(asked.text) : order === 0;
    if (isAsked) into.push(loadedPart(one.entry, segment));
    else if (order > 0) return;
  }
}

function loadedPart(entry: PostingEntry, segment: SegmentRow): Part {
  const rows = numbersOf(entry, segment);
  const [low = 0] = rows;
  return { segment, count: rows.length, low, high: rows.at(-1) ?? low, rows, places: entry.places };
}

/** Returns the numbers of the rows of an entry. */
export function numbersOf(entry: Omit<PostingEntry, 'places'>, { base }: SegmentRow): Float64Array {
  return withBase(decodeRows(entry), base);
}

function withBase(rows: Uint32Array, base: number): Float64Array {
  const numbers = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) numbers[at] = (rows[at] ?? 0) + base;
  return numbers;
}

function blockPart({ first, part, n, data, places, text }: SnapshotRow, segment: SegmentRow): Part {
  const count = n ?? 0;
  const at = { term: text ?? '', part: part ?? 0 };
  const low = (first ?? 0) + segment.base;
  if (!data) return { segment, at, count, low, high: Infinity };
  const rows = numbersOf({ first: first ?? 0, count, rows: data }, segment);
  const high = rows.at(-1) ?? low;
  return { segment, at, count, low, high, rows, ...(places ? { places } : {}) };
}

/** The rows of a block are not above the lowest of the next one. */
function setHighs(parts: Part[]): void {
  const next = new Map<string, number>();
  parts.sort((a, b) => a.low - b.low || (a.at?.part ?? 0) - (b.at?.part ?? 0));
  for (const part of parts.toReversed()) {
    if (!part.at) continue;
    const key = `${part.segment.no} ${part.at.term}`;
    if (!part.rows) part.high = next.get(key) ?? Infinity;
    next.set(key, part.low);
  }
}
