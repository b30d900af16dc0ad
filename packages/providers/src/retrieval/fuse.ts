import { fuseRanks, type FuseOptions } from './fuse-ranks.ts';
import type { Passage } from './retriever.ts';

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
  const passages = new Map<string, Passage>();
  const ranks = lists.map((list) =>
    list.map((passage) => {
      const key = JSON.stringify([passage.source.kind, passage.id]);
      if (!passages.has(key)) passages.set(key, passage);
      return key;
    }),
  );
  return fuseRanks(ranks, options).flatMap(({ key, score }) => {
    const passage = passages.get(key);
    return passage ? [{ ...passage, score }] : [];
  });
}
