import type { ChunkTerms } from '../chunk/chunk.ts';
import type { NumberedWord } from '../search/column-part.ts';
import { ByteReader, ByteWriter } from '../binary/section-file.ts';

/** The words of a chunk and the terms of its titles, by number. */
export interface NumberedTerms {
  readonly words: readonly NumberedWord[];
  readonly titles: readonly number[];
}

/**
 * Some five bytes a word: where it begins, counted from the beginning of the one before, as words may
 * overlap; its length; its terms.
 */
export function writeWords(
  { words, titles }: ChunkTerms,
  numberOf: (term: string, isTitle: boolean) => number,
): Uint8Array {
  const writer = new ByteWriter(words.length * 6);
  writer.varint(words.length);
  let at = 0;
  for (const { start, end, terms } of words) {
    writer.varint(start - at);
    writer.varint(end - start);
    writer.varint(terms.length);
    for (const term of terms) writer.varint(numberOf(term, false));
    at = start;
  }
  writer.varint(titles.length);
  for (const term of titles) writer.varint(numberOf(term, true));
  return writer.view().slice();
}

/** Reads the result of {@link writeWords}. */
export function readWords(bytes: Uint8Array): NumberedTerms {
  const reader = new ByteReader(bytes);
  const list = <T>(read: () => T): T[] => Array.from({ length: reader.varint() }, read);
  const number = (): number => reader.varint();
  let at = 0;
  const words = list((): NumberedWord => {
    at += reader.varint();
    return { start: at, end: at + reader.varint(), terms: list(number) };
  });
  return { words, titles: list(number) };
}
