/** What stands between two offsets of a text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The first group is there in what ends a part, the second in a tag that is both. */
const TAG = /<(\/)?private(?:\s[^<>]{0,500}?)?(\/)?>/gi;

/**
 * The parts between `<private>` and its matching end, which no pattern can find: a part may hold others.
 * Without an end a part goes to the end of the text.
 */
export function privateParts(text: string): readonly Span[] {
  if (!text.includes('<')) return [];
  const parts: Span[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: tag, 1: ends, 2: isBoth, index } of text.matchAll(TAG)) {
    if (ends === undefined && isBoth === undefined) {
      if (depth === 0) start = index + tag.length;
      depth++;
    } else if (ends !== undefined && depth > 0) {
      depth--;
      if (depth === 0) parts.push({ start, end: index });
    }
  }
  if (depth > 0) parts.push({ start, end: text.length });
  return parts;
}
