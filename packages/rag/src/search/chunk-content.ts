import type { FoundWord } from '../rank/snippet.ts';
import type { ResolvedGroup } from './resolve-terms.ts';

/** For the place of each term the group of the query it belongs to. */
export type GroupsByTerm = ReadonlyMap<number, number>;

/** Which terms of a part belong to which group; to the strongest, if several ask for it. */
export function groupsByTerm(groups: readonly ResolvedGroup[], part: number): GroupsByTerm {
  const byTerm = new Map<number, number>();
  const byFactor = groups.flatMap(({ terms }, group) =>
    terms.filter(({ isTitle }) => !isTitle).map((term) => ({ ...term, group })),
  );
  for (const { places, group } of byFactor.toSorted((a, b) => b.factor - a.factor)) {
    const place = places[part] ?? -1;
    if (place >= 0 && !byTerm.has(place)) byTerm.set(place, group);
  }
  return byTerm;
}

/** The text of a chunk, and which of its words a query asks for. */
export interface ChunkContent {
  readonly text: string;
  /** For each content word the group it belongs to, or -1. */
  readonly hits: Int16Array;
  readonly found: readonly FoundWord[];
}
