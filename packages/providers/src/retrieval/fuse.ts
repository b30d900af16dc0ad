import type { Passage } from './retriever.ts';

/** Options of {@link fuse}. */
export interface FuseOptions {
  /** Damps the lead of the first ranks. Default: 60, as in the paper. */
  readonly k?: number;
  /** One weight for each list. Default: 1 each. */
  readonly weights?: readonly number[];
}

/**
 * Joins several ranked lists into one by reciprocal rank fusion: the score of a passage is the sum
 * of `weight / (k + rank)` over the lists that hold it, the first rank being 1. Passages are the
 * same when `source.kind` and `id` are; the first list that holds one provides its fields.
 *
 * Source: Cormack, Clarke, Büttcher: Reciprocal Rank Fusion outperforms Condorcet and individual
 * Rank Learning Methods (SIGIR 2009).
 *
 * @returns All passages, best first; equal scores keep the order of the lists.
 * @throws RangeError if there are weights, but not one for each list.
 */
export function fuse(
  lists: readonly (readonly Passage[])[],
  options: FuseOptions = {},
): readonly Passage[] {
  const { k = 60, weights = lists.map(() => 1) } = options;
  if (weights.length !== lists.length) {
    throw new RangeError(`fuse() got ${lists.length} lists and ${weights.length} weights`);
  }
  const fused = new Map<string, { passage: Passage; score: number }>();
  for (const [index, list] of lists.entries()) {
    for (const [rank, passage] of list.entries()) {
      const key = JSON.stringify([passage.source.kind, passage.id]);
      const entry = fused.get(key) ?? { passage, score: 0 };
      entry.score += (weights[index] ?? 1) / (k + rank + 1);
      fused.set(key, entry);
    }
  }
  return [...fused.values()]
    .toSorted((a, b) => b.score - a.score)
    .map(({ passage, score }) => ({ ...passage, score }));
}
