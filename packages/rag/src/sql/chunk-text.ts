import { inflateRawSync } from 'node:zlib';
import { ByteReader } from '../binary/section-file.ts';
import type { ChunkFields } from '../chunk/chunk.ts';
import type { NumberedWord } from '../search/column-part.ts';

/** The fields of a chunk that stay when it moves: all but its document, its place and its lines. */
export type TextFields = Pick<
  ChunkFields & { readonly ordinal: number },
  'title' | 'content' | 'tags' | 'headingPath' | 'overlap' | 'ordinal'
>;

/** A word of a stored text. */
export interface StoredWord extends NumberedWord {
  /** True if its only term is its surface, as in most nouns: then no number of it is stored. */
  readonly isOwnTerm?: true;
}

/** A chunk with its words and the terms of its titles, by number. */
export interface StoredText {
  readonly fields: TextFields;
  readonly words: readonly StoredWord[];
  readonly titles: readonly number[];
}

/** A chunk with its number. */
export interface NumberedText {
  readonly chunk: number;
  readonly text: StoredText;
}

/** A word whose place does not fit into its first byte. */
const LONG = 7;

type Head = readonly [
  title: string,
  tags: readonly string[],
  headingPath: readonly string[],
  overlap: number,
  ordinal: number,
];

/**
 * Reads a row of the first form, which had one chunk: its words in some three bytes each, the terms of its titles, then its
 * text as UTF-16, deflated.
 */
export function readFirstForm(bytes: Uint8Array): StoredText {
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
