import type { Word } from './analyzer.ts';
import { foreignWords } from './foreign-words.ts';
import {
  foldLongVowel,
  isKana,
  toKatakana,
  hasJapanese,
  isJapaneseUnit,
  isLetterUnit,
  JAPANESE,
  ONLY_SIGNS,
  WRITTEN,
} from '../dictionary/kana-and-scripts.ts';
import { toNormalText, addRuby, joinOverlaps, placeWord, type OffsetMap } from './normal-text.ts';

/** A word as the dictionary knows it, before anything is done to find it by. */
export interface Morpheme {
  /** Offsets in the text that was cut. */
  readonly start: number;
  readonly end: number;
  readonly surface: string;
  /** The basic form; the surface if the dictionary has none. */
  readonly basic: string;
  /** In katakana; empty if it is not known. */
  readonly reading: string;
  /** Part of speech as in IPADIC, three details, type and form of conjugation; `*` for none. */
  readonly features: readonly string[];
}

/** Cuts Japanese into morphemes, and knows words. */
export interface Morphology {
  /** Changes whenever a text would be cut otherwise. */
  readonly id: string;
  /** All of the text, without gaps. It is in normal form, see `toDictionaryText`. */
  cut(text: string): readonly Morpheme[];
  /** The readings of a word in katakana. */
  readings(word: string): readonly string[];
  /** The spelling that stands for all of a basic form's, which may be itself. */
  standardSpelling(basic: string): string;
}

/** Parts of speech that cannot be searched for. */
const FORM_WORDS = new Set(['助詞', '助動詞', '記号']);
/** Details that make a word say less, so that they are told with the part of speech. */
const WEAK_DETAILS = new Map(
  ['非自立', '接尾', '代名詞', '数'].map((detail) => [
    detail,
    new Map(['名詞', '動詞', '形容詞'].map((pos) => [pos, `${pos},${detail}`])),
  ]),
);
const RUNS = new RegExp(`[${JAPANESE}]+|[^${JAPANESE}\\s]+|\\s+`, 'gv');
const HAN = /\p{sc=Han}/u;
/** ASCII signs, which the dictionary has in full width only. */
const ASCII_SIGNS = /[!-/:-@[-`{-~]/g;
const FULL_WIDTH = 0xfee0;

/** A normal text as the dictionary writes: signs in full width. Offsets stay. */
export function toDictionaryText(normal: string): string {
  return normal.replace(ASCII_SIGNS, (sign) =>
    String.fromCharCode(sign.charCodeAt(0) + FULL_WIDTH),
  );
}

/** Finds the words of texts: Japanese by its morphemes, the rest by its letters. */
export function morphemeWords(morphology: Morphology): (text: string) => readonly Word[] {
  return (original) => {
    const normal = toNormalText(original);
    const words: Word[] = [];
    for (const { text, at, isJapanese } of blocksOf(normal.text)) {
      const place = { at, offsets: normal.offsets };
      if (isJapanese) addJapanese(words, text, place, morphology);
      else addForeign(words, foreignWords(text, 0, text.length, at), place);
    }
    return addRuby(joinOverlaps(words), normal);
  };
}

/** Where a block stands in its normal text, and that in the original. */
interface BlockPlace {
  readonly at: number;
  readonly offsets: OffsetMap;
}

/** Adds the words of lines in which there is Japanese. */
function addJapanese(words: Word[], text: string, place: BlockPlace, morphology: Morphology): void {
  let reached = 0;
  for (const morpheme of morphology.cut(toDictionaryText(text))) {
    for (const part of partsOf(morpheme)) {
      const { start, end, surface } = part;
      if (start < reached) continue;
      reached = end;
      if (isJapaneseUnit(surface.charCodeAt(0)) || hasJapanese(surface)) {
        words.push(japaneseWord(part, place, morphology));
      } else if (WRITTEN.test(surface)) {
        const foreign = foreignWords(text, start, end, place.at);
        addForeign(words, foreign, place);
        reached = Math.max(reached, (foreign.at(-1)?.end ?? place.at) - place.at);
      } else if (surface.trim() !== '') {
        words.push(signWord(part, place));
      }
    }
  }
}

/** To the dictionary, spaces, rare kanji and letters of many scripts make one sign. */
function partsOf(morpheme: Morpheme): readonly Morpheme[] {
  const { start, surface, features } = morpheme;
  if (surface.length === 1 || features[0] !== '記号') return [morpheme];
  return Array.from(surface.matchAll(RUNS), ({ 0: run, index }) => {
    const at = start + index;
    return { ...morpheme, start: at, end: at + run.length, surface: run, basic: run };
  });
}

function addForeign(words: Word[], foreign: readonly Word[], { offsets }: BlockPlace): void {
  for (const word of foreign) words.push(placeWord(word, offsets));
}

function signWord({ start, end, surface }: Morpheme, { at, offsets }: BlockPlace): Word {
  return {
    start: offsets.startOf(at + start),
    end: offsets.endOf(at + end),
    basic: surface,
    reading: '',
    pos: '記号',
    isContent: false,
  };
}

function japaneseWord(
  { start, end, surface, basic, reading, features }: Morpheme,
  { at, offsets }: BlockPlace,
  morphology: Morphology,
): Word {
  const [pos = '', detail = ''] = features;
  const isSign = !isLetterUnit(surface.charCodeAt(0)) && ONLY_SIGNS.test(surface);
  // Kanji outside of the dictionary's characters are signs to it.
  const isKanji = pos === '記号' && HAN.test(surface);
  return {
    start: offsets.startOf(at + start),
    end: offsets.endOf(at + end),
    basic: normalBasic(basic, morphology),
    reading: reading || (isKana(surface) ? toKatakana(surface) : ''),
    pos: isKanji ? '名詞' : (WEAK_DETAILS.get(detail)?.get(pos) ?? pos),
    isContent: !isSign && (isKanji || !FORM_WORDS.has(pos)),
  };
}

function normalBasic(basic: string, morphology: Morphology): string {
  if (basic.length === 1) return basic;
  if (HAN.test(basic)) return morphology.standardSpelling(basic).toLowerCase();
  const folded = foldLongVowel(basic);
  return isJapaneseUnit(folded.charCodeAt(0)) ? folded : folded.toLowerCase();
}

/** Lines that follow each other and either all have Japanese in them or none. */
interface Block {
  readonly text: string;
  /** Where it begins. */
  readonly at: number;
  readonly isJapanese: boolean;
}

/** The blocks of a text, without the line breaks between them; empty lines go with the others. */
function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let from = 0;
  let isJapanese: boolean | undefined;
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(at, end);
    if (line.trim() !== '' && hasJapanese(line) !== isJapanese) {
      if (isJapanese !== undefined)
        blocks.push({ text: text.slice(from, at - 1), at: from, isJapanese });
      if (isJapanese !== undefined) from = at;
      isJapanese = hasJapanese(line);
    }
    at = end + 1;
  }
  if (isJapanese !== undefined) blocks.push({ text: text.slice(from), at: from, isJapanese });
  return blocks;
}
