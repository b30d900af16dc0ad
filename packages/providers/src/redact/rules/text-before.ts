import { codeAt } from '../code-at.ts';
import { heldTexts, type Offsets } from '../redaction-rule.ts';

/** Matches are looked for that begin in this much of a text, and these are shorter. */
const BLOCK = 512;
const LONGEST_MATCH = 40;

/** Checks for ascending places of a text whether a pattern matches shortly before them, reading the text once. */
export class LastBefore {
  readonly #pattern: RegExp;
  readonly #distance: number;
  readonly #forget = (): void => {
    this.#text = '';
  };
  #text = '';
  #place = 0;
  /** Where the last match before the place begins that was looked for. */
  #last = -1;
  /** Where the next one begins, or -1. */
  #next = -1;
  /** No other one begins before. */
  #read = 0;

  /**
   * @param pattern - Matches what is shorter than 40 characters.
   * @param distance - How far before a place a match may begin.
   */
  constructor(pattern: RegExp, distance: number) {
    this.#pattern = new RegExp(pattern, `${pattern.flags}g`);
    this.#distance = distance;
  }

  /** Checks whether a match begins in the characters before a place. */
  isBefore(text: string, place: number): boolean {
    if (place < this.#place || text !== this.#text) {
      if (this.#text === '') heldTexts.add(this.#forget);
      this.#text = text;
      this.#last = -1;
      this.#next = -1;
      this.#read = 0;
    }
    this.#place = place;
    const least = Math.max(0, place - this.#distance);
    while (this.#last < least) {
      if (this.#next < 0 && this.#read < place) this.#search(Math.max(least, this.#read));
      else if (this.#next < 0 || this.#next >= place) return false;
      else {
        this.#last = this.#next;
        this.#next = -1;
      }
    }
    return true;
  }

  #search(from: number): void {
    // The characters before and after a match say whether it begins and ends a word.
    const start = Math.max(0, from - 1);
    const pattern = this.#pattern;
    pattern.lastIndex = from - start;
    const match = pattern.exec(this.#text.slice(start, from + BLOCK + LONGEST_MATCH));
    const at = match ? start + match.index : from + BLOCK;
    this.#next = at < from + BLOCK ? at : -1;
    this.#read = Math.min(at + 1, from + BLOCK);
  }
}

/** This much of a line is looked at before an option. */
const DISTANCE = 160;

/** An argument between quotes, which are escaped in a text of JSON. */
const QUOTED = /(?<=[\s=])\\?(?:"[^"]*"|'[^']*')(?=\s|$)/g;

/**
 * Returns the command that an option belongs to, as far as it is near: from the last sign of a shell on.
 * `&` is one if it is doubled or has white space after it, and is not between quotes: addresses have it, too.
 */
export function commandBefore(text: string, place: number): string {
  const line = text.slice(startOfCommand(text, place), place);
  if (!line.includes('&')) return line;
  const bare = line.replace(QUOTED, (quoted) => quoted.replaceAll('&', '+'));
  return bare.slice(lastOf(bare, /&(?:[&\s]|$)/g));
}

/** The last answer: options of one command follow each other. */
let readText = '';
let readPlace = 0;
let readStart = 0;

function startOfCommand(text: string, place: number): number {
  const least = Math.max(0, place - DISTANCE);
  const isLater = text === readText && place >= readPlace && readPlace >= least;
  const read = isLater ? readPlace : least;
  let start = place;
  while (start > read && !isEnd(codeAt(text, start - 1))) start--;
  if (isLater && start === read) start = Math.max(least, readStart);
  if (readText === '') heldTexts.add(forget);
  readText = text;
  readPlace = place;
  readStart = start;
  return start;
}

function forget(): void {
  readText = '';
}

/** Checks for `\n`, `;` and `|`. */
function isEnd(code: number): boolean {
  return code === 10 || code === 59 || code === 124;
}

/** Returns where the last match of a pattern ends, or 0. */
function lastOf(text: string, pattern: RegExp): number {
  let end = 0;
  for (const { index, 0: match } of text.matchAll(pattern)) end = index + match.length;
  return end;
}

/** Characters between the beginning of a line and the end line of a key. */
const MARGIN_OF_LINE = /^[\s>|:#*"'`,+\\/\d→-]{0,24}$/;
const LINE_OF_KEY = /^[\s>|:#*"'`,+\\/-]{0,12}[A-Za-z0-9+/]{1,100}={0,2}[\s"'`,+\\]{0,6}$/;
const LONGEST_LINE = 120;
const MOST_LINES = 400;

/**
 * Returns the lines of Base64 before the end line of a key, of which one is as long as programs break lines. No line is
 * read for two end lines, as an end line is none of Base64.
 */
export function linesBefore(text: string, keyword: number): Offsets | undefined {
  let start = startOfLine(text, keyword);
  if (isCut(text, start) || !MARGIN_OF_LINE.test(text.slice(start, keyword))) return undefined;
  const end = start;
  let longest = 0;
  for (let count = 0; start > 0 && count < MOST_LINES; count++) {
    const from = startOfLine(text, start - 1);
    const line = text.slice(from, start - 1);
    if (!LINE_OF_KEY.test(line)) break;
    longest = Math.max(longest, line.length);
    start = from;
    if (isCut(text, from)) break;
  }
  return longest >= 40 ? [start, end] : undefined;
}

/** Returns where the line before a place begins, or as much before it as a line is long. */
function startOfLine(text: string, end: number): number {
  const from = Math.max(0, end - LONGEST_LINE);
  return from + text.slice(from, end).lastIndexOf('\n') + 1;
}

/** Checks whether a line begins before a place. */
function isCut(text: string, start: number): boolean {
  return start > 0 && text.charAt(start - 1) !== '\n';
}
