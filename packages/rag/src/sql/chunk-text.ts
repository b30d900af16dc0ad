import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ChunkTerms } from '../analyze/analyze-chunk.ts';
import { ByteReader, ByteWriter } from '../binary/section-file.ts';
import type { Chunk, ChunkFields } from '../chunk/chunk.ts';
import type { NumberedWord } from '../search/column-part.ts';

/** The fields of a chunk that stay when it moves: all but its document, its place and its lines. */
type ChunkContentFields = Pick<
  ChunkFields & { readonly ordinal: number },
  'title' | 'content' | 'tags' | 'headingPath' | 'overlap' | 'ordinal'
>;

/** A chunk with its words and the terms of its titles, by number. */
export interface StoredText {
  readonly fields: ChunkContentFields;
  readonly words: readonly NumberedWord[];
  readonly titles: readonly number[];
}

/** The longest word, and the widest gap before one, that the first byte of a word holds. */
const MAX_LENGTH = 6;
const MAX_GAP = 7;
const LONG = 7;

/**
 * Encodes a chunk: its words in some three bytes each, then its text as UTF-16, deflated. Nothing of a string is lost, lone
 * surrogates neither.
 */
export function writeText(
  chunk: Chunk,
  { words, titles }: ChunkTerms,
  numberOf: (term: string, isTitle: boolean) => number,
): Uint8Array {
  const writer = new ByteWriter(words.length * 5 + chunk.content.length * 2);
  writer.varint(words.length);
  let end = 0;
  for (const { start, end: next, terms } of words) {
    const gap = start - end;
    const length = next - start;
    const isShort = gap >= 0 && gap <= MAX_GAP && length > 0 && length <= MAX_LENGTH;
    const hasMore = terms.length > 1 ? 1 : 0;
    writer.varint((isShort ? gap * 8 + length : LONG) * 2 + hasMore);
    if (!isShort) {
      // Words may overlap.
      writer.varint(gap < 0 ? -gap * 2 - 1 : gap * 2);
      writer.varint(length);
    }
    if (hasMore === 1) writer.varint(terms.length);
    for (const term of terms) writer.varint(numberOf(term, false));
    end = next;
  }
  writer.varint(titles.length);
  for (const term of titles) writer.varint(numberOf(term, true));
  const { title, content, tags, headingPath, overlap, ordinal } = chunk;
  const head = JSON.stringify([title, tags, headingPath, overlap, ordinal]);
  writer.varint(head.length);
  writer.append(deflateRawSync(Buffer.from(head + content, 'utf16le')));
  return writer.view().slice();
}

type Head = readonly [
  title: string,
  tags: readonly string[],
  headingPath: readonly string[],
  overlap: number,
  ordinal: number,
];

/** Reads the bytes that {@link writeText} wrote. */
export function readText(bytes: Uint8Array): StoredText {
  const reader = new ByteReader(bytes);
  const words: NumberedWord[] = [];
  const count = reader.varint();
  let end = 0;
  for (let at = 0; at < count; at++) {
    const first = reader.varint();
    const shape = first >> 1;
    const isLong = shape === LONG;
    const gap = isLong ? reader.varint() : (shape >> 3) * 2;
    const start = end + (gap % 2 === 0 ? gap / 2 : -(gap + 1) / 2);
    end = start + (isLong ? reader.varint() : shape & 7);
    const terms = Array.from({ length: (first & 1) === 1 ? reader.varint() : 1 }, () =>
      reader.varint(),
    );
    words.push({ start, end, terms });
  }
  const titles = Array.from({ length: reader.varint() }, () => reader.varint());
  const length = reader.varint();
  const text = inflateRawSync(bytes.subarray(reader.at)).toString('utf16le');
  const [title, tags, headingPath, overlap, ordinal]: Head = JSON.parse(text.slice(0, length));
  const content = text.slice(length);
  return { fields: { title, content, tags, headingPath, overlap, ordinal }, words, titles };
}
