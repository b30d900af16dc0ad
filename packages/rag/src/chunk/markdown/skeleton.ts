import type { SourceText } from '../source-text.ts';

/** Indents and the markers of quotes, lists and rules. */
const PREFIX = /^[\s>*+\-\d.)_]*/;
/** What can open, end or divide a block. */
const STRUCTURAL = /^[#:=`~[<]|[>|]/;
const LONGEST_PREFIX = 200;
const LONGEST_LINE = 2000;

/**
 * The same blocks on the same lines, with next to no text: where a line's text cannot matter to the
 * structure, one letter stands for it. The parser works character by character, and this is what
 * makes it fast on novels. Very long lines and prefixes are cut off, since the time of the parser
 * grows faster than their length.
 */
export function skeletonOf(source: SourceText): string {
  const lines: string[] = [];
  // The target and the title of a link's definition may stand on the lines after it.
  let isDefinition = false;
  for (let line = 1; line <= source.lines; line += 1) {
    const from = source.startOf(line);
    const to = Math.min(source.startOf(line + 1), from + LONGEST_LINE);
    const body = source.text.slice(from, to).replace(/[\r\n]+$/, '');
    const prefix = PREFIX.exec(body)?.[0] ?? '';
    const rest = body.slice(prefix.length);
    isDefinition = rest.startsWith('[') || (isDefinition && rest !== '');
    const isKept = rest === '' || isDefinition || STRUCTURAL.test(rest);
    if (prefix.length > LONGEST_PREFIX) lines.push(`${prefix.slice(0, LONGEST_PREFIX)}x`);
    else lines.push(isKept ? body : `${prefix}x`);
  }
  return lines.join('\n');
}
