import { codeAt } from '../code-at.ts';
import type { Offsets } from '../redaction-rule.ts';
import { isJoinedWords, isMixed } from '../rules/judge.ts';
import { LONGEST_VALUE } from '../rules/assigned-name.ts';
import { IN_RUN } from './keyed-rule.ts';

const NEWLINE = 10;
const RETURN = 13;
const SHORTEST_LINE = 40;
/** Widths at which programs break lines, without that of Base64, whose lines are not a sentence. */
const WIDTHS: ReadonlySet<number> = new Set([70, 72, 78, 79, 80, 100, 120, 132]);
/** A word that begins a line is read so far. */
const LONGEST_START = 60;

const OF_TOKEN = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w+/=.-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Finds the lines that were broken at a width, within a word: a key may continue in the next line. */
class BrokenLines {
  readonly #text: string;
  /** The start of the line whose newline is checked next. */
  #start = 0;
  #lastLength = -1;
  #wasBroken = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Checks whether a line is broken at a newline; asks for newlines in their order, without leaving out any. */
  isBrokenAt(newline: number): boolean {
    const text = this.#text;
    const length = newline - this.#start;
    const isBroken =
      length >= SHORTEST_LINE &&
      isToken(codeAt(text, newline - 1)) &&
      isToken(codeAt(text, newline + 1)) &&
      this.#isWidth(newline, length) &&
      (this.#wasBroken || startOfWord(text, this.#start, newline) > this.#start) &&
      !isNameAt(text, newline + 1) &&
      !isSameStart(text, this.#start, newline + 1);
    this.#start = newline + 1;
    this.#lastLength = length;
    this.#wasBroken = isBroken;
    return isBroken;
  }

  #isWidth(newline: number, length: number): boolean {
    if (length === this.#lastLength || WIDTHS.has(length)) return true;
    const next = newline + 1 + length;
    return codeAt(this.#text, next) === NEWLINE && !this.#hasNewline(newline + 1, next);
  }

  #hasNewline(from: number, to: number): boolean {
    const at = this.#text.indexOf('\n', from);
    return at >= 0 && at < to;
  }
}

/**
 * Returns the newlines at which lines are broken at a width, and those of lines of any width between what looks like
 * parts of a key. As they may be no breaks, keys are looked for also without joining these lines.
 */
export function breaksInKeys(text: string): Breaks {
  const all = new Set<number>();
  const atWidth = new Set<number>();
  const lines = new BrokenLines(text);
  let start = 0;
  let lastLength = -1;
  let wasBroken = false;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    const end = endOfLine(text, at);
    wasBroken =
      end - start >= SHORTEST_LINE &&
      isToken(codeAt(text, end - 1)) &&
      isToken(codeAt(text, at + 1)) &&
      (isInKey(text, start, at, wasBroken) ||
        (end < at && isAtWidth(text, start, at, lastLength, wasBroken)));
    if (lines.isBrokenAt(at)) atWidth.add(at);
    if (wasBroken || atWidth.has(at)) all.add(at);
    lastLength = end - start;
    start = at + 1;
  }
  return { all, atWidth };
}

/** Newlines at which lines may be broken, in their order. */
export interface Breaks {
  readonly all: ReadonlySet<number>;
  /** Those at a width, without those of Windows. */
  readonly atWidth: ReadonlySet<number>;
}

/** The reach of rules before and after a break, without a run of characters at it: of the longest value of a name. */
const AROUND = LONGEST_VALUE;
/** A secret that is found so near to the edge of a part may be none in the whole text. */
export const EDGE = 300;

/** Returns the parts of a text that are near breaks, for which ascending places are given. */
export function partsAround(text: string, places: readonly number[]): readonly Offsets[] {
  const parts: [start: number, end: number][] = [];
  let last: [start: number, end: number] | undefined;
  for (const place of places) {
    if (last && place < last[1] - AROUND - EDGE) continue;
    const end = Math.min(text.length, endOfRun(text, place + AROUND) + EDGE);
    const start = Math.max(0, startOfRun(text, place - AROUND) - EDGE);
    if (last && start <= last[1]) last[1] = end;
    else parts.push((last = [start, end]));
  }
  return parts;
}

function endOfRun(text: string, from: number): number {
  let at = from;
  while (isInRun(codeAt(text, at))) at++;
  return at;
}

function startOfRun(text: string, from: number): number {
  let at = from;
  while (isInRun(codeAt(text, at - 1))) at--;
  return at;
}

function isInRun(code: number): boolean {
  return code < 128 && IN_RUN[code] === 1;
}

/** Returns the place after a line that a newline ends. */
export function endOfLine(text: string, newline: number): number {
  return codeAt(text, newline - 1) === RETURN ? newline - 1 : newline;
}

/** Checks for parts of a key on both sides. The second one is all of its line, but for what closes a value. */
function isInKey(text: string, start: number, newline: number, isSecond: boolean): boolean {
  const last = endOfLine(text, newline);
  const limit = newline + 1 + LONGEST_START;
  let end = newline + 1;
  while (end < limit && isToken(codeAt(text, end))) end++;
  if (!/^["'`]?[,;)\]}]{0,3}(?:\r?\n|$)/.test(text.slice(end, end + 8))) return false;
  const word = startOfWord(text, Math.max(start, last - LONGEST_START), last);
  const part = word + text.slice(word, last - 2).lastIndexOf('=') + 1;
  // A key that is all of its line is one of a list.
  return (
    (isSecond || part > start) &&
    !isNameAt(text, newline + 1) &&
    isPartOfKey(text.slice(part, last)) &&
    isPartOfKey(text.slice(newline + 1, end))
  );
}

/** Checks whether a line of Windows is broken at a width, and no word begins the next one. */
function isAtWidth(
  text: string,
  start: number,
  newline: number,
  lastLength: number,
  isSecond: boolean,
): boolean {
  const end = newline - 1;
  const length = end - start;
  const next = newline + 1;
  const isWidth =
    length === lastLength ||
    WIDTHS.has(length) ||
    text.slice(next, next + length + 2).indexOf('\r\n') === length;
  if (!isWidth || isNameAt(text, next)) return false;
  let after = next;
  while (after < next + LONGEST_START && isToken(codeAt(text, after))) after++;
  const part = text.slice(next, after);
  return (
    /[\dA-Za-z]/.test(part) &&
    !isOfWords(part) &&
    (isSecond || startOfWord(text, start, end) > start)
  );
}

/** Lines of a list begin with the same characters, and those of one text do not. */
const SAME_START = 6;
const SHORTEST_START = 3;

function isSameStart(text: string, line: number, next: number): boolean {
  // The last line may be cut off.
  const length = Math.min(SAME_START, Math.max(text.length - next, SHORTEST_START));
  for (let at = 0; at < length; at++) {
    if (codeAt(text, line + at) !== codeAt(text, next + at)) return false;
  }
  return true;
}

/** Returns the start of the word that ends at a place. */
function startOfWord(text: string, limit: number, end: number): number {
  let at = end;
  while (at > limit && isToken(codeAt(text, at - 1))) at--;
  return at;
}

/** Checks for an assignment, or a name with a colon. */
function isNameAt(text: string, start: number): boolean {
  const limit = start + LONGEST_START;
  let end = start;
  for (; end < limit && isToken(codeAt(text, end)); end++)
    if (codeAt(text, end) === EQUALS && isToken(codeAt(text, end + 1))) return true;
  return codeAt(text, end) === COLON;
}

const EQUALS = 61;
const COLON = 58;

/** Checks for a digit and letters of both cases, which are no words: `Version2Beta`. */
function isPartOfKey(part: string): boolean {
  return part.length >= 4 && isMixed(part) && !isOfWords(part) && !isJoinedWords(part);
}

/** Checks whether most of a text is words of letters, each with a capital at its start at most. */
function isOfWords(text: string): boolean {
  const words = text.match(/[A-Z]?[a-z]{3,}|[A-Z]{3,}(?![a-z])/g) ?? [];
  return words.join('').length * 2 > text.length;
}

function isToken(code: number): boolean {
  return code < 128 && OF_TOKEN[code] === 1;
}
