import type { SqlExecutor } from '../../storage/database.ts';
import { sqlArray } from '../../storage/sql-values.ts';
import { ByteReader, ByteWriter } from './byte-writer.ts';
import { encodeEntry, type PostingEntry, type TermRows } from './posting-entry.ts';
import type { SegmentTables } from './segment-tables.ts';

/** The most postings of a block. */
const BLOCK = 1024;
/** A term with more bytes than this has blocks of its own. */
const SMALL = 512;
/** A page takes no further term when it has this many bytes. With a term more it still is a row without a second table. */
const PAGE = 1024;
/** Rows are written when they have this many bytes. */
const BATCH_BYTES = 1 << 20;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

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

  constructor(tx: SqlExecutor, tables: SegmentTables, segment: number) {
    this.#tx = tx;
    this.#tables = tables;
    this.#segment = segment;
  }

  async add(term: string, all: TermRows): Promise<void> {
    const entry = all.rows.length <= BLOCK ? encodeEntry(all) : undefined;
    if (entry && entry.rows.length + entry.places.length <= SMALL) this.#addSmall(term, entry);
    else {
      for (let from = 0, part = 0; from < all.rows.length; from += BLOCK, part++) {
        const to = Math.min(all.rows.length, from + BLOCK);
        const block = encodeEntry(all, from, to);
        this.#blocks.push([term, part, block]);
        this.#bytes += block.rows.length + block.places.length;
      }
    }
    if (this.#bytes > BATCH_BYTES) await this.#flush();
  }

  async end(): Promise<void> {
    this.#endPage();
    await this.#flush();
  }

  #addSmall(term: string, { first, count, rows, places }: PostingEntry): void {
    const text = encoder.encode(term);
    this.#firstTerm ??= term;
    this.#page.number(text.length);
    this.#page.bytes(text);
    for (const number of [first, count, rows.length, places.length]) this.#page.number(number);
    this.#page.bytes(rows);
    this.#page.bytes(places);
    if (this.#page.length > PAGE) this.#endPage();
  }

  #endPage(): void {
    if (this.#firstTerm === undefined) return;
    this.#bytes += this.#page.length;
    this.#pages.push([this.#firstTerm, this.#page.take()]);
    this.#firstTerm = undefined;
  }

  async #flush(): Promise<void> {
    const { page, block } = this.#tables;
    const pages = this.#pages.splice(0);
    const blocks = this.#blocks.splice(0);
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

function columnsOf(
  rows: readonly (readonly (string | number | Uint8Array)[])[],
): readonly string[] {
  const width = rows[0]?.length ?? 0;
  return Array.from({ length: width }, (_, at) => sqlArray(rows.map((row) => row[at] ?? null)));
}

/** Calls `take` with the terms of a page and their entries, in their order, until it returns false. */
export function eachOfPage(
  data: Uint8Array,
  take: (term: string, entry: () => PostingEntry) => boolean,
): void {
  const reader = new ByteReader(data);
  while (!reader.isAtEnd) {
    const term = decoder.decode(reader.bytes(reader.number()));
    const [first, count, rowsLength, placesLength] = [
      reader.number(),
      reader.number(),
      reader.number(),
      reader.number(),
    ];
    const rows = reader.bytes(rowsLength);
    const places = reader.bytes(placesLength);
    if (!take(term, () => ({ first, count, rows, places }))) return;
  }
}
