import { AscendingNumbers, joinTables, PackedNumbers } from '../../binary/packed-numbers.ts';

/** The numbers that replace a chunk, in this order. */
export const DOC_COLUMNS = {
  /** Ascending in a segment. */
  id: 0,
  /** Content words. */
  words: 1,
  /** UTF-16 code units. */
  length: 2,
  /** Where its text ends in `texts`. */
  textEnd: 3,
  /** Places in `SegmentStrings`. */
  title: 4,
  headings: 5,
  tags: 6,
  overlap: 7,
  ordinal: 8,
} as const;
export const DOC_COLUMN_COUNT = 9;

const ASCENDING: ReadonlySet<number> = new Set([DOC_COLUMNS.id, DOC_COLUMNS.textEnd]);

/** The numbers that replace the chunks of a segment, column by column. */
export class DocTable {
  /** How many chunks there are. */
  readonly size: number;
  /** The content words of each chunk. */
  readonly words: Uint32Array;
  /** The first id, if the others follow it one by one, as in a segment without deleted chunks; or -1. */
  readonly #firstId: number;
  readonly #columns: readonly Pick<PackedNumbers, 'at'>[];

  /** @param data - As {@link DocTable.write} made it. */
  constructor(data: Uint8Array) {
    let at = 0;
    const columns = Object.values(DOC_COLUMNS).map((column) => {
      const rest = data.subarray(at);
      const table = ASCENDING.has(column) ? new AscendingNumbers(rest) : new PackedNumbers(rest);
      at += table.byteLength;
      return table;
    });
    this.#columns = columns;
    this.size = columns[0]?.length ?? 0;
    const firstId = this.get(0, 'id');
    this.#firstId = this.get(this.size - 1, 'id') - firstId === this.size - 1 ? firstId : -1;
    this.words = new Uint32Array(this.size);
    const words = columns[DOC_COLUMNS.words];
    for (let doc = 0; doc < this.size; doc++) this.words[doc] = words?.at(doc) ?? 0;
  }

  idAt(doc: number): number {
    return this.#firstId < 0 ? this.get(doc, 'id') : this.#firstId + doc;
  }

  get(doc: number, column: keyof typeof DOC_COLUMNS): number {
    return this.#columns[DOC_COLUMNS[column]]?.at(doc) ?? 0;
  }

  /** @param numbers - `DOC_COLUMN_COUNT` for each chunk. */
  static write(numbers: ArrayLike<number>): Uint8Array<ArrayBuffer> {
    const size = numbers.length / DOC_COLUMN_COUNT;
    return joinTables(
      Object.values(DOC_COLUMNS).map((column) => {
        const values = Uint32Array.from(
          { length: size },
          (_, doc) => numbers[doc * DOC_COLUMN_COUNT + column] ?? 0,
        );
        return ASCENDING.has(column) ? AscendingNumbers.write(values) : PackedNumbers.write(values);
      }),
    );
  }
}
