import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { AscendingNumbers, joinTables, PackedNumbers } from '../../binary/packed-tables.ts';
import { ByteReader, ByteWriter } from '../../binary/section-file.ts';
import type { ChunkPosition } from '../../chunk/chunk.ts';

/** The numbers that replace a chunk in the record of its document, see {@link recordRow}. */
export const RECORD_COLUMN_COUNT = 5;

/** Returns the numbers of a chunk in a record. */
export function recordRow(
  number: number,
  { startLine, endLine, chunkIndex, startColumn = 0 }: ChunkPosition,
): readonly number[] {
  return [number, startLine, endLine, chunkIndex, startColumn];
}

/** Added to the number of a chunk that another segment has: the base of the own one is not for it. */
export const ELSEWHERE: number = 2 ** 31;

/** Returns the number of a chunk in the index, by that in a record and the base of the record's segment. */
export function idIn(number: number, base: number): number {
  return number >= ELSEWHERE ? number - ELSEWHERE : number + base;
}

/** Returns the chunks of a record with their numbers in the index: the same array if these are no others. */
export function withIds(chunks: Uint32Array, base: number): Uint32Array {
  let numbered = chunks;
  for (let at = 0; at < chunks.length; at += RECORD_COLUMN_COUNT) {
    const number = chunks[at] ?? 0;
    const id = idIn(number, base);
    if (id === number) continue;
    if (numbered === chunks) numbered = chunks.slice();
    numbered[at] = id;
  }
  return numbered;
}

/** A document as some commit left it. The newest record of a document counts. */
export interface DocumentRecord {
  readonly novelId: string;
  readonly filePath: string;
  /** Which commit wrote it; 0: the one that added the segment. */
  readonly commit: number;
  /** The version that the caller wants to store. */
  readonly stamp?: string;
  /**
   * Its chunks in order, `RECORD_COLUMN_COUNT` numbers each: its number (see `idIn`), its
   * first and its last line, its place in the document, and its column. None if the document was removed.
   */
  readonly chunks: Uint32Array;
}

/** A record as it is in a file: its chunks are numbers after all of them. */
type PlainRecord = readonly [
  novelId: string,
  filePath: string,
  commit: number,
  chunks: number,
  stamp?: string,
];

/**
 * Returns records of documents as bytes: how long their JSON is, the JSON, and what each number of a chunk adds to the
 * same one of the chunk before; all of it deflated.
 */
export function writeRecords(records: readonly DocumentRecord[]): Uint8Array {
  const plain = records.map(({ novelId, filePath, commit, chunks, stamp }): PlainRecord => {
    const count = chunks.length / RECORD_COLUMN_COUNT;
    return stamp === undefined
      ? [novelId, filePath, commit, count]
      : [novelId, filePath, commit, count, stamp];
  });
  const json = Buffer.from(JSON.stringify(plain));
  const bytes = new ByteWriter(json.length);
  bytes.varint(json.length);
  bytes.append(json);
  const before = new Float64Array(RECORD_COLUMN_COUNT);
  for (const { chunks } of records) {
    for (let at = 0; at < chunks.length; at++) {
      const column = at % RECORD_COLUMN_COUNT;
      const step = (chunks[at] ?? 0) - (before[column] ?? 0);
      bytes.varint(step < 0 ? -step * 2 - 1 : step * 2);
      before[column] = chunks[at] ?? 0;
    }
  }
  return deflateRawSync(bytes.view());
}

/** No section of a segment is larger than its index may be. */
export const MOST_INFLATED: number = 512 * 1024 * 1024;

/** Returns the records that {@link writeRecords} wrote; their chunks are views of the same numbers. */
export function readRecords(deflated: Uint8Array): readonly DocumentRecord[] {
  const bytes = inflateRawSync(deflated, { maxOutputLength: MOST_INFLATED });
  const reader = new ByteReader(bytes);
  const length = reader.varint();
  const plain: readonly PlainRecord[] = JSON.parse(
    bytes.toString('utf8', reader.at, reader.at + length),
  );
  reader.at += length;
  const size = plain.reduce((sum, [, , , count]) => sum + count, 0) * RECORD_COLUMN_COUNT;
  // A number takes a byte at least.
  if (!(size <= bytes.length)) throw new RangeError('Invalid array length of records');
  const numbers = new Uint32Array(size);
  const before = new Float64Array(RECORD_COLUMN_COUNT);
  for (let at = 0; at < size; at++) {
    const step = reader.varint();
    const column = at % RECORD_COLUMN_COUNT;
    const number = (before[column] ?? 0) + (step % 2 === 0 ? step / 2 : -(step + 1) / 2);
    before[column] = number;
    numbers[at] = number;
  }
  let at = 0;
  return plain.map(([novelId, filePath, commit, count, stamp]) => {
    const chunks = numbers.subarray(at, at + count * RECORD_COLUMN_COUNT);
    at += chunks.length;
    return { novelId, filePath, commit, chunks, ...(stamp === undefined ? {} : { stamp }) };
  });
}

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
