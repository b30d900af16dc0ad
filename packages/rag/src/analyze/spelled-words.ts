import { toHiragana, toKatakana, voiced } from '../dictionary/kana-and-scripts.ts';
import { katakanaKeys } from '../spelling/kana-spellings.ts';
import { toKnownKanji } from '../spelling/kanji-and-okurigana.ts';
import { wordOfToday } from '../spelling/old-words.ts';
import { toSimplified } from '../spelling/simplified-hanzi.ts';
import type { Word } from './analyzer.ts';
import {
  addSuffixed,
  addWithKanaAtEnd,
  joinedWords,
  type WrittenCompound,
} from './compound-words.ts';

/** After pairs of characters of Chinese, so that they meet nothing but each other. */
const PAIR = '~';
const KATAKANA = /^[\u30a1-\u30fa\u30fc]+(?:・[\u30a1-\u30fa\u30fc]+)*$/;
/** The foreign word that another one begins with, whose other spellings are added: ベニャ of ベニヤ板. */
const KATAKANA_BEFORE_KANJI = /^([\u30a1-\u30fa\u30fc]{3,})\p{sc=Han}+$/u;
const HIRAGANA = /^[\u3041-\u3096ー]+$/;
/** Lines without kana may be Chinese, whose words the dictionary does not know. */
const LINES_WITHOUT_KANA = /^[^\u3041-\u3096\u30a1-\u30fa\n][^\u3041-\u3096\u30a1-\u30fa\n]*$/gm;
/** Numbers are words whatever the language. */
const HAN_RUNS = /(?:(?![〇一二三四五六七八九十百千万億兆])\p{sc=Han}){2,}/gu;
const KANA = /[\u3041-\u3096]/g;
const LAST_KANA = 0x30ff;
/** One kanji with its kana. */
const ONE_KANJI = /^\p{sc=Han}[\u3041-\u3096]{0,5}$/u;
const NUMBER = '名詞,数';
/** A verb as it is before another one, or as a noun. */
const STEM = /^\p{sc=Han}[\u3041-\u3096]*[いきぎしじちにひびみりえけげせぜてでねへべめれ]$/u;
const TWO_KANJI_STEM =
  /^\p{sc=Han}[\u3041-\u3096]{0,3}\p{sc=Han}[\u3041-\u3096]{0,2}[いきぎしじちにびみりえけげせぜてでねへべめれ]$/u;
/** Endings that make it a verb. */
const AFTER_STEM =
  /^(?:[たてだで]|ちゃ|じゃ|な[がいかけ]|つつ|ま[すしせ]|[ずぬよろれば]|そう|やす|にく)/u;
const FORM_WORDS = /^助/;
const HAS_KATAKANA = /[\u30a1-\u30fa]/;
/** Parts of speech of words that occur in every sentence: together they are not a name. */
const PLAIN_WORDS = /非自立|接尾|^動詞,|^接続詞|^連体詞|^感動詞/;
const PLAIN_VERBS = new Set([
  'する',
  'いる',
  'ある',
  'なる',
  'くる',
  'れる',
  'られる',
  'せる',
  'できる',
]);
const POINTERS = /^[こそあど](?:れ|こ|ち|の|んな|う)/;
/** Particles that no name ends with. */
const ENDS_NO_NAME = new Set('はがをへで');
/** A sound said twice, which is one word whatever the dictionary makes of it: もふもふ. */
const TWICE = /([\u3041-\u3096][\u3041-\u3096ー]{1,3})\1/g;
/** A sound in katakana with the particle that makes an adverb of it: ピカッと, キラリと. */
const SOUND_WITH_TO = /(?<![\u30a1-\u30fa\u30fc])[\u30a1-\u30fa\u30fc]{2,5}と/gu;
/** Hiragana between signs: all of it may be a name, as in 「しょうた」. */
const ALONE = /(?<![\p{L}\p{N}ー])[\u3041-\u3096ー]{2,8}(?![\p{L}\p{N}ー])/gu;
/** A long vowel at the end is written or not, as in katakana. */
const LONG_END = /^(.{3,})ー$/u;
const LONGEST_JOIN = 6;
const SHORTEST_JOIN = 3;
const MOST_JOINED = 3;
/** Between the names of one person, and the words of one foreign word. */
const JOINS_KATAKANA = new Set('・=゠-');
/** Longer runs of katakana are lists. */
const LONGEST_RUN = 20;

/** Lexicon of the spellings of words. */
export interface SpellingLexicon {
  /** The word that begins with a kanji and is read on as these kana: `障害` for 障 and `がい`. */
  readonly mixedSpelling?: (kanji: string, kana: string) => string | undefined;
  /** The noun that begins with a kanji, has another one, and is read so: `寝返り` for 寝 and `ネガエリ`. */
  readonly compoundSpelling?: (kanji: string, reading: string) => string | undefined;
  /** Checks whether there is a word with these two kanji and any kana, or one with the first of them and this reading. */
  readonly hasCompound?: (kanji: string, reading: string) => boolean;
  /** Returns the words that are one of two kanji with other kana: 逃げ足 for 逃足. */
  readonly otherCompounds?: (written: WrittenCompound) => readonly string[];
  /** Returns the spelling that replaces all of a basic form's, which may be itself. */
  standardSpelling(basic: string): string;
  /** Returns the readings of a word in katakana; none if it is not known. */
  readings(word: string): readonly string[];
}

/**
 * Adds to words what finds them in other spellings: those of foreign sounds, names and sounds in kana that the
 * dictionary cuts up, kana for kanji, and pairs of characters for Chinese.
 *
 * @param words - The words of a block in order; they are changed in their places.
 * @param text - The normal text; offsets of the words are those in it.
 * @param from - Where the block begins and ends.
 */
export function addSpellings(
  words: Word[],
  text: string,
  [from, to]: readonly [number, number],
  lexicon: SpellingLexicon,
): void {
  const extra = new Map<number, string[]>();
  const add = (place: number, term: string): void => {
    const known = extra.get(place);
    if (known) known.push(term);
    else extra.set(place, [term]);
  };
  const isKnown = (word: string): boolean => lexicon.readings(word).length > 0;
  for (const [place, word] of words.entries()) {
    const { basic, start, end } = word;
    if (isKatakanaUnit(basic.charCodeAt(0)) && KATAKANA.test(basic)) {
      for (const key of katakanaKeys(basic, isKnown)) if (key !== basic) add(place, key);
    } else if (isKatakanaUnit(basic.charCodeAt(0))) {
      const [, front = ''] = KATAKANA_BEFORE_KANJI.exec(basic) ?? [];
      for (const key of katakanaKeys(front, isKnown)) if (key !== front) add(place, key);
    } else if (text.startsWith('御', start) && end - start === 1) {
      const next = words[place + 1];
      const noun = next?.start === end ? text.slice(next.start, next.end) : '';
      for (const polite of [`お${noun}`, `ご${noun}`])
        if (noun !== '' && isKnown(polite)) add(place, polite);
    } else if (text.charCodeAt(start) > LAST_KANA && ONE_KANJI.test(text.slice(start, end))) {
      const mixed = mixedAt(word, text, lexicon);
      if (mixed !== undefined) add(place, mixed);
      const noun = verbalNoun(word, words[place + 1], text);
      if (noun !== undefined) add(place, noun);
    } else if (word.pos === '動詞' && TWO_KANJI_STEM.test(text.slice(start, end))) {
      for (const noun of compoundNouns(word, words[place + 1], text, lexicon)) add(place, noun);
    }
  }
  const addKana = (place: number, kana: string): void => add(place, kana.replace(LONG_END, '$1'));
  addJoined(words, text, addKana);
  addWhole(words, text.slice(from, to), from, isKnown, addKana);
  addSoundsWithTo(words, text.slice(from, to), from, (place, sound) => {
    if (isKnown(sound)) add(place, sound);
  });
  addKatakanaRuns(words, text, isKnown, add);
  for (const { place, terms, first, last } of joinedWords(words, text)) {
    for (const term of terms) {
      const both = term.replaceAll(KANA, '');
      const reading = term.endsWith(last.basic)
        ? first.reading + toKatakana(last.basic)
        : first.reading + last.reading;
      if (isKnown(term) || lexicon.hasCompound?.(both, reading) === true) add(place, term);
      // 物 of 敷き物 is read ブツ where it is a word of its own.
      const backs = [last.reading, ...lexicon.readings(text.slice(last.start, last.end))];
      for (const other of otherCompounds(term, first, { ...last, backs }, lexicon))
        add(place, other);
    }
  }
  addSuffixed(words, text, lexicon, add);
  addWithKanaAtEnd(words, text, lexicon, add);
  addPairs(words, text.slice(from, to), from, (place, pair, isRewritten) => {
    add(place, pair + PAIR);
    // 蘋果, of which 苹果 is a word of Japanese.
    if (isRewritten && isKnown(pair)) add(place, pair);
  });
  for (const [place, terms] of extra) {
    const word = words[place];
    if (word) words[place] = withTerms(word, [...new Set(terms)]);
  }
}

/** Returns the words that two words are together with other kana: 合せ鏡 for 合わせ and 鏡. */
function otherCompounds(
  word: string,
  first: Word,
  last: Word & { readonly backs: readonly string[] },
  { otherCompounds: find, readings, standardSpelling }: SpellingLexicon,
): readonly string[] {
  if (!find) return [];
  const isVerb = last.pos === '動詞' && word.endsWith(last.basic);
  const backs = isVerb ? readings(last.basic) : last.backs;
  const read = first.reading === '' ? [] : backs.filter((back) => back !== '');
  return find({
    word,
    isVerb,
    readings: read.flatMap((back) => [first.reading + back, first.reading + voiced(back)]),
  }).map((other) => standardSpelling(other));
}

/** Adds terms to a word. A word without content is not indexed, so the first term becomes its basic form. */
function withTerms(word: Word, terms: readonly string[]): Word {
  const [basic = '', ...others] = word.isContent ? [word.basic, ...terms] : terms;
  const extra = [...(word.isContent ? (word.extra ?? []) : []), ...others];
  return { ...word, basic, isContent: true, ...(extra.length > 0 ? { extra } : {}) };
}

const KANA_AFTER = /[\u3041-\u3096]{2,4}/y;
/** Particles, which can follow any noun. */
const PARTICLES =
  /^(?:から|まで|より|だけ|など|には|では|とは|にも|でも|です|でし|だっ|かも|ほど|のは|のに|ので|をし|がい[るたて])/;

/** Words that begin with 一 and are written on in kana, where the dictionary sees the number. */
const WITH_ONE = new Map(
  [
    '緒/しょ',
    '瞬/しゅん',
    '層/そう',
    '遍/ぺん',
    '番/ばん',
    '斉/せい',
    '段/だん',
    '同/どう',
    '般/ぱん',
  ].map((each) => {
    const [kanji = '', kana = ''] = each.split('/');
    return [kana, `一${kanji}`] as const;
  }),
);
/** 一しょ is no word in 一しょうがい, 一どう in 第一どうして, nor 一せい in ルイ一せい; 一ばんじゅう is 一晩中, 一ぺんとう 一辺倒. */
const ONE =
  /(?<![第\p{N}〇一二三四五六七八九十百千万億兆])(?<![\u30a1-\u30fa\u30fc](?=一せい))一(しょ(?:(?![\u3041-\u3096ー])|(?=[にのだでとはがもかなや]|じゃ|して|って|くた))|(?:どう|ぱん|しゅん)(?:(?![\u3041-\u3096ー])|(?=[にのだでとはがもを]|って|てき))|(?:せい|だん)(?:(?![\u3041-\u3096ー])|(?=[にのだでと]|って))|そう|ぺん(?!とう)|ばん(?!(?:じゅう|ちゅう)(?:[のには]|(?![\u3041-\u3096ー]))|中(?:[のには]|(?![\p{sc=Han}\u3041-\u3096ー]))))/uy;

/** Returns the word that 一 begins here. */
function withOne(text: string, at: number): string | undefined {
  ONE.lastIndex = at;
  const [, kana = ''] = ONE.exec(text) ?? [];
  return WITH_ONE.get(kana);
}

/** Returns the word of two kanji of which the second is in kana after this one: 障害 for 障 before がい. */
function mixedAt(
  { start, end, pos }: Word,
  text: string,
  { mixedSpelling, compoundSpelling, readings }: SpellingLexicon,
): string | undefined {
  if (pos === NUMBER) return withOne(text, start);
  KANA_AFTER.lastIndex = end;
  const [kana = ''] = KANA_AFTER.exec(text) ?? [];
  const kanji = text.charAt(start);
  if (kana === '' || PARTICLES.test(kana)) return undefined;
  const fronts = compoundSpelling ? readings(text.slice(start, end)) : [];
  for (let length = kana.length; length >= 2; length--) {
    const rest = toKatakana(kana.slice(0, length));
    const compounds = fronts.map((front) => compoundSpelling?.(kanji, front + rest));
    const word =
      compounds.find((compound) => compound !== undefined) ??
      (end - start === 1 ? mixedSpelling?.(kanji, rest) : undefined);
    if (word !== undefined) return word;
  }
  return undefined;
}

/** Returns the noun that a form of a verb may be: 気づかい, which is read as one of 気づかう. */
function verbalNoun(
  { start, end, pos }: Word,
  next: Word | undefined,
  text: string,
): string | undefined {
  const surface = text.slice(start, end);
  if (pos !== '動詞' || !STEM.test(surface)) return undefined;
  const isFollowed = next?.start === end && AFTER_STEM.test(text.slice(end, end + 2));
  return isFollowed ? undefined : surface;
}

/** Returns the nouns that a form of a verb of two kanji may be: 差支え for 差し支え, which is read as one of 差し支える. */
function compoundNouns(
  { start, end, reading }: Word,
  next: Word | undefined,
  text: string,
  { otherCompounds: find, standardSpelling }: SpellingLexicon,
): readonly string[] {
  const isFollowed = next?.start === end && AFTER_STEM.test(text.slice(end, end + 2));
  if (!find || isFollowed) return [];
  const word = text.slice(start, end);
  const nouns = [word, ...find({ word, readings: [reading], isVerb: false })];
  return nouns.map((noun) => standardSpelling(noun));
}

/** Adds names in hiragana that the dictionary splits into other words: みなと into みな and と. */
function addJoined(
  words: readonly Word[],
  text: string,
  add: (place: number, term: string) => void,
): void {
  const isKana = (word: Word | undefined): word is Word =>
    word !== undefined && HIRAGANA.test(text.slice(word.start, word.end));
  const isLong = (at: number): boolean => text.charAt(at) === 'ー';
  for (let first = 0; first < words.length; first++) {
    const word = words[first];
    if (!isKana(word) || FORM_WORDS.test(word.pos) || isLong(word.start)) continue;
    const following = words[first + 1];
    // がっ of がっこう is not a verb unless an ending follows.
    const isCut =
      text.charAt(word.end - 1) === 'っ' && following && !FORM_WORDS.test(following.pos);
    const before = words[first - 1];
    const isAttached =
      before?.end === word.start && !FORM_WORDS.test(before.pos) && before.isContent;
    if (isAttached && isKana(before)) continue;
    if (!isCut && !mayBeginName(word, isAttached)) continue;
    let { end } = word;
    for (let last = first + 1; last <= first + MOST_JOINED; last++) {
      const next = words[last];
      if (!isKana(next) || next.start !== end) break;
      ({ end } = next);
      const length = end - word.start;
      if (length > LONGEST_JOIN) break;
      const after = words[last + 1];
      const isEnd = !isKana(after) || after.start !== end || FORM_WORDS.test(after.pos);
      if (length >= SHORTEST_JOIN && isEnd && mayEndName(next, text.slice(next.start, end)))
        add(first, text.slice(word.start, end));
    }
  }
}

function mayBeginName({ basic, pos }: Word, isAttached: boolean): boolean {
  // After a particle, an ending of the dictionary is not an ending: ら of らーめん.
  const isPlain = PLAIN_WORDS.test(pos) && (isAttached || !pos.endsWith('接尾'));
  return !POINTERS.test(basic) && !isPlain && !PLAIN_VERBS.has(basic);
}

function mayEndName({ pos, basic }: Word, surface: string): boolean {
  if (surface.length === 1) return !ENDS_NO_NAME.has(surface);
  return !PLAIN_WORDS.test(pos) && !PLAIN_VERBS.has(basic) && !FORM_WORDS.test(pos);
}

/** Adds what is one word by how it is written: said twice, or alone between signs, where it may be one in the old orthography. */
function addWhole(
  words: readonly Word[],
  block: string,
  from: number,
  isKnown: (word: string) => boolean,
  add: (place: number, term: string) => void,
): void {
  for (const pattern of [TWICE, ALONE]) {
    let place = 0;
    for (const { 0: whole, index } of block.matchAll(pattern)) {
      const [start, end] = [from + index, from + index + whole.length];
      while ((words[place]?.end ?? Infinity) <= start) place++;
      const word = words[place];
      if (!word) continue;
      const isOther = word.basic !== whole && !HAS_KATAKANA.test(whole + word.basic);
      if (word.start > start || word.end < end || isOther) add(place, whole);
      const today = pattern === ALONE ? wordOfToday(whole, isKnown) : undefined;
      if (today !== undefined) add(place, today);
    }
  }
}

/** Adds sounds in katakana with the particle after them as the dictionary has them, in hiragana: ぴかっと for ピカッと. */
function addSoundsWithTo(
  words: readonly Word[],
  block: string,
  from: number,
  add: (place: number, sound: string) => void,
): void {
  let place = 0;
  for (const { 0: sound, index } of block.matchAll(SOUND_WITH_TO)) {
    while ((words[place]?.end ?? Infinity) <= from + index) place++;
    if (words[place]?.start === from + index) add(place, toHiragana(sound));
  }
}

/** Adds what a run of words in katakana is as one word: ポップ・アート, ロードレース. */
function addKatakanaRuns(
  words: readonly Word[],
  text: string,
  isKnown: (word: string) => boolean,
  add: (place: number, term: string) => void,
): void {
  for (let first = 0; first < words.length; first++) {
    if (!isKatakanaAt(words, first, text)) continue;
    let last = first;
    for (
      let next = nextInRun(words, last, text);
      next > last;
      next = nextInRun(words, last, text)
    ) {
      last = next;
    }
    const [from = 0, to = 0] = [words[first]?.start, words[last]?.end];
    if (last > first && to - from <= LONGEST_RUN) {
      const run = text.slice(from, to).replaceAll(/[=゠-]/g, '・');
      for (const key of katakanaKeys(run, isKnown)) add(first, key);
    }
    first = last;
  }
}

/** Returns the place of the word in katakana that follows, with a point between them or not; the same if there is none. */
function nextInRun(words: readonly Word[], last: number, text: string): number {
  const [word, after] = [words[last], words[last + 1]];
  const isPoint =
    after !== undefined &&
    after.end - after.start === 1 &&
    JOINS_KATAKANA.has(text.charAt(after.start));
  const place = isPoint ? last + 2 : last + 1;
  const end = isPoint ? after.end : word?.end;
  return words[place]?.start === end && isKatakanaAt(words, place, text) ? place : last;
}

function isKatakanaAt(words: readonly Word[], place: number, text: string): boolean {
  const word = words[place];
  if (!word || !isKatakanaUnit(text.charCodeAt(word.start))) return false;
  return KATAKANA.test(text.slice(word.start, word.end));
}

function isKatakanaUnit(unit: number): boolean {
  return unit >= 0x30a1 && unit <= 0x30fc;
}

function addPairs(
  words: readonly Word[],
  block: string,
  from: number,
  add: (place: number, pair: string, isRewritten: boolean) => void,
): void {
  let place = 0;
  for (const line of block.matchAll(LINES_WITHOUT_KANA)) {
    for (const { 0: run, index } of line[0].matchAll(HAN_RUNS)) {
      const simplified = toSimplified(run);
      let at = 0;
      for (const character of simplified) {
        const next = at + character.length;
        const end = next + ((simplified.codePointAt(next) ?? 0) > 0xffff ? 2 : 1);
        if (end > simplified.length) break;
        const [start, stop] = [from + line.index + index + at, from + line.index + index + end];
        while ((words[place]?.end ?? Infinity) <= start) place++;
        const word = words[place];
        const pair = simplified.slice(at, end);
        // A Japanese word with the same spelling is already found by that spelling, but 讃美 is by 賛美 only.
        const isSame = pair === run.slice(at, end);
        const isWord = word && word.end >= stop && isSame && toKnownKanji(pair) === pair;
        if (word?.isContent && !isWord) add(place, pair, !isSame);
        at = next;
      }
    }
  }
}
