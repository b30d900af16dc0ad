import { fuseRanks } from '@vizprompt/providers/internal';

/** How the hits of words and of vectors become one list. */
export interface Fusion {
  /**
   * `'scores'`: the sum of the weighted scores, each side put on a scale from 0 to 1 first. A hit that one side
   * is sure of keeps its place, and a poor other side does little harm. `'ranks'`: reciprocal ranks, which look
   * at no score. Default: `'scores'`.
   *
   * Source of the first: Bruch, Gai, Ingber: An Analysis of Fusion Functions for Hybrid Retrieval (TOIS
   * 2023); of the second: Cormack, Clarke, Büttcher (SIGIR 2009).
   */
  readonly by?: 'scores' | 'ranks' | undefined;
  /** How much each side counts. Default: 1 and 0.5 by scores, 1 and 1 by ranks. */
  readonly weights?: { readonly keyword: number; readonly vector: number } | undefined;
  /** Of `'ranks'`: damps the lead of the first. Default: 60. */
  readonly rankConstant?: number | undefined;
  /** How many of the best of each side are fused. Default: 30. */
  readonly depth?: number | undefined;
  /**
   * `true`: the store itself searches by meaning and words and fuses the ranks, where it can; the words
   * have to be analyzed for it, and index and store grow by them. Default: `false`.
   */
  readonly inStore?: boolean | undefined;
}

/** A chunk of one side. */
export interface SideHit {
  readonly id: string;
  readonly score: number;
}

/** A chunk with what each side gives it. */
export interface FusedHit {
  readonly id: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly parts: { readonly keyword: number; readonly vector: number };
}

export const DEFAULT_DEPTH = 30;

/** One list of the best of both sides; equal scores are in the order of the ids. */
export function fuseHits(
  keyword: readonly SideHit[],
  vector: readonly SideHit[],
  fusion: Fusion,
): readonly FusedHit[] {
  const isByRanks = fusion.by === 'ranks';
  const weights = fusion.weights ?? { keyword: 1, vector: isByRanks ? 1 : 0.5 };
  const { depth = DEFAULT_DEPTH, rankConstant = 60 } = fusion;
  const scale = isByRanks
    ? (list: readonly SideHit[]) => byRanks(list, rankConstant)
    : (list: readonly SideHit[]) => onScale(list, depth);
  const [words, meanings] = [scale(keyword), scale(vector)];
  const all = weights.keyword + weights.vector;
  return [...new Set([...words.keys(), ...meanings.keys()])]
    .map((id) => {
      const parts = {
        keyword: (weights.keyword * (words.get(id) ?? 0)) / all,
        vector: (weights.vector * (meanings.get(id) ?? 0)) / all,
      };
      return { id, parts, score: parts.keyword + parts.vector };
    })
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** A hit is worth something. */
const LEAST = 1e-6;

/** Puts scores on one scale: the best gets 1, the last 0; where all hits are there, what has no score at all is 0. */
function onScale(list: readonly SideHit[], depth: number): ReadonlyMap<string, number> {
  const best = list[0]?.score ?? 0;
  const floor = list.length < depth ? 0 : Math.max(0, list.at(-1)?.score ?? 0);
  const range = best - floor;
  return new Map(
    list.map(({ id, score }) => [id, range > 0 ? Math.max(LEAST, (score - floor) / range) : 1]),
  );
}

/** Reciprocal ranks of one list; the first rank gets 1, so that scores stay between 0 and 1. */
function byRanks(list: readonly SideHit[], k: number): ReadonlyMap<string, number> {
  const ids = list.map(({ id }) => id);
  return new Map(fuseRanks([ids], { k }).map(({ key, score }) => [key, score * (k + 1)]));
}
