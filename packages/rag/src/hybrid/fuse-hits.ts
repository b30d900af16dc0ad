import { fuseRanks } from '@vizprompt/providers/internal';
import type { RankedId } from '../contract/search-backend.ts';
import { isOpen, type GateFacts } from './agreement.ts';

/** How the hits of words and of vectors become one list. */
export interface Fusion {
  /**
   * How sure the words must be to answer alone, from 0 to 1. Vectors change the order of hits only where the best text
   * has a smaller share of what the words of the question say, and once they are known to be no noise: over the
   * questions so far they found more of the same texts as words than by chance. Elsewhere the hits of vectors follow those
   * of the words, so that no model makes answers worse than words alone. 1: both always count; measure it with your own
   * questions first (`proposeFusion`). Default: 0.6, and 0.7 once vectors found the first hits of words, too.
   */
  readonly gate?: number | undefined;
  /**
   * `'scores'`: the sum of the weighted scores, each side put on a scale from 0 to 1 first. A hit that one side
   * is sure of keeps its place. `'ranks'`: reciprocal ranks, which look at no score, so that the weaker side costs most:
   * the event `vectors:weak` reports it. Default: `'scores'`.
   *
   * Source of the first: Bruch, Gai, Ingber: An Analysis of Fusion Functions for Hybrid Retrieval (TOIS
   * 2023); of the second: Cormack, Clarke, Büttcher (SIGIR 2009).
   */
  readonly by?: 'scores' | 'ranks' | undefined;
  /** How much each side counts. Default: 1 and 1; 1 and 0.5 by scores of vectors that are not proven yet. */
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

/** A chunk with what each side gives it. */
export interface FusedHit {
  readonly id: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly parts: { readonly keyword: number; readonly vector: number };
}

export const DEFAULT_DEPTH = 30;

/** Both lists of a question, best first. */
export interface Sides extends GateFacts {
  readonly vector: readonly RankedId[];
}

/**
 * One list of the best of both sides; equal scores are in the order of the ids. Where the gate is closed, the hits of
 * words are first, in their order.
 */
export function fuseHits(sides: Sides, fusion: Fusion): readonly FusedHit[] {
  const fused = weighted(sides, fusion);
  return isOpen(sides, fusion) ? fused : wordsFirst(fused, sides.keyword);
}

/** Returns a list with the hits of words before the others, each in their order; scores fall as before. */
export function wordsFirst(
  fused: readonly FusedHit[],
  keyword: readonly RankedId[],
): readonly FusedHit[] {
  const byId = new Map(fused.map((hit) => [hit.id, hit]));
  const first = keyword.map(
    ({ id }) => byId.get(id) ?? { id, score: 0, parts: { keyword: 0, vector: 0 } },
  );
  const isFirst = new Set(keyword.map(({ id }) => id));
  const least = fused.at(-1)?.score ?? 0;
  const all = [...first, ...fused.filter(({ id }) => !isFirst.has(id))];
  return all.map((hit, place) => withScore(hit, fused[place]?.score ?? least));
}

/** Returns a hit with another score, and its parts in proportion. */
function withScore({ id, score: before, parts }: FusedHit, score: number): FusedHit {
  const keyword = before > 0 ? (parts.keyword * score) / before : score;
  return { id, score, parts: { keyword, vector: score - keyword } };
}

function weighted({ keyword, vector, trust }: Sides, fusion: Fusion): readonly FusedHit[] {
  const isByRanks = fusion.by === 'ranks';
  // Without a gate the weaker side has to count less.
  const isEqual = isByRanks || (trust === 'proven' && (fusion.gate ?? 0) < 1);
  const weights = fusion.weights ?? { keyword: 1, vector: isEqual ? 1 : 0.5 };
  const { depth = DEFAULT_DEPTH, rankConstant = 60 } = fusion;
  const scale = isByRanks
    ? (list: readonly RankedId[]) => byRanks(list, rankConstant)
    : (list: readonly RankedId[]) => onScale(list, depth);
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
function onScale(list: readonly RankedId[], depth: number): ReadonlyMap<string, number> {
  const best = list[0]?.score ?? 0;
  const floor = list.length < depth ? 0 : Math.max(0, list.at(-1)?.score ?? 0);
  const range = best - floor;
  return new Map(
    list.map(({ id, score }) => [id, range > 0 ? Math.max(LEAST, (score - floor) / range) : 1]),
  );
}

/** Reciprocal ranks of one list; the first rank gets 1, so that scores stay between 0 and 1. */
function byRanks(list: readonly RankedId[], k: number): ReadonlyMap<string, number> {
  const ids = list.map(({ id }) => id);
  return new Map(fuseRanks([ids], { k }).map(({ key, score }) => [key, score * (k + 1)]));
}
