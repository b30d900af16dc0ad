import { isKana } from '../dictionary/kana-and-scripts.ts';
import { idf } from '../rank/weights.ts';

/** Words that are looked for inside of others: kanji, and katakana of some length. */
const INSIDE = /^\p{sc=Han}{1,4}$|^[\u30a1-\u30fa\u30fc]{3,}$/u;
/** Words below this are in more than every seventh chunk or so. */
const COMMON_IDF = 2;
/** In a small index a share says nothing: no word is common that is in so few chunks. */
const FEW_CHUNKS = 10;
/** A word that is found in compounds only if no chunk has it: 罰 in 刑罰. */
const KANJI = /^\p{sc=Han}$/u;
/** The shortest words of kanji that may be part of a compound. */
const MIN_KANJI = 2;
const MIN_OTHER = 3;
const MIN_TYPO = 4;
/** Short words in kana differ by one character and are others: ボーカル and ローカル. */
const MIN_KANA_TYPO = 6;
/** Another digit is another number: `v2.0` and `v20`. */
const DIGIT = /\p{Nd}/u;

/** Checks whether a word is looked for inside of other words. */
export function isPartOfWords(term: string): boolean {
  return INSIDE.test(term);
}

/** Checks whether a word is a single kanji. */
export function isSingleKanji(term: string): boolean {
  return KANJI.test(term);
}

/** Checks whether a word may begin or end a compound. */
export function isLongEnough(term: string): boolean {
  return term.length >= (/^\p{sc=Han}+$/u.test(term) ? MIN_KANJI : MIN_OTHER);
}

const KATAKANA = /^[\u30a1-\u30fa\u30fc]+$/;
/** 大人しい is no compound of 大人, nor 上手い one of 上手. */
const ADJECTIVE = /^(?:し?い|ない)$/;
/** 空く is no compound of 空. */
const OKURIGANA = /^[\u3041-\u3096]{0,2}[うくすつぬむるぐぶい]$/;
/** 十和田 is no compound of 和田, nor 八王子 one of 王子. */
const NUMERALS = /^[〇一二三四五六七八九十百千万億兆]+$/;

/** Checks whether a word with another text before or after it may be a compound. */
export function isCompound(word: string, rest: string): boolean {
  // チケット is not in エチケット, nor ネクタ in ネクタイ.
  if (KATAKANA.test(word) && KATAKANA.test(rest)) return rest.length > 1 && !rest.startsWith('ー');
  if (isSingleKanji(word) && OKURIGANA.test(rest)) return false;
  return !ADJECTIVE.test(rest) && !NUMERALS.test(rest);
}

/** Checks whether a word is in a longer one, not as its beginning or end alone; forms of words are no words: `13世紀~`. */
export function isInside(term: string, other: string): boolean {
  const isAtEnd =
    (other.startsWith(term) && !isCompound(term, other.slice(term.length))) ||
    (other.endsWith(term) && !isCompound(term, other.slice(0, -term.length)));
  return !isAtEnd && !other.endsWith('~');
}

/** Returns the prefixes and suffixes of a word that are long enough to be words. */
export function partsOf(term: string): readonly string[] {
  const parts: string[] = [];
  for (let cut = 1; cut < term.length; cut++) {
    const halves = [term.slice(0, cut), term.slice(cut)];
    for (const [at, part] of halves.entries()) {
      const rest = halves[1 - at] ?? '';
      if (isLongEnough(part) && part.isWellFormed() && isCompound(part, rest)) parts.push(part);
    }
  }
  return parts;
}

/** The halves of a word, of which terms that differ from it by one character share one; nothing if it is too short or has digits. */
export function halvesOf(term: string): readonly [front: string, back: string] | undefined {
  if (term.length < (isKana(term) ? MIN_KANA_TYPO : MIN_TYPO) || DIGIT.test(term)) return undefined;
  if (NUMERALS.test(term)) return undefined;
  const half = Math.floor(term.length / 2);
  return [term.slice(0, half), term.slice(half)];
}

/** Checks whether a term is too common in the chunks to say much. */
export function saysLittle(size: number, count: number): boolean {
  return count > FEW_CHUNKS && idf(size, count) < COMMON_IDF;
}
