import { codeAt } from '../code-at.ts';

/** Where a cell is. */
export type Cell = readonly [start: number, end: number];

/** A cell without the spaces, quotes and emphasis around its text. */
export interface Value {
  readonly value: string;
  readonly start: number;
}

const DOUBLE = 34;
const SINGLE = 39;

/** Splits a row into its cells: a separator between quotes is part of a value. */
export function cellsOf(
  text: string,
  start: number,
  end: number,
  separator: number,
): readonly Cell[] {
  const cells: Cell[] = [];
  let from = start;
  let quote = -1;
  for (let at = start; at < end; at++) {
    const code = codeAt(text, at);
    if (quote >= 0) {
      if (code === quote) quote = -1;
    } else if (code === separator) {
      cells.push([from, at]);
      from = at + 1;
    } else if ((code === DOUBLE || code === SINGLE) && isBeforeValue(text, from, at)) quote = code;
  }
  cells.push([from, end]);
  return cells;
}

/** At most as much is before the quote of a value. */
const LONGEST_MARGIN = 40;

/** Checks for white space and the `N` of SQL only. */
function isBeforeValue(text: string, from: number, to: number): boolean {
  const end = Math.min(to, from + LONGEST_MARGIN);
  let at = from;
  while (at < end && isSpace(codeAt(text, at))) at++;
  return at === end || (at === end - 1 && codeAt(text, at) === LETTER_N);
}

const LETTER_N = 78;

export function valueOf(text: string, [from, to]: Cell): Value {
  let start = from;
  while (start < to && isAround(codeAt(text, start))) start++;
  // The end of a text in JSON may follow the last cell.
  let end = to;
  while (end > from && end > to - LONGEST_CLOSE && isClose(codeAt(text, end - 1))) end--;
  const quote = end < to ? codeAt(text, end - 1) : -1;
  end = end > from && (quote === DOUBLE || quote === SINGLE) ? end - 1 : to;
  while (end > start && isAround(codeAt(text, end - 1))) end--;
  return { value: text.slice(start, Math.max(start, end)), start };
}

const LONGEST_CLOSE = 4;

/** Checks for white space, quotes and emphasis. */
function isAround(code: number): boolean {
  return isQuoteOrStar(code) || isSpace(code);
}

/** Checks for `]`, `)` and `}`. */
function isClose(code: number): boolean {
  return code === 93 || code === 41 || code === 125;
}

/** Checks for white space. */
export function isSpace(code: number): boolean {
  return code < 128 ? code === 32 || (code >= 9 && code <= 13) : isWideSpace(code);
}

function isWideSpace(code: number): boolean {
  return code < 65_536 && /\s/.test(String.fromCharCode(code));
}

/** Checks for a letter and `_`. */
export function isLetter(code: number): boolean {
  const folded = code | 32;
  return (folded >= 97 && folded <= 122) || code === 95;
}

/** Checks for `"`, `'`, `` ` `` and `*`. */
export function isQuoteOrStar(code: number): boolean {
  return code === DOUBLE || code === SINGLE || code === 96 || code === 42;
}

/** Checks for a letter and a digit of ASCII. */
export function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (isLetter(code) && code !== 95);
}

const PACKAGE = /^[a-z][a-z\d.+-]*$/;
const VERSION = /^(?!\d+(?:\.\d+){3}$)\d+[.:]\d[\w.:+~-]*$/;

/** Checks for a name in a list of packages, which has its version after it: `passwd`, `1:4.13`. */
export function isPackage(name: string, next = ''): boolean {
  return PACKAGE.test(name) && VERSION.test(next);
}
