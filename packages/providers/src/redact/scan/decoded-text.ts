import { codeAt } from '../code-at.ts';
import type { Offsets } from '../redaction-rule.ts';
import { endOfLine } from './broken-lines.ts';

/** A text without escapes, and where each of its characters comes from. */
export interface DecodedText {
  readonly text: string;
  /** Returns the offset in the given text where the character of an offset begins. */
  startOf(offset: number): number;
  /** Returns the offset after that character. */
  endOf(offset: number): number;
  /**
   * Reports the parts of the given text that stay as they are, without this many characters after an escape and
   * before the next one.
   */
  eachPlainPart(behind: number, before: number, report: (start: number, end: number) => void): void;
}

const NEWLINE = 10;
const SPACE = 32;
const ESCAPE = 27;
const PERCENT = 37;
const PLUS = 43;
const AMPERSAND = 38;
const BACKSLASH = 92;
const BRACKET = 91;
const CARET = 94;

const LETTERS: ReadonlyMap<string, number> = new Map([
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['"', 34],
  ["'", 39],
  ['`', 96],
  ['/', 47],
  // Markdown, TeX and shells escape these.
  ['_', 95],
  ['=', 61],
  [':', 58],
]);

const ENTITIES: ReadonlyMap<string, number> = new Map([
  ['quot', 34],
  ['amp', 38],
  ['apos', 39],
  ['lt', 60],
  ['gt', 62],
  ['nbsp', 32],
]);

/** Characters that escapes begin with, and other scripts: a text with none of them has nothing to decode. */
// oxlint-disable-next-line no-control-regex
export const DECODABLE: RegExp = /[\\%&^\u001b\u0080-\uffff]/;

/**
 * Takes a text out of JSON (also of JSON in JSON), addresses, HTML and colors of a terminal: what was escaped
 * is as it was, and colors are gone. Quotation marks and operators of other scripts are those of ASCII, and characters
 * without a width are gone. Other characters stay as they are.
 *
 * @param breaks - Newlines at which lines are joined. Default: none.
 * @param part - The part of the text that is decoded. Default: all.
 * @returns Nothing if there is nothing to decode.
 */
export function decodeText(
  text: string,
  breaks: ReadonlySet<number> = NO_BREAKS,
  [start, end]: Offsets = [0, text.length],
): DecodedText | undefined {
  const first = breaks.size > 0 ? start : firstEscape(text);
  if (first < 0) return undefined;
  const writer = new Writer();
  for (let at = start; at < first; at++) writer.add(codeAt(text, at));
  const escapes = new Escapes(start);
  // A backslash in a run of them says what the first one says.
  let noEscapeUpTo = 0;
  for (let at = first; at < end; at++) {
    const code = codeAt(text, at);
    if (code === NEWLINE) {
      if (breaks.has(at)) {
        const lineEnd = endOfLine(text, at);
        if (lineEnd < at) writer.removeLast();
        escapes.add(writer.size, lineEnd, at + 1 - lineEnd, 0);
        continue;
      }
    } else if (isEscapeStart(code) && at >= noEscapeUpTo) {
      const packed = escapeAt(text, at, code);
      if (packed >= 0) {
        const length = packed >> 8;
        const plain = packed & 0xff;
        escapes.add(writer.size, at, length, plain === 0 ? 0 : 1);
        if (plain !== 0) writer.add(plain);
        at += length - 1;
        continue;
      }
      if (code === BACKSLASH) noEscapeUpTo = endOfBackslashes(text, at);
    }
    writer.add(code);
  }
  return {
    text: writer.end(),
    startOf: (offset) => escapes.startOf(offset),
    endOf: (offset) => escapes.endOf(offset),
    eachPlainPart: (behind, before, report) => {
      escapes.eachPlainPart(text.length, behind, before, report);
    },
  };
}

/** Units of a text are written here, as many at once: memory that is used again takes less time than that of a long text. */
const units = new Uint16Array(32_768);

/** Writes a text; one at a time. */
class Writer {
  readonly #parts: string[] = [];
  /** How many units were moved to the parts, and how many are in the memory. */
  #moved = 0;
  #used = 0;

  get size(): number {
    return this.#moved + this.#used;
  }

  add(code: number): void {
    if (this.#used === units.length) this.#move();
    units[this.#used++] = code;
  }

  removeLast(): void {
    this.#used--;
  }

  /** Keeps the last unit, which may be removed, and the one before it if they may be a pair. */
  #move(): void {
    const last = this.#used - 1;
    const end = ((units[last - 1] ?? 0) & 0xfc00) === 0xd800 ? last - 1 : last;
    this.#parts.push(decoder.decode(units.subarray(0, end)));
    units.copyWithin(0, end, this.#used);
    this.#moved += end;
    this.#used -= end;
  }

  /** Returns the text, of which the memory keeps nothing. */
  end(): string {
    this.#parts.push(decoder.decode(units.subarray(0, this.#used)));
    units.fill(0, 0, this.#moved > 0 ? units.length : this.#used);
    return this.#parts.join('');
  }
}

/** The characters that begin an escape. */
const BEGINS = Uint8Array.from({ length: 128 }, (_, code) =>
  [BACKSLASH, PERCENT, PLUS, AMPERSAND, ESCAPE, CARET].includes(code) ? 1 : 0,
);

/** Checks whether an escape may begin with a character. */
function isEscapeStart(code: number): boolean {
  return code < 128 ? BEGINS[code] === 1 : (WIDE[code] ?? 0) !== 0;
}

const NO_BREAKS: ReadonlySet<number> = new Set();

/** Returns the place of the first escape, or -1. */
function firstEscape(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = codeAt(text, at);
    if (!isEscapeStart(code)) continue;
    if (escapeAt(text, at, code) >= 0) return at;
    if (code === BACKSLASH) at = endOfBackslashes(text, at) - 1;
  }
  return -1;
}

/** The escapes of a text in their order, to come back from a decoded offset. */
class Escapes {
  count = 0;
  /** For each escape: its decoded offset, its offset, the offset after it, and how many characters it became. */
  #places = new Int32Array(256);
  #near = 0;
  /** Where the decoded part begins. */
  readonly #start: number;

  constructor(start: number) {
    this.#start = start;
  }

  add(decoded: number, at: number, length: number, became: number): void {
    const to = this.count * 4;
    if (to === this.#places.length) {
      const more = new Int32Array(to * 2);
      more.set(this.#places);
      this.#places = more;
    }
    this.#places[to] = decoded;
    this.#places[to + 1] = at;
    this.#places[to + 2] = at + length;
    this.#places[to + 3] = became;
    this.count++;
  }

  eachPlainPart(
    length: number,
    behind: number,
    before: number,
    report: (start: number, end: number) => void,
  ): void {
    let start = 0;
    for (let at = 0; at <= this.count; at++) {
      const end = at < this.count ? (this.#places[at * 4 + 1] ?? 0) - before : length;
      if (end > start) report(start, end);
      start = (this.#places[at * 4 + 2] ?? 0) + behind;
    }
  }

  startOf(offset: number): number {
    const from = this.#lastUpTo(offset);
    if (from < 0) return this.#start + offset;
    const decoded = this.#places[from] ?? 0;
    const became = this.#places[from + 3] ?? 0;
    // Text that became nothing is before the character of the same offset.
    if (decoded === offset && became === 1) return this.#places[from + 1] ?? 0;
    return (this.#places[from + 2] ?? 0) + offset - decoded - became;
  }

  endOf(offset: number): number {
    const from = this.#lastUpTo(offset);
    if (from < 0) return this.#start + offset + 1;
    const decoded = this.#places[from] ?? 0;
    return (this.#places[from + 2] ?? 0) + offset - decoded - (this.#places[from + 3] ?? 0) + 1;
  }

  /** Returns the place of the last escape whose decoded offset is not after an offset, or -1. */
  #lastUpTo(offset: number): number {
    const places = this.#places;
    let low = 0;
    let high = this.count;
    // Offsets come nearly in order: the answer is most often close to the last one.
    const near = this.#near;
    if (near < high && (places[near * 4] ?? 0) <= offset) {
      low = near;
      const far = near + NEAR;
      if (far < high && (places[far * 4] ?? 0) > offset) high = far;
    }
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle * 4] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    this.#near = Math.max(0, low - 1);
    return low === 0 ? -1 : (low - 1) * 4;
  }
}

/** As many escapes are looked at before all that follow. */
const NEAR = 16;

const decoder = new TextDecoder('utf-16le', { ignoreBOM: true });

/** Returns the length of an escape times 256, plus the character or 0 for none; -1 if there is none. */
function escapeAt(text: string, at: number, code: number): number {
  if (code === BACKSLASH) return backslashAt(text, at);
  if (code === FIRST_OF_TAG) return 2 << 8;
  if (code >= 128) return (1 << 8) | ((WIDE[code] ?? 0) & 0x7f);
  if (code === PLUS) return plusAt(text, at);
  if (code === PERCENT) return percentAt(text, at);
  if (code === AMPERSAND) return entityAt(text, at);
  // The form in which many programs show the character: `^[[32m`.
  if (code === CARET)
    return codeAt(text, at + 1) === BRACKET ? escapedColorAt(text, at, at + 2) : -1;
  return colorAt(text, at);
}

/** Runs of backslashes, as of JSON in JSON, mean the same as one. */
function endOfBackslashes(text: string, from: number): number {
  let at = from;
  while (codeAt(text, at) === BACKSLASH) at++;
  return at;
}

function backslashAt(text: string, at: number): number {
  const next = endOfBackslashes(text, at);
  const letter = text.charAt(next);
  const plain = LETTERS.get(letter);
  if (plain !== undefined) return ((next + 1 - at) << 8) | plain;
  if (letter === 'u' || letter === 'x') {
    const digits = letter === 'u' ? 4 : 2;
    const value = hexAt(text, next + 1, digits);
    if (value === ESCAPE) return escapedColorAt(text, at, next + 1 + digits);
    return isPlain(value) ? ((next + 1 + digits - at) << 8) | value : -1;
  }
  if (letter === 'e' && text.charAt(next + 1) === '[') return escapedColorAt(text, at, next + 1);
  if (letter === '0' && text.startsWith('033[', next)) return escapedColorAt(text, at, next + 3);
  return -1;
}

/** `%3D`, and what it is when it is escaped again: `%253D`. */
function percentAt(text: string, at: number): number {
  let digits = at + 1;
  let value = hexAt(text, digits, 2);
  while (value === PERCENT) {
    const next = hexAt(text, digits + 2, 2);
    if (next < 0) break;
    digits += 2;
    value = next;
  }
  return isPlain(value) ? ((digits + 2 - at) << 8) | value : -1;
}

/** A space of a form, next to another escape: `%3A+%22`. */
function plusAt(text: string, at: number): number {
  const isNext = hexAfterPercent(text, at + 1) >= 0 || hexAfterPercent(text, at - 3) >= 0;
  return isNext ? (1 << 8) | SPACE : -1;
}

function hexAfterPercent(text: string, at: number): number {
  return codeAt(text, at) === PERCENT ? hexAt(text, at + 1, 2) : -1;
}

function escapedColorAt(text: string, at: number, bracket: number): number {
  const end = endOfColor(text, bracket);
  return end < 0 ? -1 : (end - at) << 8;
}

function colorAt(text: string, at: number): number {
  const end = endOfColor(text, at + 1);
  return end < 0 ? -1 : (end - at) << 8;
}

const MAX_PARAMETERS = 24;

/** Returns the place after a control sequence, whose bracket is at a place. */
function endOfColor(text: string, bracket: number): number {
  if (text.charAt(bracket) !== '[') return -1;
  for (let at = bracket + 1; at < bracket + MAX_PARAMETERS; at++) {
    const code = codeAt(text, at);
    if ((code >= 48 && code <= 59) || code === 63) continue;
    return code >= 64 && code <= 126 ? at + 1 : -1;
  }
  return -1;
}

function entityAt(text: string, at: number): number {
  const end = codeAt(text, at + 3) === 59 ? at + 3 : indexOfSemicolon(text, at + 4);
  if (end < 0) return -1;
  const name = text.slice(at + 1, end);
  const known = ENTITIES.get(name);
  if (known !== undefined) return ((end + 1 - at) << 8) | known;
  if (!name.startsWith('#')) return -1;
  const value = /^#[xX]/.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return isPlain(value) ? ((end + 1 - at) << 8) | value : -1;
}

function indexOfSemicolon(text: string, from: number): number {
  for (let at = from; at < from + 3; at++) if (codeAt(text, at) === 59) return at;
  return -1;
}

function hexAt(text: string, from: number, digits: number): number {
  let value = 0;
  for (let at = from; at < from + digits; at++) {
    const digit = hexDigit(codeAt(text, at));
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** Returns the value of a digit, or -1 for what is none. */
export function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const folded = code | 32;
  return folded >= 97 && folded <= 102 ? folded - 87 : -1;
}

/** Printable characters of ASCII, and white space. */
function isPlain(code: number): boolean {
  return (code >= 32 && code <= 126) || code === 9 || code === 10 || code === 13;
}

/** Characters of other scripts, and the ASCII ones that mean the same to a reader. */
const SAME: readonly (readonly [ascii: string, others: string])[] = [
  [
    '"',
    '\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f\u3008\u3009\u300a\u300b\uff62\uff63\u301d\u301e\u301f',
  ],
  ["'", '\u2018\u2019\u201a\u201b\u2039\u203a'],
  [' ', '\u00a0\u3000\u2002\u2003\u2007\u2009\u202f'],
  ['|', '\u2502\u2503\u2551\u258f'],
  ['[', '\u3010\u3014'],
  // A heading in brackets is followed by what it names: \u3010API_KEY\u3011abc.
  [':', '\u3011\u3015\u2236\ufe55'],
  ['-', '\u2010\u2011\u2212'],
];

/**
 * Ranges of characters that show nothing, and come with copied text: those that Unicode names Default_Ignorable, marks
 * of the direction of text included.
 */
const NOTHING: readonly (readonly [first: number, last: number])[] = [
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
];

/** The first unit of tags and of more variation selectors, which show nothing either: U+E0000 to U+E03FF. */
const FIRST_OF_TAG = 0xdb40;

const FIRST_FULL_WIDTH = 0xff01;
const LAST_FULL_WIDTH = 0xff5e;
const FULL_WIDTH_OFFSET = 0xfee0;
const KNOWN = 0x80;

/** For each UTF-16 unit: 0, or 128 plus the ASCII character that it represents, or 128 if it represents none. */
const WIDE: Uint8Array = tableOfWide();

function tableOfWide(): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (let code = FIRST_FULL_WIDTH; code <= LAST_FULL_WIDTH; code++) {
    table[code] = KNOWN | (code - FULL_WIDTH_OFFSET);
  }
  for (const [ascii, others] of SAME) {
    for (const other of others) table[other.charCodeAt(0)] = KNOWN | ascii.charCodeAt(0);
  }
  for (const [first, last] of NOTHING) table.fill(KNOWN, first, last + 1);
  table[FIRST_OF_TAG] = KNOWN;
  return table;
}
