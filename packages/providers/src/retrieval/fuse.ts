import type { Passage } from './retriever.ts';
import { checkOptions, checkArgument } from '../input/check-input.ts';
import { ARRAY, NUMBER, listOf, optional, type Kinds } from '../input/kinds.ts';

const KINDS: Kinds<FuseOptions> = {
  k: optional(NUMBER),
  weights: optional(listOf('numbers', NUMBER)),
};

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
  checkArgument('the lists of fuse', lists, listOf('lists of passages', ARRAY));
  checkOptions('fuse', options, KINDS);
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

/** Options of `fuseRanks`. */
export interface FuseOptions {
  /** Damps the lead of the first ranks. Default: 60, as in the paper. */
  readonly k?: number | undefined;
  /** One weight for each list. Default: 1 each. */
  readonly weights?: readonly number[] | undefined;
}

/** A key with the sum of what its ranks give it. */
export interface FusedRank<Key> {
  readonly key: Key;
  readonly score: number;
}

/**
 * Joins ranked lists of keys into one by reciprocal rank fusion: the score of a key is the sum of
 * `weight / (k + rank)` over the lists that hold it, the first rank being 1.
 *
 * Source: Cormack, Clarke, Büttcher: Reciprocal Rank Fusion outperforms Condorcet and individual
 * Rank Learning Methods (SIGIR 2009).
 *
 * @returns All keys, best first; equal scores keep the order of the lists.
 * @throws RangeError if there are weights, but not one for each list.
 */
export function fuseRanks<Key>(
  lists: readonly (readonly Key[])[],
  { k = 60, weights = lists.map(() => 1) }: FuseOptions = {},
): readonly FusedRank<Key>[] {
  if (weights.length !== lists.length) {
    throw new RangeError(`fuse() got ${lists.length} lists and ${weights.length} weights`);
  }
  const scores = new Map<Key, number>();
  for (const [index, list] of lists.entries()) {
    const weight = weights[index] ?? 1;
    for (const [rank, key] of list.entries()) {
      scores.set(key, (scores.get(key) ?? 0) + weight / (k + rank + 1));
    }
  }
  return [...scores].map(([key, score]) => ({ key, score })).toSorted((a, b) => b.score - a.score);
}
