import type { Dictionary } from '../dictionary/dictionary.ts';
import { toHiragana, voiced } from '../dictionary/kana-and-scripts.ts';
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

/** The part of a dictionary that is asked here. */
interface Lexicon {
  /** Returns the spelling that replaces all of a basic form's, which may be itself. */
  standardSpelling(basic: string): string;
  /** Returns the readings of a word in katakana; none if it is not known. */
  readings(word: string): readonly string[];
}

const AS_SUFFIX = /接尾$/;

/** Adds words that end in 様 or with せる as the dictionary has them: お客様 for お客さま, 打ち合わせる for 打ち合わ and せる. */
export function addSuffixed(
  words: readonly Word[],
  text: string,
  { readings, standardSpelling }: Lexicon,
  add: (place: number, term: string) => void,
): void {
  for (const [place, last] of words.entries()) {
    if (!AS_SUFFIX.test(last.pos)) continue;
    const isPolite = text.startsWith('さま', last.start) && last.end === last.start + 2;
    if (!isPolite && last.basic !== 'せる') continue;
    const ending = isPolite ? '様' : last.basic;
    for (let first = place - 1; first >= 0 && first >= place - 2; first--) {
      const [front, next] = [words[first], words[first + 1]];
      if (front?.end !== next?.start || front === undefined) break;
      const whole = text.slice(front.start, last.start) + ending;
      if (readings(whole).length > 0) add(first, standardSpelling(whole));
    }
  }
}

/** A word of two kanji that a text has, which the dictionary may have with other kana. */
export interface WrittenCompound {
  readonly word: string;
  /** How it may be read, in katakana; none if its kanji have several readings. */
  readonly readings: readonly string[];
  readonly isVerb: boolean;
}

const TWO_KANJI = /^(\p{sc=Han})([\u3041-\u3096]{0,3})(\p{sc=Han})([\u3041-\u3096]{0,3})$/u;
const VERB_POS = '動詞';
const SIGN = '/';

/**
 * Finds words of two kanji in the spelling of the dictionary, whatever kana a text has between and after them: 逃げ足 for
 * 逃足, 合せ鏡 for 合わせ鏡, 差支え for 差し支え.
 *
 * Source: 送り仮名の付け方 (Cabinet notice 2 of 1973), rules 6 and 7.
 */
export class Compounds {
  readonly #dictionary: Dictionary;
  /** The readings of all words that begin with a kanji, as it is asked for, each between signs. */
  readonly #readings = new Map<string, string>();

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
  }

  /** Checks whether the dictionary has a word with these two kanji, or one with the first of them and this reading. */
  has(kanji: string, reading: string): boolean {
    // Three have no word of two, though the first two of them may.
    const [first = '', second = '', ...others] = kanji;
    const isTwo = second !== '' && others.length === 0;
    if (isTwo && !this.#dictionary.compoundsOf(first, second).next().done) return true;
    return reading !== '' && this.#readingsFrom(first).includes(`${SIGN}${reading}${SIGN}`);
  }

  /** Returns the words of the dictionary that are this word with other kana, in basic form. */
  spellingsOf({ word, readings, isVerb }: WrittenCompound): readonly string[] {
    const [, first = '', front = '', second = '', back = ''] = TWO_KANJI.exec(word) ?? [];
    const found = new Set<string>();
    for (const other of this.#dictionary.compoundsOf(first, second)) {
      if (other.word === word || isVerb !== (other.pos === VERB_POS)) continue;
      if (isVerb && other.word !== other.basic) continue;
      const [, , otherFront = '', , otherBack = ''] = TWO_KANJI.exec(other.word) ?? [];
      const isSame = isVerb
        ? otherBack.endsWith(back) || (otherBack !== '' && back.endsWith(otherBack))
        : otherBack.endsWith(back) || back.endsWith(otherBack);
      if (!isSame) continue;
      // 見え方 is not 見方: with kana, the reading decides.
      if (readings.includes(other.reading) || (front === '' && otherFront !== ''))
        found.add(other.basic);
    }
    return [...found];
  }

  /** One text holds hundreds of readings in a fraction of the memory of a set. */
  #readingsFrom(kanji: string): string {
    const known = this.#readings.get(kanji);
    if (known !== undefined) return known;
    const words = Array.from(this.#dictionary.compoundsOf(kanji), ({ reading }) => reading);
    const readings = [SIGN, ...new Set(words).add('')].join(SIGN);
    this.#readings.set(kanji, readings);
    return readings;
  }
}

const ENDS_IN_KANJI = /\p{sc=Han}$/u;
/** After names of relatives: 伯父さん is おじさん to the dictionary. */
const TITLE_OF_PERSON = /^(?:さん|さま|ちゃん)$/;

/** Adds compounds whose last word, which has one kanji, is in kana: 傷つく for 傷付く, 言葉づかい for 言葉遣い. */
export function addWithKanaAtEnd(
  words: readonly Word[],
  text: string,
  { readings, standardSpelling }: Lexicon,
  add: (place: number, term: string) => void,
): void {
  for (const [place, { start, end, reading }] of words.entries()) {
    const next = words[place + 1];
    if (next?.start !== end || text.charCodeAt(end - 1) <= LAST_KANA) continue;
    const [front, back] = [text.slice(start, end), text.slice(next.start, next.end)];
    if (!ENDS_IN_KANJI.test(front)) continue;
    if (TITLE_OF_PERSON.test(back)) {
      const spoken = toHiragana(reading) + back;
      if (reading !== '' && readings(spoken).length > 0) add(place, spoken);
    } else if (next.isContent && next.pos !== NUMBER && ONE_KANJI.test(back)) {
      const backs = readings(next.basic).flatMap((each) => [each, voiced(each)]);
      const terms = new Set(backs.map((each) => front + toHiragana(each)));
      for (const term of terms) if (readings(term).length > 0) add(place, standardSpelling(term));
    }
  }
}
