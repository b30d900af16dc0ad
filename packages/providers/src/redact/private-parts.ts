import { codeAt } from './code-at.ts';
import type { Offsets } from './redaction-rule.ts';

const TAG = /<\/?private(?:\s[^<>]{0,500}?)?\/?>/iy;

/**
 * The parts between `<private>` and its matching end, which no pattern can find: a part may hold others.
 * Without an end a part goes to the end of the text.
 */
export function privateParts(text: string): readonly Offsets[] {
  if (!text.includes('<')) return [];
  const parts: Offsets[] = [];
  let depth = 0;
  let start = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const isEnd = codeAt(text, at + 1) === SLASH;
    const tagEnd = endOfTag(text, at, isEnd ? at + 2 : at + 1);
    if (tagEnd < 0) continue;
    if (isEnd) {
      if (depth === 0) continue;
      depth--;
      if (depth === 0) parts.push([start, at]);
    } else if (codeAt(text, tagEnd - 2) !== SLASH) {
      if (depth === 0) start = tagEnd;
      depth++;
    }
  }
  if (depth > 0) parts.push([start, text.length]);
  return parts;
}

const SLASH = 47;
const GREATER = 62;
const NAME = 'private';

/** Returns the place after a tag that begins at `<`, or -1 if it is none. */
function endOfTag(text: string, start: number, name: number): number {
  // Most texts have many other tags, and most of these have no attributes.
  for (let at = 0; at < NAME.length; at++) {
    if ((codeAt(text, name + at) | 32) !== NAME.charCodeAt(at)) return -1;
  }
  const end = name + NAME.length;
  if (codeAt(text, end) === GREATER) return end + 1;
  TAG.lastIndex = start;
  return TAG.test(text) ? TAG.lastIndex : -1;
}
