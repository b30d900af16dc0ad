import type { Word } from './analyzer.ts';
import { isKana, toKatakana } from './kana.ts';
import { toNormalText, type NormalText } from './normal-text.ts';
import type { OffsetMap } from './offset-map.ts';

/** A word of a normal text, where it stands in the original. */
export function placeWord(word: Word, offsets: OffsetMap): Word {
  const { basic, reading, pos, isContent, extra } = word;
  const start = offsets.startOf(word.start);
  const end = offsets.endOf(word.end);
  if (!extra) return { start, end, basic, reading, pos, isContent };
  return { start, end, basic, reading, pos, isContent, extra };
}

/**
 * Adds the ruby of a text to its words, each to the first one that it stands beside: as a term, and
 * as the reading if it is that of the whole word.
 */
export function addRuby(words: Word[], { offsets, ruby }: NormalText): readonly Word[] {
  let index = 0;
  for (const { start, end, text } of ruby) {
    const [from, to] = [offsets.startOf(start), offsets.endOf(end)];
    while ((words[index]?.end ?? Infinity) <= from) index++;
    const word = words[index];
    const kana = toNormalText(text).text.replace(/\s/g, '');
    if (!word || word.start >= to || kana === '') continue;
    const isOfWord = word.start === from && word.end === to && isKana(kana);
    words[index] = {
      ...word,
      reading: isOfWord ? toKatakana(kana) : word.reading,
      extra: [...(word.extra ?? []), kana],
    };
  }
  return words;
}
