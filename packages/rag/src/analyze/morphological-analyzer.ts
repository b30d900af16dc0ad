import {
  foldLongVowel,
  hasJapanese,
  isJapaneseUnit,
  isKana,
  isLetterUnit,
  JAPANESE,
  ONLY_SIGNS,
  toKatakana,
  WRITTEN,
} from '../dictionary/kana-and-scripts.ts';
import { toKnownKanji } from '../spelling/kanji-and-okurigana.ts';
import type { Rewriting } from '../spelling/old-words.ts';
import {
  type Analyzer,
  type AnalyzerSpec,
  type Morpheme,
  termsOfWords,
  type Word,
} from './analyzer.ts';
import { foreignWords } from './foreign-words.ts';
import {
  addRuby,
  joinOverlaps,
  placeWord,
  rewritten,
  toNormalText,
  toWordText,
} from './normal-text.ts';
import { addNumberTerms, numbersOf, type NumberSpan } from './number-words.ts';
import { addSpellings, type SpellingLexicon } from './spelled-words.ts';

/** Cuts Japanese into morphemes, and knows words. */
export interface Morphology extends SpellingLexicon {
  /** Changes whenever a text would be cut otherwise. */
  readonly id: string;
  /** All of the text, without gaps. It is in normal form, see `toDictionaryText`. */
  cut(text: string): readonly Morpheme[];
  /** Returns the pieces of a normal text that the dictionary writes otherwise, in order. */
  readonly rewrite?: (text: string) => readonly Rewriting[];
  /** Returns the readings of a word in katakana. */
  readings(word: string): readonly string[];
  /** Returns the spelling that replaces all of a basic form's, which may be itself. */
  standardSpelling(basic: string): string;
}

/** Parts of speech that cannot be searched for. */
const FORM_WORDS = new Set(['助詞', '助動詞', '記号']);
/** Details that make a word less informative, so that they are part of the part of speech. */
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

/** Returns a normal text as the dictionary writes: signs in full width. Offsets stay. */
function toDictionaryText(normal: string): string {
  return normal.replace(ASCII_SIGNS, (sign) =>
    String.fromCharCode(sign.charCodeAt(0) + FULL_WIDTH),
  );
}

/** Finds the words of texts: Japanese by its morphemes, the rest by its letters. */
function morphemeWords(morphology: Morphology): (text: string) => readonly Word[] {
  return (original) => {
    const modern = toWordText(original);
    const normal = rewritten(modern, morphology.rewrite?.(modern.text) ?? []);
    const words: Word[] = [];
    for (const { text, at, isJapanese } of blocksOf(normal.text)) {
      const found: Word[] = [];
      if (isJapanese) addJapanese(found, text, at, morphology);
      else found.push(...foreignWords(text, 0, text.length, at));
      addNumberTerms(found, ({ start, end }) => normal.text.slice(start, end));
      if (isJapanese) addSpellings(found, normal.text, [at, at + text.length], morphology);
      for (const word of found) words.push(placeWord(word, normal.offsets));
    }
    return addRuby(joinOverlaps(words), normal);
  };
}

/** Adds the words of lines in which there is Japanese; their offsets count from where the text begins at `at`. */
function addJapanese(words: Word[], text: string, at: number, morphology: Morphology): void {
  let reached = 0;
  const written = toKnownKanji(toDictionaryText(text));
  const parts = morphology.cut(written).flatMap(partsOf);
  const numbers = numbersOf(parts, text);
  for (const whole of parts) {
    if (whole.end <= reached) continue;
    // The rest of a word whose beginning is part of a number: 月 of 十二月.
    const part = whole.start < reached ? restOf(whole, reached) : whole;
    const { start, end, surface } = part;
    const number = numbers.spans.get(start);
    if (number) {
      words.push(numberWord(start + at, number.end + at, number));
      reached = number.end;
      if (number.end < end) {
        words.push(japaneseWord(restOf(part, number.end), at, morphology));
        reached = end;
      }
      continue;
    }
    reached = end;
    if (isJapaneseUnit(surface.charCodeAt(0)) || hasJapanese(surface)) {
      const inside = numbers.inside.get(start);
      const word = japaneseWord(part, at, morphology);
      words.push(inside === undefined ? word : { ...word, extra: [inside] });
    } else if (WRITTEN.test(surface)) {
      const foreign = foreignWords(text, start, end, at);
      words.push(...foreign);
      reached = Math.max(reached, (foreign.at(-1)?.end ?? at) - at);
    } else if (surface.trim() !== '') {
      words.push(signWord(part, at));
    }
  }
}

const NUMBER_POS = '名詞,数';
const PROPER = '固有名詞';
const NAME_POS = '名詞,固有名詞';

function numberWord(start: number, end: number, { value, others }: NumberSpan): Word {
  const word = { start, end, basic: value, reading: '', pos: NUMBER_POS, isContent: true };
  return others ? { ...word, extra: others } : word;
}

/** Returns the part of a morpheme from an offset on. */
function restOf({ end, surface, start }: Morpheme, from: number): Morpheme {
  const rest = surface.slice(from - start);
  return {
    start: from,
    end,
    surface: rest,
    basic: rest,
    reading: '',
    features: ['名詞', '接尾', '助数詞', '*', '*', '*'],
  };
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

function signWord({ start, end, surface }: Morpheme, at: number): Word {
  return {
    start: at + start,
    end: at + end,
    basic: surface,
    reading: '',
    pos: '記号',
    isContent: false,
  };
}

function japaneseWord(
  { start, end, surface, basic, reading, features }: Morpheme,
  at: number,
  morphology: Morphology,
): Word {
  const [pos = '', detail = ''] = features;
  const isSign = !isLetterUnit(surface.charCodeAt(0)) && ONLY_SIGNS.test(surface);
  // Kanji outside of the dictionary's characters are signs to it.
  const isKanji = pos === '記号' && HAN.test(surface);
  return {
    start: at + start,
    end: at + end,
    basic: normalBasic(basic, morphology, detail),
    reading: reading || (isKana(surface) ? toKatakana(surface) : ''),
    pos: isKanji
      ? '名詞'
      : detail === PROPER
        ? NAME_POS
        : (WEAK_DETAILS.get(detail)?.get(pos) ?? pos),
    isContent: !isSign && (isKanji || !FORM_WORDS.has(pos)),
  };
}

function normalBasic(basic: string, morphology: Morphology, detail: string): string {
  if (basic.length === 1) return basic;
  if (detail === PROPER && basic.includes('斉')) return basic.replaceAll('斉', '斎');
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

/** Returns the blocks of a text, without the line breaks between them; empty lines go with the others. */
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

/** Changes whenever the same morphemes would give other words. */
const VERSION = 12;

/** An analyzer that goes by a dictionary of Japanese. */
export interface MorphologicalAnalyzer extends Analyzer {
  /**
   * Returns the morphemes of a text in normal form, as the dictionary has them and before anything is joined
   * or left out. Offsets are those of the normal form.
   */
  morphemes(text: string): readonly Morpheme[];
}

/** Makes an analyzer of what cuts Japanese. */
export function morphologicalAnalyzer(
  morphology: Morphology,
  spec: AnalyzerSpec,
): MorphologicalAnalyzer {
  const words = morphemeWords(morphology);
  return {
    specVersion: 1,
    id: `${morphology.id}/words-${VERSION}`,
    spec,
    words,
    analyze: (text, mode) => termsOfWords(words(text), mode),
    morphemes: (text) => morphology.cut(toDictionaryText(toNormalText(text).text)),
    readings: (basic) => (isKana(basic) ? [toKatakana(basic)] : morphology.readings(basic)),
  };
}
