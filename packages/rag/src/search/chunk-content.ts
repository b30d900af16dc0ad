import type { SnippetHit } from '@vizprompt/providers';
import { NumberTable } from '../binary/number-table.ts';
import { unitsOf } from '../rank/fold-units.ts';
import type { RankedChunk } from '../rank/rerank.ts';
import type { ResolvedGroup } from './resolve-terms.ts';

/** For the place of each term the group of the query it belongs to. */
export type GroupsByTerm = Pick<NumberTable, 'get'>;

/** Which terms of a part belong to which group; to the strongest, if several ask for it. */
export function groupsByTerm(groups: readonly ResolvedGroup[], part: number): GroupsByTerm {
  const asked: { readonly place: number; readonly factor: number; readonly group: number }[] = [];
  for (const [group, { terms }] of groups.entries()) {
    for (const { isTitle, places, factor } of terms) {
      const place = places[part] ?? -1;
      if (!isTitle && place >= 0) asked.push({ place, factor, group });
    }
  }
  const byTerm = new Map<number, number>();
  for (const { place, group } of asked.toSorted((a, b) => b.factor - a.factor)) {
    if (!byTerm.has(place)) byTerm.set(place, group);
  }
  return new NumberTable(byTerm);
}

/** The text of a chunk, and which of its words a query asks for. */
export interface ChunkContent {
  readonly text: string;
  /** Where its own text begins; what stands before repeats the chunk before. */
  readonly from: number;
  /** For each content word the group it belongs to, or -1. */
  readonly hits: Int16Array;
  /** Where each content word ends in `text`. */
  readonly ends: Uint32Array;
  readonly found: readonly SnippetHit[];
}

/** A content word of a chunk, with the places of its terms. */
export interface NumberedWord {
  readonly start: number;
  readonly end: number;
  readonly terms: readonly number[];
}

/** Marks the words of a text that a query asks for. */
export function contentOf(
  text: string,
  from: number,
  words: readonly NumberedWord[],
  groups: GroupsByTerm,
): ChunkContent {
  const hits = new Int16Array(words.length);
  const ends = Uint32Array.from(words, ({ end }) => end);
  const found: SnippetHit[] = [];
  for (const [at, { start, end, terms }] of words.entries()) {
    const term = terms.find((number) => groups.get(number) >= 0);
    const group = term === undefined ? -1 : groups.get(term);
    hits[at] = group;
    if (group >= 0) found.push({ start, end, group });
  }
  return { text, from, hits, ends, found };
}

/** What ranking needs of a chunk. */
export function rankedChunk({ text, from, hits, ends }: ChunkContent): RankedChunk {
  return { hits, ends: ends.map((end) => end - from), units: unitsOf(text.slice(from)) };
}
