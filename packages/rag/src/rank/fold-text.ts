import { toShownText } from '../analyze/normal-text.ts';
import { NumberTable } from '../binary/packed-tables.ts';

/** A unit whose fold depends on its neighbours or is not one unit. */
export const COMPLEX = 0xffff;
/** One whose fold is several signs, as that of `…`: no pair of characters has them. */
export const SIGNS = 0xfffe;

/** Folds of single UTF-16 units, as they come up; 0: not asked for yet. */
const folds = new Uint16Array(65_536);
/** Folds of several units that do not depend on their neighbours: `…` becomes `...`. */
const expansions = new Map<number, Uint16Array>();

/**
 * Signs that are one in Japanese: legacy encodings have one code for them, which systems read as either (〜 and ～, − and －, ― and —),
 * and ─ is typed for them. The first of each counts, in NFKC.
 */
const SAME_SIGNS: readonly string[] = ['~〜～', '-−－‐‑', '―—─', '‖∥'];
const SIGN = new RegExp(`[${SAME_SIGNS.map((same) => same.slice(1)).join('')}]`, 'gu');
const firstOfSame = new Map(
  SAME_SIGNS.flatMap((same) => Array.from(same, (sign) => [sign, same.charAt(0)] as const)),
);

/** Returns all the signs that count as one, for a pattern; the character itself if it is none of them. */
export function sameSigns(character: string): string {
  return SAME_SIGNS.find((same) => same.includes(character)) ?? character;
}

/** Returns a text as phrases and bigrams compare it: NFKC, small letters, one of the signs that are the same. */
export function foldText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(SIGN, (sign) => firstOfSame.get(sign) ?? sign);
}

/** Returns the UTF-16 units of a text. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}

/**
 * Folds a text in its place, without making strings where it can: searching reads dozens of chunks for
 * each query.
 *
 * @returns The folded text; `units` itself if it has the same length.
 */
export function normalizeChars(units: Uint16Array): Uint16Array {
  let { length } = units;
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] ?? 0;
    const fold = foldOf(unit);
    if (fold < SIGNS) continue;
    const expansion = expansions.get(unit);
    if (!expansion) return unitsOf(foldText(textOf(units)));
    length += expansion.length - 1;
  }
  if (length !== units.length) return expanded(units, length);
  for (let at = 0; at < units.length; at++) units[at] = folds[units[at] ?? 0] ?? 0;
  return units;
}

function expanded(units: Uint16Array, length: number): Uint16Array {
  const folded = new Uint16Array(length);
  let to = 0;
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] ?? 0;
    const fold = folds[unit] ?? 0;
    if (fold < SIGNS) folded[to++] = fold;
    else for (const one of expansions.get(unit) ?? []) folded[to++] = one;
  }
  return folded;
}

function textOf({ buffer, byteOffset, byteLength }: Uint16Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf16le');
}

/** Kanji of Unicode 1.1 and kana, which make up most texts, are their own folds. */
function isPlain(unit: number): boolean {
  return (
    (unit >= 0x4e00 && unit < 0x9fa6) ||
    (unit >= 0x3041 && unit <= 0x3096) ||
    (unit >= 0x30a1 && unit <= 0x30fa)
  );
}

/** Returns the fold of a unit: another one, {@link SIGNS} or {@link COMPLEX}. */
export function foldOf(unit: number): number {
  const known = folds[unit] ?? 0;
  return known === 0 ? learnFold(unit) : known;
}

/** Returns the folds of a unit that has several, if they do not depend on its neighbours. */
export function expansionOf(unit: number): Uint16Array | undefined {
  foldOf(unit);
  return expansions.get(unit);
}

function learnFold(unit: number): number {
  if (isPlain(unit)) return (folds[unit] = unit);
  const character = String.fromCharCode(unit);
  const folded = foldText(character);
  // Marks, Jamo and what NFKC makes one, as half-width voicing marks, join what is before; sigma depends on what follows.
  const joins = /^\p{M}|[\p{Cs}\u1100-\u11ffΣ]/u.test(character.normalize('NFKC'));
  let fold = joins || folded.length !== 1 ? COMPLEX : folded.charCodeAt(0);
  if (!joins && folded.length > 1) {
    const expansion = unitsOf(folded);
    expansions.set(unit, expansion);
    if (!expansion.some(isLetterUnit)) fold = SIGNS;
  }
  // NUL has no fold of its own here; asking again costs nothing.
  folds[unit] = fold;
  return fold;
}

/**
 * Calls `visit` with each pair of neighbouring characters of a folded text, as one number; pairs with
 * spaces and signs are left out.
 */
export function eachBigram(folded: Uint16Array, visit: (pair: number) => void): void {
  let before = 0;
  for (let at = 0; at < folded.length; at++) {
    const unit = folded[at] ?? 0;
    const isLetter = isLetterUnit(unit);
    if (isLetter && before !== 0) visit(before * 65_536 + unit);
    before = isLetter ? unit : 0;
  }
}

/** Checks whether a unit makes up pairs. Spaces and signs of ASCII, Latin-1, general punctuation and CJK do not. */
export function isLetterUnit(unit: number): boolean {
  if (unit > 0x3020) return unit !== 0x30fb && unit !== 0xfffd;
  if (unit >= 0x3000) return unit === 0x3005 || unit === 0x3007;
  if (unit < 0x80) {
    return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
  }
  if (unit < 0xc0 || unit === 0xd7 || unit === 0xf7) return false;
  return unit < 0x2000 || unit > 0x2bff;
}

/** A word of a query as far as its kanji go. */
export interface KanjiWord {
  /** Its place among the groups of the query. */
  readonly group: number;
  readonly term: string;
  /** Weight of its information. */
  readonly value: number;
}

/**
 * The kanji of a query, each of which counts as a share of its word where a chunk does not have the word itself: 訳 for
 * 訳す, 紙幣 for 紙状. Texts that answer a question often use such words.
 */
export interface VariantKanji {
  /** For each kanji its place. */
  readonly places: NumberTable;
  /** For each place the words that have the kanji, and what it is worth where they are missing. */
  readonly owners: readonly (readonly { readonly group: number; readonly value: number }[])[];
}

/** Takes words apart into kanji. */
export function variantKanji(words: readonly KanjiWord[]): VariantKanji {
  const places = new Map<number, number>();
  const owners: { readonly group: number; readonly value: number }[][] = [];
  for (const { group, term, value } of words) {
    const kanji = new Set(Array.from(term, unitOf).filter(isKanji));
    for (const unit of kanji) {
      const place = places.get(unit) ?? owners.length;
      places.set(unit, place);
      (owners[place] ??= []).push({ group, value: value / kanji.size });
    }
  }
  return { places: new NumberTable(places), owners };
}

/** Checks whether a UTF-16 unit is a kanji; those outside of the basic plane are not looked at. */
function isKanji(unit: number): boolean {
  return (unit >= 0x3400 && unit < 0xa000) || (unit >= 0xf900 && unit < 0xfb00);
}

function unitOf(character: string): number {
  return character.length === 1 ? character.charCodeAt(0) : 0;
}

/** Matches texts that are read otherwise than they are written. */
const READ_OTHERWISE =
  /[》≫]|［＃|[ゝゞヽヾ〱-〵＼*~=_`\\]|\[[[^]|\][([{^]|<[a-z/!]|&[#a-z]|\p{Cf}|\{[^{}\n]*\||__#|\[\[rb:|[（(][\u3041-\u30fc]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|\n {0,3}>/iu;
/** The reading of a word after it. */
const READING = /(?<=[\p{sc=Han}々])[（(][\u3041-\u3096\u30a1-\u30fc]{1,20}[）)]/gu;

/** Returns the forms of a text in which phrases are looked for, without those that are the same as another. */
export function searchedForms(text: string): readonly string[] {
  const { written, read, joined } = formsOf(text);
  return [written(), read(), joined()].filter((form) => form !== '');
}

/** Returns the forms in which a phrase is looked for: as it is written, and as it is read. */
export function foldPhrase(text: string): readonly string[] {
  const forms = new Set([foldSpaces(text), foldSpaces(readingOut(text))]);
  forms.delete('');
  return [...forms];
}

/** Returns a text without the marks of ruby, links and emphasis. */
function readingOut(text: string): string {
  return toShownText(text).text.replace(READING, '');
}

/** A text as it is written, and as it is read where ruby, notes, emphasis or iteration marks are in it. */
export interface TextForms {
  readonly raw: string;
  readonly written: () => string;
  /** Takes several times as long as the other; empty if it is the same. */
  readonly read: () => string;
  /** As it is read where a line break between a character of Japanese and a sign or digit is none: `2025` and `年`; empty if it is the same. */
  readonly joined: () => string;
}

/** Plain text has a form feed between pages. */
export const LINE_BREAK: RegExp = /[\n\v\f\r\u2028\u2029]/;

/** Matches a line break next to a character of ASCII, or to one that reading makes such. */
const BREAK_AT_ASCII = new RegExp(
  String.raw`[!-~\uff01-\uff5e]\s{0,8}${LINE_BREAK.source}|${LINE_BREAK.source}\s{0,8}[!-~\uff01-\uff5e]`,
);

export function formsOf(raw: string): TextForms {
  let written: string | undefined;
  let read: string | undefined;
  let joined: string | undefined;
  let shownText: string | undefined;
  const isMarked = (): boolean => READ_OTHERWISE.test(raw);
  const shown = (): string => (shownText ??= readingOut(raw));
  return {
    raw,
    written: () => (written ??= foldSpaces(raw)),
    read: () => (read ??= isMarked() ? foldSpaces(shown()) : ''),
    joined: () =>
      (joined ??= BREAK_AT_ASCII.test(raw) ? foldSpaces(isMarked() ? shown() : raw, true) : ''),
  };
}

/**
 * NFKC, small letters, one space for any; a new line between characters of Japanese is none.
 *
 * @param isLoose - True if one of the two is enough where the other is a sign or digit.
 */
function foldSpaces(text: string, isLoose = false): string {
  return foldText(
    text
      // Before NFKC, which makes ASCII of `！` and `？`.
      .replaceAll(/\s\s*/gu, (spaces: string, at: number, all: string) => {
        const sides = [at - 1, at + spaces.length];
        const beyond = sides.filter((side) => isBeyondAscii(all, side)).length;
        const isWrapped =
          beyond === 2 ||
          (isLoose && beyond === 1 && !sides.some((side) => /[a-zａ-ｚ]/i.test(all.charAt(side))));
        return isWrapped && LINE_BREAK.test(spaces) ? '' : ' ';
      }),
  )
    .replaceAll(/\s\s*/gu, ' ')
    .trim();
}

/** Letters and digits of full width are those of ASCII. */
function isBeyondAscii(text: string, at: number): boolean {
  return /[^\0-\x7f０-９Ａ-Ｚａ-ｚ]/.test(text.charAt(at));
}
