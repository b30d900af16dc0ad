/** Something that was found in a text. */
export interface SnippetHit {
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  /** Which part of the query it belongs to. */
  readonly group: number;
}

/** A piece of a text around what was found in it. */
export interface Snippet {
  /** A verbatim piece of the text. */
  readonly text: string;
  /** UTF-16 offset of the piece in the text. */
  readonly start: number;
  /** The ranges to highlight: offsets into the piece, in order and apart from each other. */
  readonly highlights: readonly (readonly [start: number, end: number])[];
}

/** Options of {@link cutSnippet}. */
export interface CutSnippetOptions {
  /** UTF-16 code units at most. Default: 240. */
  readonly maxLength?: number | undefined;
  /** Text before it is never shown. Default: 0. */
  readonly from?: number | undefined;
  /** How telling each group is. Default: all alike. */
  readonly weights?: readonly number[] | undefined;
}

type Window = readonly [first: SnippetHit, last: SnippetHit];

/** After these a snippet begins well. */
const BORDER = /[。．！？!?」』\n]\s*/g;

/**
 * Cuts out the piece of a text in which the most informative groups are together, and marks all matches
 * found there. Without a hit it is the beginning of the text.
 *
 * @param hits - In the order of their starts.
 *
 * @example
 * ```ts
 * const { text, highlights } = cutSnippet(chapter, [{ start: 1203, end: 1205, group: 0 }]);
 * ```
 */
export function cutSnippet(
  text: string,
  hits: readonly SnippetHit[],
  { maxLength = 240, from = 0, weights }: CutSnippetOptions = {},
): Snippet {
  const shown = hits.filter(({ start }) => start >= from);
  const best = densest(shown, maxLength, weights);
  const start = best ? startFor(text, from, best, maxLength) : from;
  let end = whole(text, Math.min(text.length, start + maxLength));
  while (end > start && /\s/.test(text.charAt(end - 1))) end--;
  const highlights: [number, number][] = [];
  for (const hit of shown) {
    if (hit.start < start || hit.end > end) continue;
    const last = highlights.at(-1);
    if (last && hit.start - start <= last[1]) last[1] = Math.max(last[1], hit.end - start);
    else highlights.push([hit.start - start, hit.end - start]);
  }
  return { text: text.slice(start, end), start, highlights };
}

/** Returns the window with the most telling groups, then the most hits; the first of equals. */
function densest(
  hits: readonly SnippetHit[],
  maxLength: number,
  weights: readonly number[] | undefined,
): Window | undefined {
  const weightOf = (group: number): number => (weights ? (weights[group] ?? 0) : 1);
  const counts = new Map<number, number>();
  let best: Window | undefined;
  let bestScore = 0;
  let score = 0;
  let first = 0;
  for (const [index, last] of hits.entries()) {
    const count = counts.get(last.group) ?? 0;
    counts.set(last.group, count + 1);
    if (count === 0) score += weightOf(last.group);
    for (let head = hits[first]; head && last.end - head.start > maxLength;) {
      const left = (counts.get(head.group) ?? 1) - 1;
      counts.set(head.group, left);
      if (left === 0) score -= weightOf(head.group);
      head = hits[++first];
    }
    const head = hits[first];
    const total = score + (index - first) * 1e-6;
    if (!head || total <= bestScore) continue;
    best = [head, last];
    bestScore = total;
  }
  return best;
}

/** Puts the hits in the middle, or the beginning after the end of a sentence if one is near. */
function startFor(text: string, from: number, [first, last]: Window, maxLength: number): number {
  const room = Math.max(0, maxLength - (last.end - first.start));
  const latest = Math.max(from, text.length - maxLength);
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
