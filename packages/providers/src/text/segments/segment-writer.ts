import type { SqlExecutor } from '../../storage/database.ts';
import { sqlArray } from '../../storage/sql-values.ts';
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

const decoder = new TextDecoder();

/** Writes the terms of a segment, in their order. */
export class SegmentWriter {
  readonly #tx: SqlExecutor;
  readonly #tables: SegmentTables;
  readonly #segment: number;
  readonly #page = new ByteWriter();
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
    const entry = all.rows.length <= BLOCK ? encodeEntry(all) : undefined;
    if (entry && isSmall(entry)) return this.addSmall(term, entry);
    for (let from = 0, part = 0; from < all.rows.length; from += BLOCK, part++) {
      const to = Math.min(all.rows.length, from + BLOCK);
      this.addBlock(term, part, encodeEntry(all, from, to));
    }
  }

  /** Adds the next term, all of whose postings are few bytes. They are copied. */
  addSmall(term: string, { first, count, rows, places }: PostingEntry): void {
    this.#firstTerm ??= term;
    this.#page.text(term);
    for (const number of [first, count, rows.length, places.length]) this.#page.number(number);
    this.#page.bytes(rows);
    this.#page.bytes(places);
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
    if (pages.length > 0) {
      await this.#tx.execute(
        `INSERT INTO ${page} SELECT CAST(? AS BIGINT), term, data
         FROM unnest(CAST(? AS TEXT[]), CAST(? AS BYTEA[])) AS given(term, data)`,
        [this.#segment, ...columnsOf(pages)],
      );
    }
    if (blocks.length > 0) {
      const rows = blocks.map(([term, part, { first, count, rows: data, places }]) => {
        return [term, first, part, count, data, places] as const;
      });
      await this.#tx.execute(
        `INSERT INTO ${block} SELECT term, CAST(? AS BIGINT), first, part, n, data, places
         FROM unnest(CAST(? AS TEXT[]), CAST(? AS BIGINT[]), CAST(? AS BIGINT[]), CAST(? AS BIGINT[]),
           CAST(? AS BYTEA[]), CAST(? AS BYTEA[])) AS given(term, first, part, n, data, places)`,
        [this.#segment, ...columnsOf(rows)],
      );
    }
  }
}

/** Checks whether the postings of a term go to a page with those of others. */
export function isSmall({ rows, places }: PostingEntry): boolean {
  return rows.length + places.length <= SMALL;
}

function columnsOf(
  rows: readonly (readonly (string | number | Uint8Array)[])[],
): readonly string[] {
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
    const term = decoder.decode(reader.bytes(reader.number()));
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
