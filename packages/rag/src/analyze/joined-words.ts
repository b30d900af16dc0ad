import type { Word } from './analyzer.ts';

/** Words that follow each other and may be one word that the dictionary knows in another spelling. */
export interface JoinedWords {
  /** The place of the first word. */
  readonly place: number;
  readonly first: Word;
  readonly last: Word;
  readonly start: number;
  readonly end: number;
  /** As they are written, the last one in basic form too if it is a verb: `話しあっ` and `話しあう`. */
  readonly terms: readonly string[];
}

const NUMBER = '名詞,数';
/** One kanji with its kana: 飼, 飼い, 合わせ. */
const ONE_KANJI = /^\p{sc=Han}[\u3041-\u3096]{0,3}$/u;
const KANJI = /\p{sc=Han}/u;
/** Kana that can be part of a compound: こみ, あう, むだ. */
const KANA = /^[\u3041-\u3096]{2,4}$/;
const NOUN = /^名詞(?:$|,接尾)/;
const VERB = /^動詞/;
/** After a verb that ends otherwise, another word begins: 書いた, 読めば. */
const STEM_END = /[\p{sc=Han}いきぎしじちにひびみりえけげせてでねへべめれぜ]$/u;
/** Verbs that follow others in every sentence. */
const PLAIN_VERBS = new Set([
  'する',
  'いる',
  'ある',
  'なる',
  'れる',
  'られる',
  'せる',
  'くださる',
  'なさる',
]);
const LONGEST = 8;
const LAST_KANA = 0x30ff;

/**
 * Finds pairs of words that may be one: 飼犬 for 飼い犬, 書きこみ for 書き込み, むだ遣い for 無駄遣い.
 *
 * @param words - In the order of `text`; offsets are those in it.
 */
export function joinedWords(words: readonly Word[], text: string): readonly JoinedWords[] {
  const found: JoinedWords[] = [];
  for (const [place, first] of words.entries()) {
    const last = words[place + 1];
    if (last?.start !== first.end || last.end - first.start > LONGEST) continue;
    if (!first.isContent || !last.isContent) continue;
    // One of them has a kanji.
    if (text.charCodeAt(first.start) <= LAST_KANA && text.charCodeAt(last.start) <= LAST_KANA)
      continue;
    const [front, back] = [text.slice(first.start, first.end), text.slice(last.start, last.end)];
    if (!mayJoin(first, front, last, back)) continue;
    const terms = new Set<string>();
    if (VERB.test(last.pos)) terms.add(front + last.basic);
    // あっ of 話しあった is not how the word ends.
    if (!VERB.test(last.pos) || STEM_END.test(back)) terms.add(front + back);
    found.push({ place, first, last, start: first.start, end: last.end, terms: [...terms] });
  }
  return found;
}

function mayJoin(first: Word, front: string, last: Word, back: string): boolean {
  if (first.pos === NUMBER || last.pos === NUMBER) return false;
  // 出来 of 出来上る has two.
  const isFrontKanji = ONE_KANJI.test(front) || (VERB.test(first.pos) && KANJI.test(front));
  const isBackKanji = ONE_KANJI.test(back);
  if (!isFrontKanji && !isBackKanji) return false;
  const mayBegin = !VERB.test(first.pos) || STEM_END.test(front);
  if (!mayBegin || PLAIN_VERBS.has(last.basic)) return false;
  if (isFrontKanji && isBackKanji) return true;
  if (isFrontKanji) {
    return KANA.test(back) && (VERB.test(last.pos) || NOUN.test(last.pos) || VERB.test(first.pos));
  }
  return (
    KANA.test(front) &&
    (NOUN.test(first.pos) || VERB.test(first.pos)) &&
    !PLAIN_VERBS.has(first.basic)
  );
}
