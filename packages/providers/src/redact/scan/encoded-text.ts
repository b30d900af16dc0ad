import { codeAt } from '../code-at.ts';
import { hexDigit } from './decoded-text.ts';
import type { IsFound, Offsets } from '../redaction-rule.ts';

/** The texts that are written in Base64 or hex in a text, with lines without words between them. */
export interface EncodedText {
  /** One character for each byte. */
  readonly text: string;
  /** Returns the offsets in the given text that cover a part of the decoded one, up to the end of its run. */
  rangeOf(start: number, end: number): Offsets;
}

/** A shorter run has no room for a name and a secret. */
export const SHORTEST_RUN = 28;
/** Fewer bytes are a text by chance. */
const FEWEST_BYTES = 14;
/** Programs break lines of Base64 at 60, 64, 72 or 76 digits. */
const SHORTEST_LINE = 56;

const LF = 10;
const CR = 13;
const SPACE = 32;

/**
 * Decodes the texts in Base64 (also of UTF-16, in lines, and without its beginning) and hex, each as far as it is
 * UTF-8 without control characters: pictures, hashes and keys are not.
 *
 * @param isFound - Checks whether a run is removed already; is asked in ascending order. Default: never.
 * @returns Nothing if there are none.
 */
export function decodeRuns(text: string, isFound: IsFound = () => false): EncodedText | undefined {
  let decoded: Runs | undefined;
  const run = new Run(text);
  for (let from = nextRun(text, 0); from >= 0;) {
    const end = run.endAfter(from);
    const isHex = run.isHexFrom(from);
    const isText = isHex ? isTextAt(text, from, true) : mayBeBase64(text, from, end);
    // Another line may follow a longer one.
    if (!isText || (end - from < SHORTEST_LINE && isFound(from, end))) {
      from = nextRun(text, end);
      continue;
    }
    decoded ??= new Runs(text);
    from = nextRun(text, isHex ? decoded.addHex(from, end) : decoded.addBase64(from, end));
  }
  return decoded === undefined || decoded.size === 0 ? undefined : decoded;
}

/** Checks whether a run may be a text from any of its first digits on: most are names, hashes and keys, and none. */
function mayBeBase64(text: string, start: number, end: number): boolean {
  for (let from = start; from < start + 4; from++)
    if (isTextAt(text, from, false) || isWideAt(text, from, end)) return true;
  return isWideAt(text, start + 4, end);
}

/** Checks whether as many bytes as a text has at least are UTF-8 at a place of hex or Base64. */
function isTextAt(text: string, start: number, isHex: boolean): boolean {
  let pending = 0;
  for (let place = 0; place < FEWEST_BYTES; place++) {
    const byte = isHex ? hexByteAt(text, start + 2 * place) : base64ByteAt(text, start, place);
    pending = pendingAfter(byte, pending, place);
    if (pending < 0) return false;
  }
  return true;
}

function hexByteAt(text: string, at: number): number {
  return hexDigit(codeAt(text, at)) * 16 + hexDigit(codeAt(text, at + 1));
}

function base64ByteAt(text: string, start: number, place: number): number {
  const group = Math.floor(place / 3);
  const at = start + place + group;
  const bits = (digitAt(text, at) << 6) | digitAt(text, at + 1);
  return (bits >> (4 - 2 * (place - 3 * group))) & 0xff;
}

/** Checks for the first three characters of UTF-16 at a place of Base64. */
function isWideAt(text: string, start: number, end: number): boolean {
  // The first or the second byte is zero.
  if (digitAt(text, start) !== 0 && (digitAt(text, start + 1) & 15) !== 0) return false;
  return start + 8 <= end && wideAt(text, start, isBigEndian(text, start)) >= 0;
}

function isBigEndian(text: string, start: number): boolean {
  return bitsOf(text, start) >> 16 === 0;
}

/** Returns three characters of eight digits as bits, or -1 if one is none of a text. */
function wideAt(text: string, at: number, isSecond: boolean): number {
  const high = bitsOf(text, at + (isSecond ? 4 : 0));
  const low = bitsOf(text, at + (isSecond ? 0 : 4));
  if ((high & 0x00_ff_00) !== 0 || (low & 0xff_00_ff) !== 0) return -1;
  const middle = (low >> 8) & 0xff;
  if (!isTextByte(high >> 16) || !isTextByte(high & 0xff) || !isTextByte(middle)) return -1;
  return isSecond
    ? (middle << 16) | ((high >> 8) & 0xff_00) | (high & 0xff)
    : (high & 0xff_00_00) | ((high & 0xff) << 8) | middle;
}

/** Returns the three bytes of four digits. */
function bitsOf(text: string, at: number): number {
  let bits = 0;
  for (let place = at; place < at + 4; place++) bits = (bits << 6) | digitAt(text, place);
  return bits;
}

/**
 * Returns how many bytes of a character of UTF-8 are to come after a byte, or -1 if it is none of a text.
 *
 * @param pending - As many were to come before it.
 * @param place - How many bytes are before it.
 */
function pendingAfter(byte: number, pending: number, place: number): number {
  if (pending > 0) return (byte & 0xc0) === 0x80 ? pending - 1 : -1;
  if (byte < 128) return isTextByte(byte) ? 0 : -1;
  // The first character may have lost its beginning.
  if (byte < 0xc0 && place < 2) return 0;
  if (byte < 0xc2 || byte > 0xf4) return -1;
  return byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
}

/** A run of digits: its end is looked for once, however many texts are found in it one after another. */
class Run {
  readonly #text: string;
  #end = 0;
  /** The next places without a digit of hex in small letters, and in capital ones. */
  #notLower = -1;
  #notUpper = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the offset after the run that a place is in; ask for ascending places. */
  endAfter(from: number): number {
    if (from < this.#end) return this.#end;
    let at = from + SHORTEST_RUN;
    while (digitAt(this.#text, at) >= 0) at++;
    this.#end = at;
    return at;
  }

  /** Checks whether the run whose end was asked for is of hex from a place on. */
  isHexFrom(from: number): boolean {
    if (this.#notLower < from) this.#notLower = this.#endOfHex(from, LOWER_A);
    if (this.#notLower === this.#end) return true;
    if (this.#notUpper < from) this.#notUpper = this.#endOfHex(from, UPPER_A);
    return this.#notUpper === this.#end;
  }

  #endOfHex(from: number, a: number): number {
    for (let at = from; at < this.#end; at++) {
      const code = codeAt(this.#text, at);
      if ((code < ZERO || code > NINE) && (code < a || code > a + 5)) return at;
    }
    return this.#end;
  }
}

const ZERO = 48;
const NINE = 57;
const UPPER_A = 65;
const LOWER_A = 97;

/** Returns where the next run begins, or -1: most words end before the last digit that the shortest one would have. */
function nextRun(text: string, start: number): number {
  for (let from = start; from + SHORTEST_RUN <= text.length;) {
    let at = from + SHORTEST_RUN - 1;
    while (at >= from && digitAt(text, at) >= 0) at--;
    if (at < from) return from;
    from = at + 1;
  }
  return -1;
}

/** The numbers of a line of digits: its first byte, its offsets, its kind, and the number of its run. */
const FIELDS = 5;
const START = 1;
const END = 2;
const KIND = 3;
const OF_RUN = 4;

/** Groups of digits, and the bytes that each encodes. */
const KINDS = [
  { digits: 4, bytes: 3 },
  { digits: 8, bytes: 3 },
  { digits: 2, bytes: 1 },
] as const;
const BASE64 = 0;
const WIDE = 1;
const HEX_DIGITS = 2;

/** No rule looks across it. */
const SEPARATOR = [LF, 0, LF];

class Runs implements EncodedText {
  readonly #given: string;
  readonly #bytes: Uint8Array;
  readonly #lines: number[] = [];
  /** How many numbers of it are of lines. */
  #used = 0;
  #runs = 0;
  size = 0;
  /** The first byte of the run. */
  #start = 0;
  /** How many bytes of a character of UTF-8 are to come. */
  #pending = 0;

  constructor(given: string) {
    this.#given = given;
    // A run is longer than its bytes and a separator.
    this.#bytes = new Uint8Array(given.length);
  }

  get text(): string {
    return decoder.decode(this.#bytes.subarray(0, this.size));
  }

  rangeOf(start: number, end: number): Offsets {
    const first = this.#lineAt(start);
    const run = this.#lines[first + OF_RUN];
    let last = this.#lineAt(end - 1);
    let isAfter = false;
    for (; this.#lines[last + OF_RUN] !== run; last -= FIELDS) isAfter = true;
    return [
      this.#placeIn(first, start, 0),
      isAfter ? (this.#lines[last + END] ?? 0) : this.#placeIn(last, end - 1, 1),
    ];
  }

  /** Returns the place of the line of a byte. */
  #lineAt(byte: number): number {
    let low = 0;
    let high = this.#used / FIELDS;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#lines[middle * FIELDS] ?? 0) <= byte) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1) * FIELDS;
  }

  #placeIn(line: number, byte: number, after: number): number {
    const { digits, bytes } = KINDS[this.#lines[line + KIND] ?? 0] ?? KINDS[0];
    const groups = Math.floor((byte - (this.#lines[line] ?? 0)) / bytes) + after;
    return Math.min(
      this.#lines[line + END] ?? 0,
      (this.#lines[line + START] ?? 0) + groups * digits,
    );
  }

  #addLine(byte: number, start: number, end: number, kind: number): void {
    const at = this.#used;
    this.#lines[at] = byte;
    this.#lines[at + START] = start;
    this.#lines[at + END] = end;
    this.#lines[at + KIND] = kind;
    this.#lines[at + OF_RUN] = this.#runs;
    this.#used += FIELDS;
  }

  /** Adds a text in hex, and returns the offset after it. */
  addHex(start: number, end: number): number {
    const before = this.size;
    this.#start = before;
    this.#pending = 0;
    let at = start;
    for (; at + 1 < end; at += 2) {
      const high = hexDigit(codeAt(this.#given, at));
      if (!this.#addByte(high * 16 + hexDigit(codeAt(this.#given, at + 1)))) break;
    }
    this.#addLine(before, start, at, HEX_DIGITS);
    return this.#endRun(before) ? at : end;
  }

  /** Adds a text in Base64, and returns the offset after it. Digits may be missing before the first one. */
  addBase64(start: number, end: number): number {
    const before = this.size;
    this.#start = before;
    for (let from = start; from < start + 4; from++) {
      const last = this.#addWide(from, end);
      if (this.#endRun(before)) return last;
      const after = this.#addLines(from, end);
      if (this.#endRun(before)) return after;
    }
    // The first digits may be a byte order mark.
    const last = this.#addWide(start + 4, end);
    return this.#endRun(before) ? last : end;
  }

  /** Adds the ASCII of UTF-16 of either order of bytes, and returns the offset after it. */
  #addWide(start: number, end: number): number {
    const isSecond = start + 4 <= end && isBigEndian(this.#given, start);
    const byte = this.size;
    let at = start;
    // Eight digits are three characters.
    for (; at + 8 <= end; at += 8) {
      const bits = wideAt(this.#given, at, isSecond);
      if (bits < 0) break;
      this.#bytes[this.size++] = bits >> 16;
      this.#bytes[this.size++] = (bits >> 8) & 0xff;
      this.#bytes[this.size++] = bits & 0xff;
    }
    this.#addLine(byte, start, at, WIDE);
    return at;
  }

  /** Adds the lines of a run: each but the last one has as many digits as the first, a multiple of four. */
  #addLines(start: number, end: number): number {
    const length = end - start;
    this.#pending = 0;
    for (let from = start, to = end; ;) {
      const byte = this.size;
      const last = this.#addDigits(from, to);
      this.#addLine(byte, from, last, BASE64);
      if (last < to || to - from < length || length < SHORTEST_LINE || length % 4 > 0) return last;
      from = this.#startOfLine(to);
      to = from;
      while (to - from <= length && digitAt(this.#given, to) >= 0) to++;
      if (to === from || to - from > length) return last;
    }
  }

  /** Returns the offset after the newline and the indentation at an offset, or the same offset. */
  #startOfLine(end: number): number {
    const text = this.#given;
    let at = codeAt(text, end) === CR ? end + 1 : end;
    if (codeAt(text, at) !== LF) return end;
    at++;
    while (codeAt(text, at) === SPACE) at++;
    return at;
  }

  /** Adds the bytes of digits, and returns the offset after those that are text. */
  #addDigits(start: number, end: number): number {
    let bits = 0;
    for (let at = start; at < end; at++) {
      bits = ((bits << 6) | digitAt(this.#given, at)) & 0xffffff;
      const place = (at - start) & 3;
      if (place > 0 && !this.#addByte((bits >> (6 - 2 * place)) & 0xff)) return at - place;
    }
    return end;
  }

  /** Adds a byte of UTF-8, unless it is none of a text. */
  #addByte(byte: number): boolean {
    const pending = pendingAfter(byte, this.#pending, this.size - this.#start);
    if (pending < 0) return false;
    this.#pending = pending;
    this.#bytes[this.size++] = byte;
    return true;
  }

  /** Keeps what was added if it is long enough to be a text. */
  #endRun(before: number): boolean {
    if (this.size - before < FEWEST_BYTES) {
      this.size = before;
      while (this.#used > 0 && this.#lines[this.#used - 1] === this.#runs) this.#used -= FIELDS;
      return false;
    }
    this.#runs++;
    for (const byte of SEPARATOR) this.#bytes[this.size++] = byte;
    return true;
  }
}

const decoder = new TextDecoder('latin1');

/** The digits of Base64 and of its form for addresses; -1 for what is none. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).replace('-', '+').replace('_', '/');
  return 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(character);
});

function digitAt(text: string, at: number): number {
  const code = codeAt(text, at);
  return code < 128 ? (DIGITS[code] ?? -1) : -1;
}

/** Checks for the characters of text files, with the escape of colors. */
function isTextByte(byte: number): boolean {
  return byte >= 32 ? byte !== 127 : byte === 9 || byte === 10 || byte === 13 || byte === 27;
}
