import type { ChunkPosition } from '../chunk/chunk.ts';
import { ByteReader, ByteWriter } from '../binary/section-file.ts';

/** The facts of a chunk that the row of its document stores. */
export interface ChunkFacts extends ChunkPosition {
  /** The number of the chunk. */
  readonly id: number;
  /** Content words. */
  readonly words: number;
  /** UTF-16 code units of its own. */
  readonly length: number;
  readonly tags: readonly string[];
}

/** Encodes the chunks of a document in their order: some ten bytes each. */
export function writeFacts(chunks: readonly ChunkFacts[]): Uint8Array {
  const writer = new ByteWriter(chunks.length * 12);
  const lists = new Map<string, number>();
  for (const { tags } of chunks) {
    const key = JSON.stringify(tags);
    if (!lists.has(key)) lists.set(key, lists.size);
  }
  // Readers of older versions pass over what is no list of tags.
  const columns = JSON.stringify({ columns: chunks.map(({ startColumn = 0 }) => startColumn) });
  const head = Buffer.from(`[${[...lists.keys(), columns].join(',')}]`);
  writer.varint(head.length);
  writer.append(head);
  let before = 0;
  for (const chunk of chunks) {
    signed(writer, chunk.id - before);
    before = chunk.id;
    writer.varint(chunk.chunkIndex);
    writer.varint(chunk.words);
    writer.varint(chunk.length);
    writer.varint(chunk.startLine);
    signed(writer, chunk.endLine - chunk.startLine);
    writer.varint(lists.get(JSON.stringify(chunk.tags)) ?? 0);
  }
  return chunks.length === 0 ? new Uint8Array() : writer.view().slice();
}

/** Reads the bytes that {@link writeFacts} wrote. */
export function readFacts(bytes: Uint8Array): readonly ChunkFacts[] {
  const chunks: ChunkFacts[] = [];
  eachFacts(bytes, ({ id, words, length, tags, chunkIndex, startLine, endLine, startColumn }) => {
    const position = { chunkIndex, startLine, endLine, startColumn: startColumn || undefined };
    chunks.push({ id, words, length, tags, ...position });
  });
  return chunks;
}

/** The facts that {@link eachFacts} shows, one object for all chunks: an index has hundreds of thousands. */
type ShownFacts = { -readonly [K in keyof Required<ChunkFacts>]: NonNullable<ChunkFacts[K]> };

/**
 * Reads the bytes that {@link writeFacts} wrote.
 *
 * @param visit - Called with the facts of each chunk, which are changed after that.
 */
export function eachFacts(bytes: Uint8Array, visit: (facts: Readonly<ShownFacts>) => void): void {
  if (bytes.length === 0) return;
  const reader = new ByteReader(bytes);
  const length = reader.varint();
  const from = reader.at;
  reader.at += length;
  const json = Buffer.from(bytes.buffer, bytes.byteOffset + from, length).toString();
  const head: readonly (readonly string[] | StoredColumns)[] = JSON.parse(json);
  const { columns = [] } = head.find(isColumns) ?? {};
  const lists = head.map((list) => (isColumns(list) ? [] : list));
  const facts: ShownFacts = {
    id: 0,
    chunkIndex: 0,
    words: 0,
    length: 0,
    startLine: 0,
    endLine: 0,
    startColumn: 0,
    tags: [],
  };
  for (let at = 0; !reader.isAtEnd; at++) {
    facts.id += readSigned(reader);
    facts.chunkIndex = reader.varint();
    facts.words = reader.varint();
    facts.length = reader.varint();
    facts.startLine = reader.varint();
    facts.endLine = facts.startLine + readSigned(reader);
    facts.tags = lists[reader.varint()] ?? [];
    facts.startColumn = columns[at] ?? 0;
    visit(facts);
  }
}

/** The columns of the chunks of a document, in their order, after the lists of tags; 0: not known. */
interface StoredColumns {
  readonly columns: readonly number[];
}

function isColumns(entry: readonly string[] | StoredColumns): entry is StoredColumns {
  return 'columns' in entry;
}

function signed(writer: ByteWriter, value: number): void {
  writer.varint(value < 0 ? -value * 2 - 1 : value * 2);
}

function readSigned(reader: ByteReader): number {
  const value = reader.varint();
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
