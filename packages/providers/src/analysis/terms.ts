import type { Term, TermTexts, TextAnalyzer } from './text-analyzer.ts';

/** A text in normal form, with the way back to the original. */
export interface NormalizedText {
  readonly text: string;
  /** Returns the offset in the original where the character at a normalised offset begins. */
  startOf(offset: number): number;
  /** Returns the offset in the original after the character that ends before a normalised offset. */
  endOf(offset: number): number;
}

/** A character with the marks that follow it (no real text has as many), the half-width voicing marks of kana included. */
const CLUSTER = /[^](?:\p{M}|[\uff9e\uff9f]){0,4096}/gu;

/** Says which form of a kanji is meant (Unicode Technical Standard 37): 葛󠄀 is 葛. */
const SELECTORS = /[\u{e0100}-\u{e01ef}]/gu;
/** The first half of all of them. */
const SELECTOR = '\udb40';

/**
 * Normalises to NFKC (Unicode Standard Annex 15), so that `ｶﾞ`, `ガ` and `が` written with a
 * combining mark, or `Ａ` and `A`, are the same. The case is kept; selectors of forms of kanji are left out.
 */
export function normalize(original: string): NormalizedText {
  const text = original.normalize('NFKC');
  if (text === original && !text.includes(SELECTOR))
    return { text, startOf: (at) => at, endOf: (at) => at };
  return normalizeByCluster(original);
}

function normalizeByCluster(original: string): NormalizedText {
  const starts: number[] = [];
  const ends: number[] = [];
  let text = '';
  for (const match of original.matchAll(CLUSTER)) {
    const normal = match[0].normalize('NFKC').replaceAll(SELECTORS, '');
    for (let unit = 0; unit < normal.length; unit++) {
      starts.push(match.index);
      ends.push(match.index + match[0].length);
    }
    text += normal;
  }
  return {
    text,
    startOf: (at) => starts[at] ?? original.length,
    endOf: (at) => ends[at - 1] ?? 0,
  };
}

/**
 * Marks over and under letters of Latin and Greek, points of Hebrew, and the vowels and hamzas of Arabic, in decomposed
 * text. Marks of other scripts (Devanagari, Thai, the voicing marks of kana, й of Cyrillic) make other letters.
 */
const MARKS =
  /(?<=[\p{sc=Latin}\p{sc=Greek}]\p{Mn}{0,8})\p{Mn}|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]/gu;

/**
 * Letters that do not decompose, as keyboards without them write them.
 *
 * Source: Latin-ASCII of Unicode CLDR (https://github.com/unicode-org/cldr/blob/main/common/transforms/Latin-ASCII.xml);
 * ё is written е in most Russian texts.
 */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ł', 'l'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['þ', 'th'],
  ['ŧ', 't'],
  ['ё', 'е'],
]);
const ANY_LETTER = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'g');

const ASCII = /^[\0-\x7f]*$/;

/** Returns a word in lower case without its accents: `café` and `cafe`, `Straße` and `Strasse` are found by each other. */
export function foldAccents(lower: string): string {
  if (ASCII.test(lower)) return lower;
  const bare = lower.normalize('NFD').replace(MARKS, '').normalize('NFC');
  // A word of marks alone stays.
  if (bare === '') return lower;
  return bare.replace(ANY_LETTER, (letter) => LETTERS.get(letter) ?? letter);
}

/**
 * Signs that are a part of a word: `C++`, `C#`, `.NET`, `.env`. While a text is cut they are letters of private use, which
 * no other sign is taken for, and which every index takes for letters.
 */
const PLUS = '\ue02b';
const SHARP = '\ue023';
const DOT = '\ue02e';
const SIGN_LETTERS: ReadonlyMap<string, string> = new Map([
  ['++', PLUS + PLUS],
  ['#', SHARP],
  ['.', DOT],
]);

/**
 * `++` after a letter, `#` after a single one, and a dot before a word that follows neither a word nor the end of a call.
 * A sign is looked for first: most characters are none.
 */
const SIGNS =
  /\+\+(?<=[a-z]\+\+)(?!\+)|#(?<=(?<![\w#])[a-z]#)(?![a-z#])|\.(?<=(?:^|[^\w.)\]}"'`*?])\.)(?=[a-z])/gi;

/** Returns a text of the same length with the signs that are a part of a word as letters. */
export function withSignsAsLetters(text: string): string {
  return text.replace(SIGNS, (signs) => SIGN_LETTERS.get(signs) ?? signs);
}

/** The signs before and after a word, in a pattern. */
export const BEFORE_WORD: string = `${DOT}?`;
export const AFTER_WORD: string = `(?:${PLUS}{2}|${SHARP})?`;

/** A word and the signs around it. */
interface SignedWord {
  readonly word: string;
  /** Length of the signs before it. */
  readonly before: number;
  /** The signs after it, as letters. */
  readonly after: string;
}

/** Returns a word without its signs; `undefined` if it has none. */
export function signedWord(text: string): SignedWord | undefined {
  const before = text.startsWith(DOT) ? 1 : 0;
  const after = text.endsWith(PLUS) ? 2 : text.endsWith(SHARP) ? 1 : 0;
  if (before === 0 && after === 0) return undefined;
  const end = text.length - after;
  return { word: text.slice(before, end), before, after: text.slice(end) };
}

/** Returns the texts of the terms that are stored of a text. */
export function termTexts(analyzer: TextAnalyzer, text: string): TermTexts {
  if (analyzer.terms) return analyzer.terms(text);
  const line: string[] = [];
  const extra: string[] = [];
  for (const term of analyzer.analyze(text, 'index')) {
    (term.position === undefined ? extra : line).push(term.text);
  }
  return { line, extra };
}

/** Returns the same terms as one text each, which takes less room than a list of words. */
export function joinedTerms({ line, extra }: TermTexts): TermTexts {
  return { line: inOne(line), extra: inOne(extra) };
}

function inOne(items: readonly string[]): readonly string[] {
  return items.length > 1 ? [items.join(' ')] : items;
}

/** Collects terms, with offsets into the original and positions that count up. */
export class TermSink {
  readonly terms: Term[] = [];
  readonly #normal: NormalizedText;
  #position = 0;
  #group = 0;

  constructor(normal: NormalizedText) {
    this.#normal = normal;
  }

  /** Returns a new group, for terms that follow each other directly. */
  newGroup(): number {
    return this.#group++;
  }

  /** Adds a term that phrases go through. */
  add(text: string, start: number, end: number, flags?: Partial<Term>): void {
    this.addLower(text.toLowerCase(), start, end, flags);
  }

  /** The same for a text that has no capital letters. */
  addLower(text: string, start: number, end: number, flags?: Partial<Term>): void {
    const position = this.#position++;
    const term = {
      text,
      start: this.#normal.startOf(start),
      end: this.#normal.endOf(end),
      position,
    };
    this.terms.push(flags ? { ...term, ...flags } : term);
  }

  /** Adds a term next to the line. */
  addExtra(text: string, start: number, end: number, flags?: Partial<Term>): void {
    this.terms.push({
      text: text.toLowerCase(),
      start: this.#normal.startOf(start),
      end: this.#normal.endOf(end),
      ...flags,
    });
  }

  /** Adds the overlapping pairs of characters; see {@link charactersOf}. */
  addPairs(characters: readonly PlacedCharacter[], flags?: Partial<Term>): void {
    let previous: PlacedCharacter | undefined;
    for (const character of characters) {
      if (previous) {
        const { start } = previous;
        this.add(previous.text + character.text, start, character.end, flags);
      }
      previous = character;
    }
  }
}

/** A whole code point with its offsets. */
interface PlacedCharacter {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the characters of a run that begins at an offset. */
export function charactersOf(run: string, at: number): PlacedCharacter[] {
  let start = at;
  return Array.from(run, (text) => {
    const character = { text, start, end: start + text.length };
    start = character.end;
    return character;
  });
}
