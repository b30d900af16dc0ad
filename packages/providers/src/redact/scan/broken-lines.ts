import { codeAt } from '../code-at.ts';

const NEWLINE = 10;
const SHORTEST_LINE = 40;
/** Widths at which programs break lines, without that of Base64, whose lines are not a sentence. */
const WIDTHS: ReadonlySet<number> = new Set([70, 72, 78, 79, 80, 100, 120, 132]);
/** A word that begins a line is read so far. */
const LONGEST_START = 60;

const OF_TOKEN = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w+/=.-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Finds the lines that were broken at a width, within a word: a key may continue in the next line. */
export class BrokenLines {
  readonly #text: string;
  /** The start of the line whose newline is checked next. */
  #start: number;
  #lastLength = -1;
  #wasBroken = false;

  /** @param from - The first newline that is asked for is the next one from here on. */
  constructor(text: string, from = 0) {
    this.#text = text;
    this.#start = from === 0 ? 0 : text.lastIndexOf('\n', from - 1) + 1;
    if (this.#start > 1) {
      this.#lastLength = this.#start - 2 - text.lastIndexOf('\n', this.#start - 2);
    }
  }

  /** Returns the place of the first newline at which a line is broken, or -1. */
  first(): number {
    const text = this.#text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      if (this.isBrokenAt(at)) return at;
    }
    return -1;
  }

  /** Checks whether a line is broken at a newline; asks for newlines in their order, without leaving out any. */
  isBrokenAt(newline: number): boolean {
    const length = newline - this.#start;
    const isBroken =
      length >= SHORTEST_LINE &&
      isToken(codeAt(this.#text, newline - 1)) &&
      isToken(codeAt(this.#text, newline + 1)) &&
      this.#isWidth(newline, length) &&
      this.#goesOn(newline);
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

  /** Checks that a line is not a key of a list of keys, and the next one no assignment. */
  #goesOn(newline: number): boolean {
    const text = this.#text;
    if (!this.#wasBroken) {
      let start = newline - 1;
      while (start >= this.#start && isToken(codeAt(text, start))) start--;
      if (start < this.#start) return false;
    }
    let end = newline + 1;
    const limit = end + LONGEST_START;
    while (end < limit && isToken(codeAt(text, end))) {
      if (codeAt(text, end) === EQUALS && isToken(codeAt(text, end + 1))) return false;
      end++;
    }
    return codeAt(text, end) !== COLON;
  }

  #hasNewline(from: number, to: number): boolean {
    const at = this.#text.indexOf('\n', from);
    return at >= 0 && at < to;
  }
}

const EQUALS = 61;
const COLON = 58;

function isToken(code: number): boolean {
  return code < 128 && OF_TOKEN[code] === 1;
}
