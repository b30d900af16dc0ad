/**
 * Readings of the places of a text. Copies are escaped as JSON, HTML or the bytes of addresses, mails and programs,
 * wrapped at other widths, quoted, listed or commented with marks before their lines, and written in other forms of
 * Unicode, widths and cases, with typographic signs and characters that are not seen.
 */

import {
  BACKSLASH,
  byteAt,
  codeAt,
  codePointAt,
  endOfBackslashes,
  endOfSoftBreak,
  entitiesAt,
  MOST_BACKSLASHES,
  type Reading,
} from './escapes.ts';

const SPACE = 32;
const PERCENT = 37;
const AMPERSAND = 38;
const PLUS = 43;
const EQUALS = 61;
const WIDE_BACKSLASH = 0xff3c;
/** Ideographs and kana, whose lines are broken without a space, begin here. */
const FIRST_WIDE = 0x2e80;

/** Returns a text as its pieces are compared: without case and width, composed, and with one space between words. */
export function foldText(text: string): string {
  const composed = text.replaceAll(UNSEEN, '').normalize('NFC').replaceAll('\uff3c', '');
  return foldPlaces(composed, (unit, end) => marked(unit, composed, end)[0]);
}

/** Returns the same with the marks that it has, as a copy whose marks are escaped is read. */
export function foldAsGiven(text: string): string {
  return foldPlaces(
    text.replaceAll(UNSEEN, '').replaceAll('\uff3c', ''),
    (): undefined => undefined,
  );
}

function foldPlaces(
  text: string,
  compose: (unit: number, end: number) => Reading | undefined,
): string {
  const spaces = new Spaces();
  let folded = '';
  for (let at = 0; at < text.length;) {
    const unit = text.charCodeAt(at);
    const [read, end, more = '']: Reading = isSpace(unit)
      ? [SPACE, spaces.endAt(text, at)]
      : (compose(unit, at + 1) ?? foldedAs(unit, at + 1));
    folded += String.fromCharCode(read) + more;
    at = end;
  }
  return folded.trim();
}

/** Checks whether a folded code unit may be read from white space: a space, or a wide character after a line break. */
export function isBreak(unit: number): boolean {
  return unit === SPACE || unit >= FIRST_WIDE;
}

/**
 * Returns what may be at a place of a text: its code unit, and what that is when the text is escaped: by JSON that is
 * a value of JSON, however often, by XML, or by an address. Backslashes are passed over, as one may be an escape or what
 * was said.
 *
 * @param spaces - Reads white space. Absent: nothing of it is looked for.
 */
export function readingsAt(
  text: string,
  from: number,
  spaces: Spaces | undefined,
): readonly Reading[] {
  return readingsAfter(text, from, spaces, MOST_MARKS);
}

function readingsAfter(
  text: string,
  from: number,
  spaces: Spaces | undefined,
  most: number,
): readonly Reading[] {
  const [at, isEscaped] = endOfUnread(text, from);
  const unit = text.charCodeAt(at);
  if (Number.isNaN(unit) || isBackslash(unit)) return [];
  const read = isEscaped
    ? afterBackslash(unit, text, at, spaces)
    : meaningsOf(unit, text, at, spaces);
  if (most === 0) return read;
  const continued = endOfSoftBreak(text, at);
  if (continued > at) return [...read, ...readingsAfter(text, continued, spaces, most - 1)];
  // Characters that are not seen may be escaped.
  if (!read.some(([each]) => isUnseenUnit(each))) return read;
  return read.flatMap((each) =>
    isUnseenUnit(each[0]) ? readingsAfter(text, each[1], spaces, most - 1) : [each],
  );
}

function meaningsOf(
  unit: number,
  text: string,
  at: number,
  spaces: Spaces | undefined,
): readonly Reading[] {
  if (unit === AMPERSAND) return ampersandAt(text, at + 1);
  if (unit === PERCENT || unit === EQUALS) return [[unit, at + 1], ...encodedAt(text, at, spaces)];
  return signAt(unit, text, at, spaces);
}

/** Returns what a sign may be that begins no escape. */
function signAt(
  unit: number,
  text: string,
  at: number,
  spaces: Spaces | undefined,
): readonly Reading[] {
  const end = at + 1;
  if (isSpace(unit)) return spaces ? spaceAt(text, at, spaces) : [];
  if (unit === PLUS) return [...marked(unit, text, end), [unit, end], [SPACE, end]];
  const read = [...marked(unit, text, end), foldedAs(unit, end)];
  return isQuote(unit) ? [...read, ...escapedQuotesAt(unit, text, at)] : read;
}

/** Returns quotes that are escaped by quotes: those of CSV, SQL and YAML are doubled, each of a run. */
function escapedQuotesAt(unit: number, text: string, at: number): readonly Reading[] {
  if (text.startsWith(QUOTE_OF_SHELLS, at)) return [[unit, at + QUOTE_OF_SHELLS.length]];
  if (text.charCodeAt(at - 1) === unit) return [];
  let end = at + 1;
  while (text.charCodeAt(end) === unit) end++;
  const count = (end - at) >> 1;
  if (count === 0) return [];
  return [[unit, at + count * 2, String.fromCharCode(unit).repeat(count - 1)]];
}

/** A quote in a text that a shell reads between quotes. */
const QUOTE_OF_SHELLS = String.raw`'\''`;

function isQuote(unit: number): boolean {
  return unit === 34 || unit === 39;
}

function afterBackslash(
  unit: number,
  text: string,
  at: number,
  spaces: Spaces | undefined,
): readonly Reading[] {
  const code = codeAt(text, at);
  if (code !== undefined) {
    const end = code === SELECTORS ? endOfPair(text, at + 5) : at + 5;
    const meant = code === AMPERSAND ? ampersandAt(text, end) : [unitAt(code, end)];
    return [unitAt(unit, at + 1), ...meant, ...longEscapeAt(text, at)];
  }
  const meant = [
    ...meaningsOf(unit, text, at, spaces),
    ...longEscapeAt(text, at),
    ...encodedAt(text, at - 1, spaces),
  ];
  return spaces && isLineEscape(unit) ? [...meant, ...spaceAt(text, at - 1, spaces)] : meant;
}

/** Returns where the second unit of a pair ends that is escaped as the first one is. */
function endOfPair(text: string, end: number): number {
  const at = endOfBackslashes(text, end);
  return at > end && codeAt(text, at) !== undefined ? at + 5 : end;
}

function longEscapeAt(text: string, at: number): readonly Reading[] {
  const read = codePointAt(text, at);
  return read ? [unitAt(...read)] : [];
}

function unitAt(unit: number, end: number, more = ''): Reading {
  if (more !== '') return [unit, end, more];
  return isSpace(unit) ? [SPACE, end] : foldedAs(unit, end);
}

function ampersandAt(text: string, at: number): readonly Reading[] {
  return entitiesAt(text, at).map(([unit, end, more]) => unitAt(unit, end, more));
}

/**
 * Returns where backslashes of any width and characters that are not seen end, and whether what is next may be escaped.
 */
function endOfUnread(text: string, from: number): readonly [end: number, isEscaped: boolean] {
  let at = from;
  const limit = at + MOST_BACKSLASHES;
  while (at < limit) {
    const unit = text.charCodeAt(at);
    if (!isBackslash(unit) && !isUnseen(unit, text, at)) break;
    at++;
  }
  return [at, at > from && text.charCodeAt(at - 1) === BACKSLASH];
}

function isBackslash(unit: number): boolean {
  return unit === BACKSLASH || unit === WIDE_BACKSLASH;
}

/** A character whose bytes are escaped: in an address, perhaps several times, `%C3%A9`, a mail, `=C3=A9`, a program, `\xc3\251`. */
function encodedAt(text: string, from: number, spaces: Spaces | undefined): readonly Reading[] {
  let at = from;
  let first = byteAt(text, at);
  for (let passed = 0; first?.[0] === BACKSLASH; passed++) {
    if (passed === MOST_BACKSLASHES) return [];
    at = first[1];
    first = byteAt(text, at);
  }
  if (!first) {
    const unit = text.charCodeAt(at);
    const isPlain = at > from && !Number.isNaN(unit) && !isBackslash(unit);
    return isPlain ? signAt(unit, text, at, spaces) : [];
  }
  let [lead, end] = first;
  const bytes = [lead];
  const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  while (bytes.length < length) {
    const next = byteAt(text, end);
    if (!next) return [];
    bytes.push(next[0]);
    end = next[1];
  }
  const character = Buffer.from(bytes).toString();
  const unit = character.charCodeAt(0);
  const isOne = character.length === (length === 4 ? 2 : 1) && unit !== 0xfffd;
  return isOne ? [unitAt(unit, end, character.slice(1))] : [];
}

/** White space is one space, and nothing where a line of ideographs was broken. */
function spaceAt(text: string, at: number, spaces: Spaces): readonly Reading[] {
  const end = spaces.endAt(text, at);
  return [end, ...endsOfLineMarks(text, end)].flatMap((place) => {
    const next = text.charCodeAt(place);
    if (next < FIRST_WIDE || Number.isNaN(next)) return [[SPACE, place]] as const;
    return [[SPACE, place], ...marked(next, text, place + 1), foldedAs(next, place + 1)] as const;
  });
}

/** Marks of comments, diffs and lists before the words of a line: `#`, `//`, `*`, `+`, `-`, `;`, `%`. */
const LINE_MARKS = new Set([35, 37, 42, 43, 45, 47, 59]);
const MOST_LINE_MARKS = 16;

/** Returns where the words of a line may begin after marks of a comment, of which some may be words: none where no line begins. */
function endsOfLineMarks(text: string, from: number): readonly number[] {
  let start = from;
  while (start > from - MOST_LINE_MARKS && isBlank(text.charCodeAt(start - 1))) start--;
  const before = text.charCodeAt(start - 1);
  const isEscaped = isLineEscape(before) && text.charCodeAt(start - 2) === BACKSLASH;
  if (before !== 10 && before !== 13 && !isEscaped) return [];
  const ends: number[] = [];
  for (let at = from; at < from + MOST_LINE_MARKS; at++) {
    const unit = text.charCodeAt(at);
    if (isBlank(unit)) continue;
    if (at > from) ends.push(at);
    if (!LINE_MARKS.has(unit)) break;
  }
  return ends;
}

function isBlank(unit: number): boolean {
  return unit === SPACE || unit === 9 || unit === 0x3000;
}

/** Reads the white space of one text. Each run of it is read once, however many places of it are asked for. */
export class Spaces {
  #from = -1;
  #end = -1;
  /** The places between which the lines that were read last begin, all up to the same end. */
  #firstLine = -1;
  #endOfLines = -1;

  /** Returns where white space ends, and the marks of a quotation at the beginning of a line. */
  endAt(text: string, from: number): number {
    if (from === this.#from) return this.#end;
    let at = from;
    let line = afterLineBreak(text, at);
    while (line === undefined && isSpace(text.charCodeAt(at))) {
      at++;
      line = afterLineBreak(text, at);
    }
    this.#from = from;
    this.#end = line === undefined ? at : this.#endOfLinesAt(text, line);
    return this.#end;
  }

  #endOfLinesAt(text: string, from: number): number {
    if (from >= this.#firstLine && from <= this.#endOfLines) return this.#endOfLines;
    let at = from;
    for (;;) {
      const unit = text.charCodeAt(at);
      // `>`, `|` and the line of a box.
      const isPassed = isSpace(unit) || unit === 62 || unit === 124 || unit === 0x2502;
      const next = isPassed ? at + 1 : afterLineBreak(text, at);
      if (next === undefined) break;
      at = next;
    }
    this.#firstLine = from;
    this.#endOfLines = at;
    return at;
  }
}

/** Returns the place after a line break, or a line break or tab that is escaped, if one is at a place. */
function afterLineBreak(text: string, from: number): number | undefined {
  const unit = text.charCodeAt(from);
  if (unit === 10 || unit === 13) return from + 1;
  if (unit !== BACKSLASH) return undefined;
  let at = from;
  const limit = from + MOST_BACKSLASHES;
  while (at < limit && text.charCodeAt(at) === BACKSLASH) at++;
  const next = text.charCodeAt(at);
  return next === 10 || next === 13 || isLineEscape(next) ? at + 1 : undefined;
}

/** Checks for `n`, `r` and `t`. */
function isLineEscape(unit: number): boolean {
  return unit === 110 || unit === 114 || unit === 116;
}

function isSpace(unit: number): boolean {
  return unit <= SPACE
    ? unit === SPACE || (unit >= 9 && unit <= 13)
    : unit === 0xa0 || unit === 0x3000;
}

/** Returns the character that a unit and the marks after it are together: `e` and an accent, half-width `ｶﾞ`. */
function marked(unit: number, text: string, end: number): readonly Reading[] {
  let after = end;
  while (after < end + MOST_MARKS && isMark(text.charCodeAt(after))) after++;
  for (; after > end; after--) {
    const together = (String.fromCharCode(unit) + text.slice(end, after)).normalize('NFKC');
    if (together.length === 1) return [foldedAs(together.charCodeAt(0), after)];
  }
  return [];
}

const MOST_MARKS = 4;

/** Combining marks, half-width voiced marks, and the vowels and final consonants of decomposed Hangul. */
const MARK = /[\p{M}\uff9e\uff9f\u1161-\u1175\u11a8-\u11c2]/u;
const FIRST_MARK = 0x300;

/** Units that were asked for: 2 for marks, 1 for others. */
const marks = new Uint8Array(0x10000);

function isMark(unit: number): boolean {
  if (!(unit >= FIRST_MARK)) return false;
  if (marks[unit] === 0) marks[unit] = MARK.test(String.fromCharCode(unit)) ? 2 : 1;
  return marks[unit] === 2;
}

/** Folded units, when they were asked for: 0 for others, and {@link LONG} for those that become several units. */
const folds = new Uint16Array(0x10000);
const LONG = 1;
const longFolds = new Map<number, string>();

/** Returns how a unit is compared: without case and width, typographic signs as those of typewriters. */
function foldedAs(unit: number, end: number): Reading {
  const known = folds[unit] ?? 0;
  if (known > LONG) return [known, end];
  const long = known === LONG ? longFolds.get(unit) : undefined;
  if (long !== undefined) return [long.charCodeAt(0), end, long.slice(1)];
  const folded = fold(String.fromCharCode(unit));
  // No piece begins with a space.
  const isKept = folded.length > 1 && folded.includes(' ');
  const result = isKept ? unit : folded.charCodeAt(0);
  const more = isKept ? '' : folded.slice(1);
  folds[unit] = more === '' ? result : LONG;
  if (more !== '') longFolds.set(unit, folded);
  return more === '' ? [result, end] : [result, end, more];
}

function fold(unit: string): string {
  const sign = TYPOGRAPHIC.find(([pattern]) => pattern.test(unit))?.[1];
  const folded = sign ?? unit.normalize('NFKC').toLowerCase();
  return folded === 'ß' ? 'ss' : folded;
}

/** Signs that word processors and models write instead of those on a keyboard. */
const TYPOGRAPHIC: readonly (readonly [pattern: RegExp, sign: string])[] = [
  [/[\u2018-\u201b]/, "'"],
  [/[\u201c-\u201f]/, '"'],
  [/\p{Pd}|\u2212/u, '-'],
];

/** Characters that are not seen, such as those at which a browser may break a line, and marks of direction around names. */
export const UNSEEN: RegExp = /\p{Default_Ignorable_Code_Point}/gu;

/** Units that were asked for: 2 for those that are not seen, 1 for others. */
const unseen = new Uint8Array(0x10000);

/** Checks whether a character at a place is not seen: no folded piece begins with one. */
export function isUnseenAt(text: string, at: number): boolean {
  return isUnseen(text.charCodeAt(at), text, at);
}

function isUnseen(unit: number, text: string, at: number): boolean {
  if (!(unit >= 0xad)) return false;
  // Selectors of variants, such as those of ideographs in names, are pairs.
  if (unit >= 0xdc00 && unit <= 0xdfff) return text.charCodeAt(at - 1) === SELECTORS;
  return isUnseenUnit(unit);
}

/** The first unit of selectors of variants. */
const SELECTORS = 0xdb40;

function isUnseenUnit(unit: number): boolean {
  if (unit === SELECTORS) return true;
  if (!(unit >= 0xad)) return false;
  if (unseen[unit] === 0)
    unseen[unit] = String.fromCharCode(unit).replace(UNSEEN, '') === '' ? 2 : 1;
  return unseen[unit] === 2;
}
