/**
 * Readings of the places of a text. Copies are escaped as JSON, XML or parts of addresses, wrapped at other widths,
 * quoted with marks before their lines, and written in other forms of Unicode, widths and cases.
 */

import { BACKSLASH, codeAt, entitiesAt, type Reading } from './escapes.ts';

const SPACE = 32;
const PERCENT = 37;
const AMPERSAND = 38;
const PLUS = 43;
const WIDE_BACKSLASH = 0xff3c;
/** Ideographs and kana, whose lines are broken without a space, begin here. */
const FIRST_WIDE = 0x2e80;

/** Returns a text as its pieces are compared: without case and width, composed, and with one space between words. */
export function foldText(text: string): string {
  const composed = text.normalize('NFC').replaceAll('\uff3c', '');
  return foldPlaces(composed, (unit, end) => marked(unit, composed, end)[0]);
}

/** Returns the same with the marks that it has, as a copy whose marks are escaped is read. */
export function foldAsGiven(text: string): string {
  return foldPlaces(text.replaceAll('\uff3c', ''), (): undefined => undefined);
}

function foldPlaces(
  text: string,
  compose: (unit: number, end: number) => Reading | undefined,
): string {
  const spaces = new Spaces();
  let folded = '';
  for (let at = 0; at < text.length;) {
    const unit = text.charCodeAt(at);
    const [read, end] = isSpace(unit)
      ? [SPACE, spaces.endAt(text, at)]
      : (compose(unit, at + 1) ?? [foldUnit(unit), at + 1]);
    folded += String.fromCharCode(read);
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
  const [at, isEscaped] = endOfAllBackslashes(text, from);
  const unit = text.charCodeAt(at);
  if (Number.isNaN(unit) || isBackslash(unit)) return [];
  if (isEscaped) return afterBackslash(unit, text, at, spaces);
  return meaningsOf(unit, text, at, spaces);
}

function meaningsOf(
  unit: number,
  text: string,
  at: number,
  spaces: Spaces | undefined,
): readonly Reading[] {
  if (unit === AMPERSAND) return ampersandAt(text, at + 1);
  if (unit === PERCENT) return [[unit, at + 1], ...percentAt(text, at, spaces)];
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
  return [...marked(unit, text, end), [foldUnit(unit), end]];
}

function afterBackslash(
  unit: number,
  text: string,
  at: number,
  spaces: Spaces | undefined,
): readonly Reading[] {
  const code = codeAt(text, at);
  if (code !== undefined) {
    const meant = code === AMPERSAND ? ampersandAt(text, at + 5) : [unitAt(code, at + 5)];
    return [unitAt(unit, at + 1), ...meant];
  }
  const meant = meaningsOf(unit, text, at, spaces);
  return spaces && isLineEscape(unit) ? [...meant, ...spaceAt(text, at - 1, spaces)] : meant;
}

function unitAt(unit: number, end: number): Reading {
  return [isSpace(unit) ? SPACE : foldUnit(unit), end];
}

function ampersandAt(text: string, at: number): readonly Reading[] {
  return entitiesAt(text, at).map(([unit, end]) => unitAt(unit, end));
}

/** Returns where a run of backslashes of any width ends, and whether its last one may escape what is next. */
function endOfAllBackslashes(
  text: string,
  from: number,
): readonly [end: number, isEscaped: boolean] {
  let at = from;
  const limit = at + MOST_BACKSLASHES;
  while (at < limit && isBackslash(text.charCodeAt(at))) at++;
  return [at, at > from && text.charCodeAt(at - 1) === BACKSLASH];
}

function isBackslash(unit: number): boolean {
  return unit === BACKSLASH || unit === WIDE_BACKSLASH;
}

/** A character of an address, whose bytes may be escaped several times: `%E9`, `%25E9`. */
function percentAt(text: string, from: number, spaces: Spaces | undefined): readonly Reading[] {
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
  const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : 3;
  while (bytes.length < length) {
    const next = byteAt(text, end);
    if (!next) return [];
    bytes.push(next[0]);
    end = next[1];
  }
  const character = Buffer.from(bytes).toString();
  const unit = character.charCodeAt(0);
  return character.length === 1 && unit !== 0xfffd ? [unitAt(unit, end)] : [];
}

function byteAt(text: string, at: number): Reading | undefined {
  if (text.charCodeAt(at) !== PERCENT) return undefined;
  let digits = at + 1;
  const limit = at + MOST_ESCAPES * 2;
  while (digits < limit && /^25[\da-f]{2}$/i.test(text.slice(digits, digits + 4))) digits += 2;
  const hex = text.slice(digits, digits + 2);
  return /^[\da-f]{2}$/i.test(hex) ? [Number.parseInt(hex, 16), digits + 2] : undefined;
}

/** White space is one space, and nothing where a line of ideographs was broken. */
function spaceAt(text: string, at: number, spaces: Spaces): readonly Reading[] {
  const end = spaces.endAt(text, at);
  const next = text.charCodeAt(end);
  if (next < FIRST_WIDE || Number.isNaN(next)) return [[SPACE, end]];
  return [[SPACE, end], ...marked(next, text, end + 1), [foldUnit(next), end + 1]];
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
  return isLineEscape(text.charCodeAt(at)) ? at + 1 : undefined;
}

/** Longer runs are read in parts, as each place of a text may begin one. */
const MOST_ESCAPES = 8;
const MOST_BACKSLASHES = 64;

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
    if (together.length === 1) return [[foldUnit(together.charCodeAt(0)), after]];
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

/** Units without case and width, when they were asked for; 0 for others. */
const folds = new Uint16Array(0x10000);

function foldUnit(unit: number): number {
  const known = folds[unit] ?? 0;
  if (known !== 0) return known;
  const folded = String.fromCharCode(unit).normalize('NFKC').toLowerCase();
  const result = folded.length === 1 ? folded.charCodeAt(0) : unit;
  folds[unit] = result;
  return result;
}
