import type { NumberedText, StoredWord, TextFields } from './chunk-text.ts';

/**
 * Words as numbers, one after the other: the start, the end, twice how many terms it has (plus one if its only term is its
 * surface), and these terms. A chunk has some hundred words, which as objects would be most of what is collected as garbage.
 */
export type WordRecords = Uint32Array;

/** A chunk with its words, as it is written. */
export interface WrittenText {
  readonly chunk: number;
  readonly fields: TextFields;
  readonly words: WordRecords;
  /** How many words there are. */
  readonly count: number;
  readonly titles: readonly number[];
}

/** Returns the kind of a word, which is after its start and its end. */
export function kindOf(terms: number, isOwnTerm: boolean): number {
  return terms * 2 + (isOwnTerm ? 1 : 0);
}

/** Returns a chunk that was read as one that is written. */
export function writtenText({ chunk, text }: NumberedText): WrittenText {
  const { fields, words, titles } = text;
  const records = words.flatMap(recordOf);
  return { chunk, fields, words: Uint32Array.from(records), count: words.length, titles };
}

function recordOf({ start, end, terms, isOwnTerm }: StoredWord): readonly number[] {
  return [start, end, kindOf(terms.length, isOwnTerm === true), ...terms];
}
