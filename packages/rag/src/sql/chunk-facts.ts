import { ByteReader, ByteWriter } from '../binary/section-file.ts';

/** The facts of a chunk that the row of its document stores. */
export interface ChunkFacts {
  /** The number of the chunk. */
  readonly id: number;
  /** Its place in the document. */
  readonly index: number;
  /** Content words. */
  readonly words: number;
  /** UTF-16 code units of its own. */
  readonly length: number;
  readonly startLine: number;
  readonly endLine: number;
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
  const tags = Buffer.from(`[${[...lists.keys()].join(',')}]`);
  writer.varint(tags.length);
  writer.append(tags);
  let before = 0;
  for (const chunk of chunks) {
    signed(writer, chunk.id - before);
    before = chunk.id;
    writer.varint(chunk.index);
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
  const lists: readonly (readonly string[])[] = JSON.parse(json);
  const chunks: ChunkFacts[] = [];
  let id = 0;
  while (!reader.isAtEnd) {
    id += readSigned(reader);
    const index = reader.varint();
    const words = reader.varint();
    const own = reader.varint();
    const startLine = reader.varint();
    const endLine = startLine + readSigned(reader);
    const tags = lists[reader.varint()] ?? [];
    chunks.push({ id, index, words, length: own, startLine, endLine, tags });
  }
  return chunks;
}

function signed(writer: ByteWriter, value: number): void {
  writer.varint(value < 0 ? -value * 2 - 1 : value * 2);
}

function readSigned(reader: ByteReader): number {
  const value = reader.varint();
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
