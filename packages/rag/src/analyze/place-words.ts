import type { Word } from './analyzer.ts';
import { isKana, toKatakana } from '../dictionary/kana.ts';
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

/**
 * Makes one word of those that came from one character, such as `株式` and `会社` from `㍿`: the first
 * that can be searched for, with the others as its terms.
 */
export function joinOverlaps(words: Word[]): Word[] {
  let reached = 0;
  const overlaps = words.some(({ start, end }) => {
    const isInside = start < reached;
    reached = end;
    return isInside;
  });
  if (!overlaps) return words;
  const joined: Word[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (!last || word.start >= last.end) joined.push(word);
    else joined[joined.length - 1] = joinWords(last, word);
  }
  return joined;
}

function joinWords(first: Word, second: Word): Word {
  const place = { start: first.start, end: Math.max(first.end, second.end) };
  if (!second.isContent) return { ...first, ...place };
  if (!first.isContent) return { ...second, ...place };
  const extra = [...(first.extra ?? []), second.basic, ...(second.extra ?? [])];
  return { ...first, ...place, extra };
}
