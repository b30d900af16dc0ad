import type { Word } from '../analyze/analyzer.ts';

/** A run of kana of a query that may be a word which the dictionary does not know in kana. */
const SHORTEST = 3;
const LONGEST = 12;
const RUN = /[\p{sc=Hiragana}\p{sc=Katakana}ー]+/gu;

/**
 * What a query may mean by its kana: `らしんばん` is cut into words that nobody meant, as the
 * dictionary knows it as 羅針盤 only. Gives each sequence of at least two words within a run of kana.
 *
 * @param words - The words of `text`.
 */
export function kanaSegmentations(words: readonly Word[], text: string): readonly string[] {
  const found = new Set<string>();
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const end = index + run.length;
    const inside = words.filter((word) => word.start >= index && word.end <= end);
    for (const [first, word] of inside.entries()) {
      for (const last of inside.slice(first + 1)) {
        const kana = text.slice(word.start, last.end);
        if (kana.length >= SHORTEST && kana.length <= LONGEST) found.add(kana);
      }
    }
  }
  return [...found];
}
