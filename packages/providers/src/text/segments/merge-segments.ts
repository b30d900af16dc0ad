import type { SqlExecutor } from '../../storage/database.ts';
import {
  addEnds,
  cutPlaces,
  decodePlaces,
  decodeRows,
  type PostingEntry,
  type TermRows,
} from './posting-entry.ts';
import { EVERY_ROW } from './row-terms.ts';
import type { SegmentTables } from './segment-tables.ts';
import { eachOfPage, SegmentWriter } from './segment-writer.ts';
import { compareTerms } from './term-order.ts';

/** A segment as its row has it. */
export interface SegmentRow {
  readonly no: number;
  readonly age: number;
  readonly base: number;
  readonly docs: number;
  readonly words: number;
}

/** Rows that were removed, with the age of the newest segment at that time. */
export type GoneRows = ReadonlyMap<number, number>;

/** How many rows of a table are read at once. */
const ROWS_AT_ONCE = 200;

/** Merges segments of one base into one, without rows that are gone. A term that no other row has goes with them. */
export async function mergeSegments(
  tx: SqlExecutor,
  tables: SegmentTables,
  segments: readonly SegmentRow[],
  gone: GoneRows,
): Promise<void> {
  const base = segments[0]?.base ?? 0;
  const age = Math.max(...segments.map((segment) => segment.age));
  const no = await addSegment(tx, tables, { age, base, docs: 0, words: 0 });
  const writer = new SegmentWriter(tx, tables, no);
  const cursors = segments.map((segment) => new TermCursor(tx, tables, segment));
  let docs = 0;
  let words = 0;
  for (;;) {
    const heads: (string | undefined)[] = [];
    let term: string | undefined;
    for (const cursor of cursors) {
      const head = await cursor.peek();
      heads.push(head);
      if (head !== undefined && (term === undefined || compareTerms(head, term) < 0)) term = head;
    }
    if (term === undefined) break;
    const merged = new MergedRows();
    for (const [at, cursor] of cursors.entries()) {
      if (heads[at] !== term) continue;
      const own = segments[at]?.age ?? 0;
      const isGone = (row: number): boolean => (gone.get(row + base) ?? -1) >= own;
      for (const entry of await cursor.take(term)) {
        merged.add(entry, gone.size > 0 ? isGone : undefined);
      }
    }
    const all = merged.done();
    if (term === EVERY_ROW) {
      docs = all.rows.length;
      for (const own of cutPlaces(all.places, docs)) words += decodePlaces(own)[0] ?? 0;
    }
    if (all.rows.length > 0) await writer.add(term, all);
  }
  await writer.end();
  await removeSegments(tx, tables, [
    ...segments.map((segment) => segment.no),
    ...(docs === 0 ? [no] : []),
  ]);
  await tx.execute(`UPDATE ${tables.segment} SET docs = ?, words = ? WHERE no = ?`, [
    docs,
    words,
    no,
  ]);
}

/** The rows of one term of several segments. */
class MergedRows {
  readonly #rows: number[] = [];
  readonly #ends: number[] = [];
  readonly #chunks: Uint8Array[] = [];
  #length = 0;
  #isInOrder = true;

  /** @param isGone - True for rows to leave out. Default: none. */
  add(entry: PostingEntry, isGone?: (row: number) => boolean): void {
    const rows = decodeRows(entry);
    if (isGone && rows.some(isGone)) {
      const places = cutPlaces(entry.places, entry.count);
      for (const [at, row] of rows.entries()) {
        if (!isGone(row)) this.#addRow(row, places[at] ?? NOWHERE);
      }
      return;
    }
    this.#isInOrder &&= (rows[0] ?? 0) >= (this.#rows.at(-1) ?? 0);
    for (const row of rows) this.#rows.push(row);
    addEnds(entry.places, entry.count, this.#length, this.#ends);
    this.#addChunk(entry.places);
  }

  done(): TermRows {
    const places = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const all = { rows: this.#rows, ends: this.#ends, places: places ?? NOWHERE };
    return this.#isInOrder ? all : inOrder(all);
  }

  #addRow(row: number, places: Uint8Array): void {
    this.#isInOrder &&= row >= (this.#rows.at(-1) ?? 0);
    this.#rows.push(row);
    this.#addChunk(places);
    this.#ends.push(this.#length);
  }

  #addChunk(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
  }
}

const NOWHERE = new Uint8Array([0]);

function inOrder({ rows, ends, places }: TermRows): TermRows {
  const order = rows.map((_, at) => at).toSorted((a, b) => (rows[a] ?? 0) - (rows[b] ?? 0));
  const own = order.map((at) => places.subarray(ends[at - 1] ?? 0, ends[at]));
  let end = 0;
  return {
    rows: order.map((at) => rows[at] ?? 0),
    ends: own.map(({ length }) => (end += length)),
    places: Buffer.concat(own),
  };
}

/** Adds a segment without terms and returns its number, which is its age unless that is given. */
export async function addSegment(
  tx: SqlExecutor,
  { segment, numbers }: SegmentTables,
  { age, base, docs, words }: Omit<SegmentRow, 'no' | 'age'> & { readonly age?: number },
): Promise<number> {
  const [row] = await tx.query<{ no: number }>(
    `INSERT INTO ${segment} SELECT no, COALESCE(CAST(? AS BIGINT), no), ?, ?, ?
     FROM (SELECT nextval('${numbers}') AS no) AS next RETURNING no`,
    [age ?? null, base, docs, words],
  );
  return row?.no ?? 0;
}

async function removeSegments(
  tx: SqlExecutor,
  { page, block, segment }: SegmentTables,
  numbers: readonly number[],
): Promise<void> {
  const marks = numbers.map(() => '?').join(', ');
  for (const [table, column] of [
    [page, 'segment'],
    [block, 'segment'],
    [segment, 'no'],
  ]) {
    await tx.execute(`DELETE FROM ${table} WHERE ${column} IN (${marks})`, numbers);
  }
}

/** A term, and its entries where they are read. */
interface ReadTerm {
  readonly term: string;
  readonly entries: PostingEntry[];
}

/** Reads the terms of a segment in their order. */
class TermCursor {
  readonly #tx: SqlExecutor;
  readonly #tables: SegmentTables;
  readonly #segment: number;
  readonly #small: ReadTerm[] = [];
  #lastPage: string | undefined;
  #hasPages = true;
  readonly #large: (ReadTerm & { readonly part: number })[] = [];
  #lastBlock: readonly [term: string, part: number] = ['', -1];
  #hasBlocks = true;

  constructor(tx: SqlExecutor, tables: SegmentTables, { no }: Pick<SegmentRow, 'no'>) {
    this.#tx = tx;
    this.#tables = tables;
    this.#segment = no;
  }

  /** Returns the next term. */
  async peek(): Promise<string | undefined> {
    await this.#fill();
    const small = this.#small[0]?.term;
    const large = this.#large[0]?.term;
    if (small === undefined || large === undefined) return small ?? large;
    return compareTerms(small, large) < 0 ? small : large;
  }

  /** Takes the entries of the next term. */
  async take(term: string): Promise<readonly PostingEntry[]> {
    if (this.#small[0]?.term === term) return this.#small.shift()?.entries ?? [];
    const entries: PostingEntry[] = [];
    for (;;) {
      while (this.#large[0]?.term === term) entries.push(...(this.#large.shift()?.entries ?? []));
      if (this.#large.length > 0 || !this.#hasBlocks) return entries;
      await this.#fillBlocks();
    }
  }

  async #fill(): Promise<void> {
    if (this.#small.length === 0 && this.#hasPages) await this.#fillPages();
    if (this.#large.length === 0 && this.#hasBlocks) await this.#fillBlocks();
  }

  async #fillPages(): Promise<void> {
    const after = this.#lastPage;
    const rows = await this.#tx.query<{ term: string; data: Uint8Array }>(
      `SELECT term, data FROM ${this.#tables.page} WHERE segment = ?
       ${after === undefined ? '' : 'AND term > ?'} ORDER BY term LIMIT ${ROWS_AT_ONCE}`,
      [this.#segment, ...(after === undefined ? [] : [after])],
    );
    this.#hasPages = rows.length === ROWS_AT_ONCE;
    this.#lastPage = rows.at(-1)?.term;
    for (const { data } of rows) {
      eachOfPage(data, (term, entry) => this.#small.push({ term, entries: [entry()] }) > 0);
    }
  }

  async #fillBlocks(): Promise<void> {
    const rows = await this.#tx.query<BlockRow>(
      `SELECT term, part, first, n, data, places FROM ${this.#tables.block}
       WHERE segment = ? AND (term, part) > (?, ?) ORDER BY term, part LIMIT ${ROWS_AT_ONCE}`,
      [this.#segment, ...this.#lastBlock],
    );
    this.#hasBlocks = rows.length === ROWS_AT_ONCE;
    for (const { term, part, first, n, data, places } of rows) {
      this.#large.push({ term, part, entries: [{ first, count: n, rows: data, places }] });
      this.#lastBlock = [term, part];
    }
  }
}

interface BlockRow {
  readonly term: string;
  readonly part: number;
  readonly first: number;
  readonly n: number;
  readonly data: Uint8Array;
  readonly places: Uint8Array;
}
