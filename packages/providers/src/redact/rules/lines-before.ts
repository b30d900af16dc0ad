import type { Offsets } from '../redaction-rule.ts';

const LINE_OF_KEY = /^[\s>|:#*"'`,+\\/-]{0,12}[A-Za-z0-9+/]{1,100}={0,2}[\s"'`,+\\]{0,6}$/;
const LONGEST_LINE = 120;
const MOST_LINES = 400;

/** Returns the lines of Base64 before the end line of a key, of which one is as long as programs break lines. */
export function linesBefore(text: string, keyword: number): Offsets | undefined {
  let start = text.lastIndexOf('\n', keyword) + 1;
  const end = start;
  let longest = 0;
  for (let count = 0; start > 0 && count < MOST_LINES; count++) {
    const from = Math.max(text.lastIndexOf('\n', start - 2) + 1, start - LONGEST_LINE);
    const line = text.slice(from, start - 1);
    if (!LINE_OF_KEY.test(line)) break;
    longest = Math.max(longest, line.length);
    start = from;
    if (from > 0 && text.charAt(from - 1) !== '\n') break;
  }
  return longest >= 40 ? [start, end] : undefined;
}
