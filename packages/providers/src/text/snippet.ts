import { parseQuery, type QueryGroup } from './parse-query.ts';
import type { TextAnalyzer } from './text-analyzer.ts';

/** A piece of the original text around what a query found. */
export interface Snippet {
  /** A verbatim piece of the text. */
  readonly text: string;
  /** UTF-16 offset of the piece in the text. */
  readonly start: number;
  /** What to highlight: offsets into the piece, in order and apart from each other. */
  readonly highlights: readonly (readonly [start: number, end: number])[];
}

/** Options of {@link snippetOf}. */
export interface SnippetOptions {
  /** UTF-16 code units at most. Default: 240. */
  readonly maxLength?: number;
}

interface Hit {
  readonly start: number;
  readonly end: number;
  readonly group: number;
}

/**
 * Cuts out the piece of a text in which most groups of a query are found, and then most of their
 * terms. Without a hit it is the beginning of the text.
 */
export function snippetOf(
  text: string,
  query: string,
  analyzer: TextAnalyzer,
  { maxLength = 240 }: SnippetOptions = {},
): Snippet {
  const groups = parseQuery(query, analyzer);
  const found = findHits(text, groups, analyzer);
  const telling = touchingStrong(found, groups);
  const hits = telling.length > 0 ? telling : found;
  const best = densest(hits, maxLength);
  const start = best ? startFor(text, best, maxLength) : 0;
  const end = wholeCharacters(text, Math.min(text.length, start + maxLength));
  const inside = hits.filter((hit) => hit.start >= start && hit.end <= end);
  return { text: text.slice(start, end), start, highlights: merge(inside, start) };
}

function findHits(text: string, groups: readonly QueryGroup[], analyzer: TextAnalyzer): Hit[] {
  const exact = new Map<string, number>();
  const prefixes: [string, number][] = [];
  for (const [group, { terms }] of groups.entries()) {
    for (const term of terms) {
      if (term.isPrefix) prefixes.push([term.text, group]);
      else if (!exact.has(term.text)) exact.set(term.text, group);
    }
  }
  const hits: Hit[] = [];
  for (const { text: term, start, end } of analyzer.analyze(text, 'index')) {
    const group = exact.get(term) ?? prefixes.find(([prefix]) => term.startsWith(prefix))?.[1];
    if (group !== undefined) hits.push({ start, end, group });
  }
  return hits.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** The hits of strong groups, and of weak ones (endings, particles) only where they overlap these. */
function touchingStrong(hits: readonly Hit[], groups: readonly QueryGroup[]): Hit[] {
  const runs: { hits: Hit[]; end: number; isStrong: boolean }[] = [];
  for (const hit of hits) {
    const isStrong = groups[hit.group]?.isWeak !== true;
    const run = runs.at(-1);
    if (run && hit.start < run.end) {
      run.hits.push(hit);
      run.end = Math.max(run.end, hit.end);
      run.isStrong ||= isStrong;
    } else {
      runs.push({ hits: [hit], end: hit.end, isStrong });
    }
  }
  return runs.filter(({ isStrong }) => isStrong).flatMap((run) => run.hits);
}

/** The window over the hits with the most groups, then the most hits; the first of equals. */
function densest(hits: readonly Hit[], maxLength: number): readonly [Hit, Hit] | undefined {
  const counts = new Map<number, number>();
  let best: readonly [Hit, Hit] | undefined;
  let bestScore = 0;
  let first = 0;
  for (const [index, last] of hits.entries()) {
    counts.set(last.group, (counts.get(last.group) ?? 0) + 1);
    for (let head = hits[first]; head && last.end - head.start > maxLength; head = hits[first]) {
      const left = (counts.get(head.group) ?? 0) - 1;
      if (left > 0) counts.set(head.group, left);
      else counts.delete(head.group);
      first++;
    }
    const head = hits[first];
    const score = counts.size * 1000 + (index - first);
    if (!head || score <= bestScore) continue;
    best = [head, last];
    bestScore = score;
  }
  return best;
}

/** Puts the hits in the middle, and the beginning at the end of a sentence or line if one is near. */
function startFor(text: string, [first, last]: readonly [Hit, Hit], maxLength: number): number {
  const room = Math.max(0, maxLength - (last.end - first.start));
  const latest = Math.max(0, text.length - maxLength);
  const earliest = Math.max(0, first.start - room);
  const centered = Math.max(0, Math.min(first.start - Math.floor(room / 2), latest));
  const borders = [...text.slice(earliest, first.start).matchAll(/[。．！？!?\n]\s*/g)];
  const border = borders.map(({ 0: mark, index }) => earliest + index + mark.length).at(-1);
  return wholeCharacters(text, border !== undefined && border <= latest ? border : centered);
}

/** Never between the two halves of a character. */
function wholeCharacters(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const isSecondHalf = code >= 0xdc00 && code <= 0xdfff && at > 0;
  return isSecondHalf ? at - 1 : at;
}

function merge(hits: readonly Hit[], offset: number): (readonly [number, number])[] {
  const merged: [number, number][] = [];
  for (const hit of hits) {
    const last = merged.at(-1);
    if (last && hit.start - offset <= last[1]) last[1] = Math.max(last[1], hit.end - offset);
    else merged.push([hit.start - offset, hit.end - offset]);
  }
  return merged;
}
