import type { HitSnippet } from '../backends/search-backend.ts';

/** UTF-16 code units of a snippet at most. */
const MAX_LENGTH = 240;
/** After these a snippet begins well. */
const BORDER = /[。．！？!?」』\n]\s*/g;

/** A word of a text that the query asks for. */
export interface FoundWord {
  readonly start: number;
  readonly end: number;
  readonly group: number;
}

/**
 * The piece of a text in which the most telling words of a query stand together, with these words
 * marked. Without any it is the beginning.
 *
 * @param from - What lies before is never shown.
 * @param groups - How telling each group is.
 */
export function chooseSnippet(
  text: string,
  from: number,
  found: readonly FoundWord[],
  groups: readonly number[],
): HitSnippet {
  const words = found.filter(({ start }) => start >= from);
  const best = densest(words, groups);
  const start = best ? startFor(text, from, best) : from;
  let end = whole(text, Math.min(text.length, start + MAX_LENGTH));
  while (end > start && /\s/.test(text.charAt(end - 1))) end--;
  const highlights: [number, number][] = [];
  for (const word of words) {
    if (word.start < start || word.end > end) continue;
    const last = highlights.at(-1);
    if (last && word.start - start <= last[1]) last[1] = Math.max(last[1], word.end - start);
    else highlights.push([word.start - start, word.end - start]);
  }
  return { text: text.slice(start, end), highlights };
}

/** The first and the last word of the best window. */
function densest(
  words: readonly FoundWord[],
  groups: readonly number[],
): readonly [FoundWord, FoundWord] | undefined {
  const counts = new Map<number, number>();
  let best: readonly [FoundWord, FoundWord] | undefined;
  let bestScore = 0;
  let score = 0;
  let first = 0;
  for (const [index, last] of words.entries()) {
    const count = counts.get(last.group) ?? 0;
    counts.set(last.group, count + 1);
    if (count === 0) score += groups[last.group] ?? 0;
    for (let head = words[first]; head && last.end - head.start > MAX_LENGTH;) {
      const left = (counts.get(head.group) ?? 1) - 1;
      counts.set(head.group, left);
      if (left === 0) score -= groups[head.group] ?? 0;
      head = words[++first];
    }
    const head = words[first];
    // Of windows with the same words the one with more of them.
    const total = score + (index - first) * 1e-6;
    if (!head || total <= bestScore) continue;
    best = [head, last];
    bestScore = total;
  }
  return best;
}

/** Puts the words in the middle, or the beginning after the end of a sentence if one is near. */
function startFor(
  text: string,
  from: number,
  [first, last]: readonly [FoundWord, FoundWord],
): number {
  const room = Math.max(0, MAX_LENGTH - (last.end - first.start));
  const latest = Math.max(from, text.length - MAX_LENGTH);
  const earliest = Math.max(from, first.start - room);
  const centered = Math.max(from, Math.min(first.start - Math.floor(room / 2), latest));
  if (earliest === from && first.start - from <= room / 2) return from;
  const borders = [...text.slice(earliest, first.start).matchAll(BORDER)];
  const border = borders.map(({ 0: mark, index }) => earliest + index + mark.length).at(-1);
  return whole(text, border !== undefined && border <= latest ? border : centered);
}

/** Never between the two halves of a character. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  const isSplit = code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return isSplit ? at - 1 : at;
}
