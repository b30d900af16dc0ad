import type { Offsets } from '../redaction-rule.ts';

/** Characters between the beginning of a line and the end line of a key. */
const MARGIN = /^[\s>|:#*"'`,+\\/\d→-]{0,24}$/;
const LINE_OF_KEY = /^[\s>|:#*"'`,+\\/-]{0,12}[A-Za-z0-9+/]{1,100}={0,2}[\s"'`,+\\]{0,6}$/;
const LONGEST_LINE = 120;
const MOST_LINES = 400;

/**
 * Returns the lines of Base64 before the end line of a key, of which one is as long as programs break lines. No line is
 * read for two end lines, as an end line is none of Base64.
 */
export function linesBefore(text: string, keyword: number): Offsets | undefined {
  let start = startOfLine(text, keyword);
  if (isCut(text, start) || !MARGIN.test(text.slice(start, keyword))) return undefined;
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
