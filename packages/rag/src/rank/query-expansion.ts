import type { Analyzer, Word } from '../analyze/analyzer.ts';
import { isKana, toHiragana } from '../dictionary/kana-and-scripts.ts';
import { REWRITTEN_KANA, rewriteOldOrthography } from '../spelling/old-orthography.ts';
import { idf } from './rerank.ts';
import { WEIGHTS } from './weights.ts';

/** Returns the kanji of a word. */
export function kanjiOf(text: string): string {
  return text.replaceAll(/[^\p{sc=Han}]/gu, '');
}

/** 御腹 for お腹, and the other way. */
export function otherPoliteness(term: string): readonly string[] {
  const rest = term.slice(1);
  if (term.startsWith('御') && rest !== '') return [`お${rest}`, `ご${rest}`];
  return /^[おご]\p{sc=Han}/u.test(term) ? [`御${rest}`] : [];
}

/** Kana between two kanji, or at the end. */
const OKURIGANA = /(?<=\p{sc=Han})[\u3041-\u3096]{1,3}(?=\p{sc=Han}|$)/gu;

/** Each of them has three spellings. */
const MOST_RUNS = 3;

/** Returns a word of several kanji with fewer of their kana: 問合わせ, 問い合せ and 問合せ for 問い合わせ. */
export function okurigana(term: string): ReadonlySet<string> {
  const runs = [...term.matchAll(OKURIGANA)];
  if (kanjiOf(term).length < 2 || runs.length > MOST_RUNS) return new Set();
  let spellings = [''];
  let reached = 0;
  for (const { 0: kana, index } of runs) {
    const before = term.slice(reached, index);
    const endings = new Set([kana, kana.slice(1), '']);
    spellings = spellings.flatMap((front) => Array.from(endings, (end) => front + before + end));
    reached = index + kana.length;
  }
  const found = new Set(spellings.map((front) => front + term.slice(reached)));
  found.delete(term);
  return found;
}

/** Returns a word of two kanji with the kana that each may have: 植え木 for 植木, 竜巻き for 竜巻, 書き留め for 書留. */
export function withOkurigana(
  term: string,
  reading: string,
  analyzer: Analyzer,
): ReadonlySet<string> {
  const found = new Set<string>();
  if (!/^\p{sc=Han}{2}$/u.test(term)) return found;
  const [front, back] = [term.slice(0, 1), term.slice(1)];
  for (const read of analyzer.readings(back)) {
    const rest = toHiragana(reading.slice(0, -read.length));
    if (reading.endsWith(read) && rest.length > 1) {
      found.add(front + rest.slice(-1) + back);
      break;
    }
  }
  for (let kana = 0; kana <= MOST_KANA; kana++) {
    const last = back + toHiragana(reading.slice(reading.length - kana));
    for (const read of analyzer.readings(last)) {
      if (!reading.endsWith(read) || read.length === reading.length) continue;
      const rest = reading.slice(0, -read.length);
      if (kana > 0) found.add(front + last);
      for (let more = 1; more <= MOST_KANA; more++) {
        const first = front + toHiragana(rest.slice(-more));
        if (analyzer.readings(first).includes(rest)) found.add(first + last);
      }
    }
  }
  return found;
}

/** A kanji of a compound has this many kana at most: 受け付け. */
const MOST_KANA = 2;

/** Returns a word with its first or its last characters in kana: 子ども and こ供 for 子供. */
export function partlyInKana(
  basic: string,
  reading: string,
  analyzer: Analyzer,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (let cut = 1; cut < basic.length; cut++) {
    const [front, back] = [basic.slice(0, cut), basic.slice(cut)];
    if (kanjiOf(front) === '' || kanjiOf(back) === '') continue;
    for (const read of analyzer.readings(front)) {
      const rest = reading.slice(read.length);
      if (reading.startsWith(read) && rest !== '') found.add(front + toHiragana(rest));
    }
    for (const read of analyzer.readings(back)) {
      const rest = reading.slice(0, -read.length);
      if (reading.endsWith(read) && rest !== '') found.add(toHiragana(rest) + back);
    }
  }
  return found;
}

const HIRAGANA = /[ぁ-ん]/u;

/**
 * Returns what the words of a query are where it comes from a text in the old orthography: かお for かほ. The text has signs
 * and is indexed in today's spelling, the query is too short for any.
 */
export function oldSpelledWords(text: string, analyzer: Analyzer): readonly Word[] {
  if (!REWRITTEN_KANA.test(text)) return [];
  // Inside of a run of kana, two words of today often look like one: さはり of 大きさはりんご.
  const pieces = rewriteOldOrthography(text, true).filter(
    ({ start, end }) => end - start === 1 || !HIRAGANA.test(text.charAt(start - 1)),
  );
  let today = '';
  let reached = 0;
  const places = pieces.map(({ start, end, text: written }) => {
    today += text.slice(reached, start);
    const from = today.length;
    today += written;
    reached = end;
    return { from, to: today.length };
  });
  if (places.length === 0) return [];
  const isRewritten = ({ isContent, start, end }: Word): boolean =>
    isContent && places.some(({ from, to }) => start < to && end > from);
  return analyzer.words(today + text.slice(reached)).filter(isRewritten);
}

const NUMBER = '名詞,数';
const KATAKANA = /^[\u30a1-\u30fa\u30fc]+$/;
/** A number, and what is counted: `17`, `1部~`. */
const IN_DIGITS = /^\d[\d.]*(?:\p{sc=Han}.*~|つ~)?$/u;

/** Returns how much a further term of a word counts: forms of Korean and pairs of Chinese as much as itself, what is only in it less. */
export function factorOfForm(term: string, { pos, basic }: Pick<Word, 'pos' | 'basic'>): number {
  if (KATAKANA.test(term) && isKana(basic.replaceAll('・', ''))) return WEIGHTS.sameSound;
  if (IN_DIGITS.test(term)) return WEIGHTS.digits;
  if (term.endsWith('~') || (pos === NUMBER && isKana(term))) return WEIGHTS.otherForm;
  return term.endsWith('^') ? WEIGHTS.syllables : WEIGHTS.extra;
}

/** Checks whether a further term of a word is another form of it: pairs of syllables, and parts of foreign words, are not. */
export function isForm(term: string, { pos }: Pick<Word, 'pos'>): boolean {
  return !term.endsWith('^') && (pos !== '' || term.endsWith('~'));
}

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

/** 大人しい is no compound of 大人, nor 上手い one of 上手. */
const ADJECTIVE = /^(?:し?い|ない)$/;
/** 空く is no compound of 空. */
const VERB_KANA = /^[\u3041-\u3096]{0,2}[うくすつぬむるぐぶい]$/;
/** 十和田 is no compound of 和田, nor 八王子 one of 王子. */
const NUMERALS = /^[〇一二三四五六七八九十百千万億兆]+$/;

/** Checks whether a word with another text before or after it may be a compound. */
export function isCompound(word: string, rest: string): boolean {
  // チケット is not in エチケット, nor ネクタ in ネクタイ.
  if (KATAKANA.test(word) && KATAKANA.test(rest)) return rest.length > 1 && !rest.startsWith('ー');
  if (isSingleKanji(word) && VERB_KANA.test(rest)) return false;
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
