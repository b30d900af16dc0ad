import type { ChunkContent, GroupsByTerm } from './chunk-index.ts';
import type { SnippetHit } from '@vizprompt/providers';
import { NumberTable } from '../binary/number-table.ts';
import { unitsOf } from '../rank/normalize-chars.ts';
import type { RankedChunk } from '../rank/rerank.ts';
import type { ResolvedGroup } from './resolve-terms.ts';

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

/** A content word of a chunk, with the places of its terms. */
export interface NumberedWord {
  readonly start: number;
  readonly end: number;
  readonly terms: readonly number[];
}

/** Finds the words of a text that a query asks for. */
export function contentOf(
  text: string,
  words: readonly NumberedWord[],
  groups: GroupsByTerm,
): ChunkContent {
  const found = words.map((word): SnippetHit => {
    return { start: word.start, end: word.end, group: groupOf(word, groups) };
  });
  return { text, found: found.filter(({ group }) => group >= 0) };
}

/**
 * What ranking needs of a chunk.
 *
 * @param from - Where its own text begins; what stands before repeats the chunk before.
 */
export function rankedChunk(
  text: string,
  from: number,
  words: readonly NumberedWord[],
  groups: GroupsByTerm,
): RankedChunk {
  return {
    hits: Int16Array.from(words, (word) => groupOf(word, groups)),
    ends: Uint32Array.from(words, ({ end }) => end - from),
    units: unitsOf(text.slice(from)),
  };
}

/** The group that a word belongs to, or -1. */
function groupOf({ terms }: NumberedWord, groups: GroupsByTerm): number {
  const term = terms.find((number) => groups.get(number) >= 0);
  return term === undefined ? -1 : groups.get(term);
}
