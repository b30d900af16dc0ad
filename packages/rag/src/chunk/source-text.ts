import { isCharacterBorder, isInsidePair } from '@vizprompt/providers/internal';
import { lowerBound } from '../binary/packed-tables.ts';

/** A half-open range of UTF-16 code units. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

const BYTE_ORDER_MARK = 0xfe_ff;
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;

/** A text with its lines, which end with LF, CRLF or CR. */
export class SourceText {
  readonly text: string;
  /** The first character after a byte order mark. */
  readonly from: number;
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.text = text;
    this.from = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
    this.#starts = lineStarts(text);
  }

  /** The number of lines; an end of line at the end of the text opens no further one. */
  get lines(): number {
    return this.#starts.length;
  }

  /** Where a line starts, from 1; the end of the text for lines after it. */
  startOf(line: number): number {
    const start = this.#starts[line - 1] ?? this.text.length;
    return Math.max(start, this.from);
  }

  /** Returns the line that an offset is in, from 1. */
  lineOf(offset: number): number {
    const starts = this.#starts;
    return Math.max(
      1,
      lowerBound(starts.length, (at) => (starts[at] ?? 0) <= offset),
    );
  }

  /** Returns where an offset is in its line, from 1, in UTF-16 code units; a byte order mark does not count. */
  columnOf(offset: number): number {
    return offset - this.startOf(this.lineOf(offset)) + 1;
  }

  /**
   * Returns a range without the blank lines around it and the blanks at its end. The indent of its first
   * line stays, where the range holds it.
   */
  trim({ from, to }: TextRange): TextRange {
    const { text } = this;
    let end = to;
    while (end > from && isBlank(text.charCodeAt(end - 1))) end -= 1;
    let start = from;
    for (let at = from; at < end; at += 1) {
      const code = text.charCodeAt(at);
      if (!isBlank(code)) break;
      if (code === LINE_FEED || code === CARRIAGE_RETURN) start = at + 1;
    }
    if (start === from && !this.#isLineStart(from)) {
      while (start < end && isBlank(text.charCodeAt(start))) start += 1;
    }
    return { from: start, to: end };
  }

  #isLineStart(offset: number): boolean {
    return this.startOf(this.lineOf(offset)) === offset;
  }
}

/** Checks whether a UTF-16 code unit is white space, as `\s` has it. */
export function isBlank(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  if (code < 160) return false;
  if (code >= 0x20_00 && code <= 0x20_0a) return true;
  return RARE_BLANKS.has(code);
}

const RARE_BLANKS: ReadonlySet<number> = new Set([
  0xa0, 0x16_80, 0x20_28, 0x20_29, 0x20_2f, 0x20_5f, 0x30_00, 0xfe_ff,
]);

function lineStarts(text: string): number[] {
  const starts = [0];
  // A match for each line would cost ten times as much.
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== LINE_FEED && code !== CARRIAGE_RETURN) continue;
    if (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED) at += 1;
    starts.push(at + 1);
  }
  if (starts.length > 1 && starts.at(-1) === text.length) starts.pop();
  return starts;
}

/** A heading is part of the id of each chunk below it. No real one is longer, but a chapter over a rule is. */
const LONGEST_HEADING = 200;

/** Returns a heading or title as it is in ids; of a very long one, the first 200 characters. */
export function headingText(text: string): string {
  return firstCharacters(text, LONGEST_HEADING).trimEnd();
}

/** Returns the beginning of a text, not longer than this many UTF-16 code units. Characters stay whole. */
export function firstCharacters(text: string, longest: number): string {
  if (text.length <= longest) return text;
  let end = longest;
  while (end > 0 && !isCharacterBorder(text, end)) end -= 1;
  // Nothing but marks.
  if (end === 0) end = isInsidePair(text, longest) ? longest - 1 : longest;
  return text.slice(0, end);
}
