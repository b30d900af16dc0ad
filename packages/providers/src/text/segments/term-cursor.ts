import type { SqlExecutor } from '../../storage/database.ts';
import type { PostingEntry } from './posting-entry.ts';
import type { SegmentTables } from './segment-tables.ts';
import { PageReader } from './segment-writer.ts';
import { compareTerms } from './term-order.ts';

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
