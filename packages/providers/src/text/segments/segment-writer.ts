import type { SqlExecutor } from '../../storage/database.ts';
import { sqlArray } from '../../storage/sql-statements.ts';
import { ByteReader, ByteWriter } from './byte-writer.ts';
import { encodeEntry, type PostingEntry, type TermRows } from './posting-entry.ts';
import type { SegmentTables } from './segment-tables.ts';

/** The most postings of a block. */
export const BLOCK = 1024;
/** A term with more bytes than this has blocks of its own. */
const SMALL = 512;
/** A page takes no further term when it has this many bytes. With a term more it still is a row without a second table. */
const PAGE = 1024;
/** Rows are written when they have this many bytes. */
const BATCH_BYTES = 1 << 20;

/** Writes the terms of a segment, in their order. */
export class SegmentWriter {
  readonly #tx: SqlExecutor;
  readonly #tables: SegmentTables;
  readonly #segment: number;
  readonly #page = new ByteWriter();
  readonly #scratch = new ByteWriter();
  #firstTerm: string | undefined;
  readonly #pages: [term: string, data: Uint8Array][] = [];
  readonly #blocks: [term: string, part: number, entry: PostingEntry][] = [];
  #bytes = 0;
  #written = 0;

  constructor(tx: SqlExecutor, tables: SegmentTables, segment: number) {
    this.#tx = tx;
    this.#tables = tables;
    this.#segment = segment;
  }

  /** The number of bytes that were added, except those of the last page. */
  get bytes(): number {
    return this.#written + this.#bytes;
  }

  /** True if {@link flush} is to be called before the next term is added. */
  get isFull(): boolean {
    return this.#bytes > BATCH_BYTES;
  }

  /** Adds the next term with all its rows. */
  add(term: string, all: TermRows): void {
    const { count, rows, ends, places } = all;
    if (count <= SMALL && this.#addSmallRows(term, all)) return;
    for (let from = 0, part = 0; from < count; from += BLOCK, part++) {
      const to = Math.min(count, from + BLOCK);
      this.addBlock(term, part, encodeEntry({ count, rows, ends, places }, from, to));
    }
  }

  /**
   * Adds the next term if all of its postings are few bytes. Most terms of a segment are in one row or in few: no entry is
   * created for each.
   */
  #addSmallRows(term: string, { count, rows, ends, places }: TermRows): boolean {
    const bytes = this.#scratch;
    bytes.clear();
    let before = rows[0] ?? 0;
    for (let at = 0; at < count; at++) {
      const row = rows[at] ?? 0;
      bytes.number((row - before) * 2);
      before = row;
    }
    const size = ends[count - 1] ?? 0;
    if (bytes.length + size > SMALL) return false;
    this.#beginSmall(term, rows[0] ?? 0, count, bytes.length, size);
    this.#page.some(bytes.memory, 0, bytes.length);
    this.#page.some(places, 0, size);
    if (this.#page.length > PAGE) this.#endPage();
    return true;
  }

  #beginSmall(term: string, first: number, count: number, rows: number, places: number): void {
    this.#firstTerm ??= term;
    const page = this.#page;
    page.text(term);
    page.number(first);
    page.number(count);
    page.number(rows);
    page.number(places);
  }

  /** Adds the next term, all of whose postings are few bytes. They are copied. */
  addSmall(term: string, { first, count, rows, places }: PostingEntry): void {
    this.#beginSmall(term, first, count, rows.length, places.length);
    this.#page.some(rows, 0, rows.length);
    this.#page.some(places, 0, places.length);
    if (this.#page.length > PAGE) this.#endPage();
  }

  /** Adds some of the postings of the next term. */
  addBlock(term: string, part: number, block: PostingEntry): void {
    this.#blocks.push([term, part, block]);
    this.#bytes += block.rows.length + block.places.length;
  }

  /** Ends the last page and writes what is not written yet. */
  async end(): Promise<void> {
    this.#endPage();
    await this.flush();
  }

  #endPage(): void {
    if (this.#firstTerm === undefined) return;
    this.#bytes += this.#page.length;
    this.#pages.push([this.#firstTerm, this.#page.take()]);
    this.#firstTerm = undefined;
  }

  /** Writes what was added, except the last page. */
  async flush(): Promise<void> {
    const { page, block } = this.#tables;
    const pages = this.#pages.splice(0);
    const blocks = this.#blocks.splice(0);
    this.#written += this.#bytes;
    this.#bytes = 0;
    // Bytes go as one parameter: in an array each of them would be two digits.
    const bytes = new JoinedBytes();
    if (pages.length > 0) {
      const rows = pages.map(([term, data]) => [term, ...bytes.add(data)] as const);
      await this.#tx.execute(
        `INSERT INTO ${page} SELECT CAST(? AS BIGINT), term, substring(joined.bytes, start, size)
         FROM (SELECT CAST(? AS BYTEA) AS bytes) AS joined,
           unnest(CAST(? AS TEXT[]), CAST(? AS INT[]), CAST(? AS INT[])) AS given(term, start, size)`,
        [this.#segment, bytes.take(), ...columnsOf(rows)],
      );
    }
    if (blocks.length > 0) {
      const rows = blocks.map(([term, part, { first, count, rows: data, places }]) => {
        return [term, first, part, count, ...bytes.add(data), ...bytes.add(places)] as const;
      });
      await this.#tx.execute(
        `INSERT INTO ${block} SELECT term, CAST(? AS BIGINT), first, part, n, substring(joined.bytes, start, size),
           substring(joined.bytes, places_start, places_size)
         FROM (SELECT CAST(? AS BYTEA) AS bytes) AS joined,
           unnest(CAST(? AS TEXT[]), CAST(? AS BIGINT[]), CAST(? AS BIGINT[]), CAST(? AS BIGINT[]), CAST(? AS INT[]),
             CAST(? AS INT[]), CAST(? AS INT[]), CAST(? AS INT[]))
             AS given(term, first, part, n, start, size, places_start, places_size)`,
        [this.#segment, bytes.take(), ...columnsOf(rows)],
      );
    }
  }
}

/** Bytes that are joined to one value. */
class JoinedBytes {
  #parts: Uint8Array[] = [];
  #length = 0;

  /** Returns where SQL finds the bytes in the value, and how many they are. */
  add(bytes: Uint8Array): readonly [start: number, size: number] {
    const start = this.#length + 1;
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return [start, bytes.length];
  }

  /** Returns the value, and begins another one. */
  take(): Uint8Array {
    const joined = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    return joined;
  }
}

/** Checks whether the postings of a term go to a page with those of others. */
export function isSmall({ rows, places }: PostingEntry): boolean {
  return rows.length + places.length <= SMALL;
}

function columnsOf(rows: readonly (readonly (string | number)[])[]): readonly string[] {
  const width = rows[0]?.length ?? 0;
  return Array.from({ length: width }, (_, at) => sqlArray(rows.map((row) => row[at] ?? null)));
}

/** The terms of a page with their postings, in their order. */
export class PageReader {
  readonly #reader: ByteReader;

  constructor(data: Uint8Array) {
    this.#reader = new ByteReader(data);
  }

  /** Returns the next term with its postings, or nothing at the end. */
  next(): { readonly term: string; readonly entry: PostingEntry } | undefined {
    const reader = this.#reader;
    if (reader.isAtEnd) return undefined;
    const term = reader.text(reader.number());
    const first = reader.number();
    const count = reader.number();
    const rows = reader.number();
    const places = reader.number();
    return {
      term,
      entry: { first, count, rows: reader.bytes(rows), places: reader.bytes(places) },
    };
  }
}
