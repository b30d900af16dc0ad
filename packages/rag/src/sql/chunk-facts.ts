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
  if (bytes.length === 0) return [];
  const reader = new ByteReader(bytes);
  const length = reader.varint();
  const from = reader.at;
  reader.at += length;
  const json = Buffer.from(bytes.buffer, bytes.byteOffset + from, length).toString();
  const head: readonly (readonly string[] | StoredColumns)[] = JSON.parse(json);
  const { columns = [] } = head.find(isColumns) ?? {};
  const chunks: ChunkFacts[] = [];
  let id = 0;
  while (!reader.isAtEnd) {
    id += readSigned(reader);
    const chunkIndex = reader.varint();
    const words = reader.varint();
    const own = reader.varint();
    const startLine = reader.varint();
    const endLine = startLine + readSigned(reader);
    const list = head[reader.varint()] ?? [];
    const tags = isColumns(list) ? [] : list;
    const position = {
      chunkIndex,
      startLine,
      endLine,
      startColumn: columns[chunks.length] || undefined,
    };
    chunks.push({ id, words, length: own, tags, ...position });
  }
  return chunks;
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
