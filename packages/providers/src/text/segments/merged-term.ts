import { encodePostings } from '../../postings/postings.ts';
import type { SqlExecutor } from '../../storage/database.ts';
import { ByteWriter } from './byte-writer.ts';
import { cutPlaces, decodeRows, endsOfPlaces, type PostingEntry } from './posting-entry.ts';
import type { SegmentTables } from './segment-tables.ts';
import { BLOCK, isSmall, PageReader, type SegmentWriter } from './segment-writer.ts';
import { compareTerms } from './term-order.ts';

/** Blocks with at least this many postings are taken as they are. */
const TAKEN = BLOCK / 2;

const NO_ROWS = new Uint32Array(0);
const ONCE: ArrayLike<number> = [];

/** The rows of one term of one segment, read entry by entry. */
export class TermStream {
  /** The places of rows that are gone. */
  readonly lost: Uint8Array[] = [];
  readonly #cursor: TermCursor;
  readonly #term: string;
  readonly #isGone: ((row: number) => boolean) | undefined;
  #next: PostingEntry | undefined;
  #entry: PostingEntry | undefined;
  #rows: Uint32Array = NO_ROWS;
  #ends: Uint32Array | undefined;
  #at = 0;

  /** @param entry - The first one, which was taken from the cursor. */
  constructor(
    cursor: TermCursor,
    term: string,
    entry: PostingEntry,
    isGone?: (row: number) => boolean,
  ) {
    this.#cursor = cursor;
    this.#term = term;
    this.#isGone = isGone;
    this.#next = entry;
  }

  /** The next row; `Infinity` at the end. */
  get row(): number {
    return this.#rows[this.#at] ?? Infinity;
  }

  /** Reads more rows when all that were read are used. */
  async fill(): Promise<void> {
    while (this.#at === this.#rows.length) {
      if (!this.#next) {
        if (this.#cursor.isBehind) await this.#cursor.read();
        this.#next = this.#cursor.take(this.#term);
      }
      if (!this.#next) return;
      this.#load(this.#next);
      this.#next = undefined;
    }
  }

  /** Takes the rest of the entry if it is whole, large, and has no row above `limit`. */
  takeBlock(limit: number): PostingEntry | undefined {
    const count = this.#rows.length;
    const isWhole = this.#at === 0 && count >= TAKEN && (this.#rows[count - 1] ?? 0) <= limit;
    if (!isWhole) return undefined;
    this.#at = count;
    return this.#entry;
  }

  /** Moves rows up to `limit` to others, at most `most` of them. */
  moveTo(target: PendingRows, limit: number, most: number): void {
    const rows = this.#rows;
    const from = this.#at;
    const end = Math.min(rows.length, from + most);
    let to = from;
    while (to < end && (rows[to] ?? 0) <= limit) to++;
    const places = this.#entry?.places ?? NO_PLACES;
    this.#ends ??= endsOfPlaces(places, rows.length);
    const start = from === 0 ? 0 : (this.#ends[from - 1] ?? 0);
    target.add(rows.subarray(from, to), places.subarray(start, this.#ends[to - 1] ?? 0));
    this.#at = to;
  }

  #load(entry: PostingEntry): void {
    this.#entry = entry;
    this.#rows = decodeRows(entry);
    this.#ends = undefined;
    this.#at = 0;
    const isGone = this.#isGone;
    if (!isGone || !this.#rows.some(isGone)) return;
    const kept: number[] = [];
    const keptPlaces: Uint8Array[] = [];
    for (const [at, places] of cutPlaces(entry.places, entry.count).entries()) {
      const row = this.#rows[at] ?? 0;
      if (isGone(row)) this.lost.push(places);
      else {
        kept.push(row);
        keptPlaces.push(places);
      }
    }
    this.#rows = Uint32Array.from(kept);
    const first = kept[0] ?? 0;
    this.#entry = {
      first,
      count: kept.length,
      rows: encodePostings(first, kept, ONCE),
      places: Buffer.concat(keptPlaces),
    };
  }
}

const NO_PLACES = new Uint8Array(0);

/** Rows of a term that make the next block. */
class PendingRows {
  readonly #rows = new Uint32Array(BLOCK);
  readonly #places = new ByteWriter();
  count = 0;

  add(rows: Uint32Array, places: Uint8Array): void {
    this.#rows.set(rows, this.count);
    this.count += rows.length;
    this.#places.bytes(places);
  }

  take(): PostingEntry {
    const { count } = this;
    const first = this.#rows[0] ?? 0;
    const rows = encodePostings(first, this.#rows, ONCE, 0, count);
    this.count = 0;
    return { first, count, rows, places: this.#places.take() };
  }
}

/** Writes the rows of one term of several segments in their order. */
export class MergedTerm {
  readonly #writer: SegmentWriter;
  readonly #term: string;
  readonly #pending = new PendingRows();
  #part = 0;

  constructor(writer: SegmentWriter, term: string) {
    this.#writer = writer;
    this.#term = term;
  }

  /** Writes all rows of the streams. */
  async addAll(streams: readonly TermStream[]): Promise<void> {
    for (;;) {
      let first: TermStream | undefined;
      let limit = Infinity;
      for (const stream of streams) {
        await stream.fill();
        if (stream.row === Infinity) continue;
        if (!first || stream.row < first.row) {
          if (first) limit = first.row;
          first = stream;
        } else limit = Math.min(limit, stream.row);
      }
      if (!first) return this.#end();
      await this.#move(first, limit);
    }
  }

  async #move(stream: TermStream, limit: number): Promise<void> {
    const pending = this.#pending;
    if (pending.count === 0 || pending.count >= TAKEN) {
      const block = stream.takeBlock(limit);
      if (block) {
        if (pending.count > 0) await this.#write(pending.take());
        return this.#write(block);
      }
    }
    stream.moveTo(pending, limit, BLOCK - pending.count);
    if (pending.count === BLOCK) await this.#write(pending.take());
  }

  async #write(block: PostingEntry): Promise<void> {
    this.#writer.addBlock(this.#term, this.#part++, block);
    if (this.#writer.isFull) await this.#writer.flush();
  }

  async #end(): Promise<void> {
    if (this.#pending.count === 0) return;
    const rest = this.#pending.take();
    if (this.#part === 0 && isSmall(rest)) this.#writer.addSmall(this.#term, rest);
    else await this.#write(rest);
  }
}

/** How many rows of a table are read at once. */
const ROWS_AT_ONCE = 200;

/** The next of the postings of a segment. */
interface Head {
  readonly term: string;
  readonly entry: PostingEntry;
}

interface BlockRow {
  readonly term: string;
  readonly part: number;
  readonly first: number;
  readonly n: number;
  readonly data: Uint8Array;
  readonly places: Uint8Array;
}

/** Reads the postings of a segment in the order of their terms; those of one term in the order of their rows. */
export class TermCursor {
  readonly #tx: SqlExecutor;
  readonly #tables: SegmentTables;
  readonly #segment: number;
  readonly #after: string | undefined;
  #pages: readonly { readonly term: string; readonly data: Uint8Array }[] = [];
  #nextPage = 0;
  #page = new PageReader(NO_BYTES);
  #pageAfter: string | undefined;
  #small: Head | undefined;
  #hasPages = true;
  #blocks: readonly BlockRow[] = [];
  #nextBlock = 0;
  #blockAfter: readonly [term: string, part: number] = ['', -1];
  #large: Head | undefined;
  #hasBlocks = true;

  /** @param after - Begins after this term. Default: with the first one. */
  constructor(tx: SqlExecutor, tables: SegmentTables, segment: number, after?: string) {
    this.#tx = tx;
    this.#tables = tables;
    this.#segment = segment;
    this.#pageAfter = after;
    if (after !== undefined) this.#blockAfter = [after, Number.MAX_SAFE_INTEGER];
    this.#after = after;
  }

  /** The next term. Nothing: there is none, or {@link isBehind}. */
  get term(): string | undefined {
    return this.#head()?.term;
  }

  /** True if {@link read} must be called before the next term is known. */
  get isBehind(): boolean {
    return (!this.#small && this.#hasPages) || (!this.#large && this.#hasBlocks);
  }

  /** Takes the next postings of a term, which are all of them or those of one block. */
  take(term: string): PostingEntry | undefined {
    const head = this.#head();
    if (head?.term !== term) return undefined;
    if (head === this.#small) this.#small = this.#fromPage();
    else this.#large = this.#fromBlocks();
    return head.entry;
  }

  async read(): Promise<void> {
    while (!this.#small && this.#hasPages) await this.#readPages();
    while (!this.#large && this.#hasBlocks) await this.#readBlocks();
  }

  #head(): Head | undefined {
    const small = this.#small;
    const large = this.#large;
    if (!small || !large) return small ?? large;
    return compareTerms(small.term, large.term) < 0 ? small : large;
  }

  #fromPage(): Head | undefined {
    for (;;) {
      const next = this.#page.next();
      if (next) {
        if (this.#after === undefined || compareTerms(next.term, this.#after) > 0) return next;
        continue;
      }
      const page = this.#pages[this.#nextPage++];
      if (!page) return undefined;
      this.#page = new PageReader(page.data);
    }
  }

  #fromBlocks(): Head | undefined {
    const row = this.#blocks[this.#nextBlock++];
    if (!row) return undefined;
    const { term, first, n: count, data: rows, places } = row;
    return { term, entry: { first, count, rows, places } };
  }

  async #readPages(): Promise<void> {
    const after = this.#pageAfter;
    const { page } = this.#tables;
    const isFirst = this.#after !== undefined && after === this.#after;
    const rows = await this.#tx.query<{ term: string; data: Uint8Array }>(
      `SELECT term, data FROM ${page} WHERE segment = ?
       ${after === undefined ? '' : isFirst ? fromPageOf(page) : 'AND term > ?'}
       ORDER BY term LIMIT ${ROWS_AT_ONCE}`,
      [this.#segment, ...(after === undefined ? [] : isFirst ? [this.#segment, after] : [after])],
    );
    this.#hasPages = rows.length === ROWS_AT_ONCE;
    this.#pageAfter = rows.at(-1)?.term ?? after;
    this.#pages = rows;
    this.#nextPage = 0;
    this.#small = this.#fromPage();
  }

  async #readBlocks(): Promise<void> {
    const rows = await this.#tx.query<BlockRow>(
      `SELECT term, part, first, n, data, places FROM ${this.#tables.block}
       WHERE segment = ? AND (term, part) > (?, ?) ORDER BY term, part LIMIT ${ROWS_AT_ONCE}`,
      [this.#segment, ...this.#blockAfter],
    );
    this.#hasBlocks = rows.length === ROWS_AT_ONCE;
    const last = rows.at(-1);
    if (last) this.#blockAfter = [last.term, last.part];
    this.#blocks = rows;
    this.#nextBlock = 0;
    this.#large = this.#fromBlocks();
  }
}

const NO_BYTES = new Uint8Array(0);

/** Returns the condition for the pages from the one on that has a term: its first term is not after it. */
function fromPageOf(page: string): string {
  return `AND term >= COALESCE((SELECT max(term) FROM ${page} WHERE segment = ? AND term <= ?), '')`;
}
