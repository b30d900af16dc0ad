import type { LongOptions, SearchHit } from '../contract/search-backend.ts';
import { withScoresOf } from './diversify.ts';

/** Re-ranking of the best hits. */
export interface Reranking {
  /**
   * Says how well each hit answers, on any scale: a cross encoder, a model, the `/rerank` of a server.
   *
   * @returns One number for each hit, in order.
   */
  score(
    query: string,
    hits: readonly SearchHit[],
    options: LongOptions,
  ): Promise<readonly number[]>;
  /** How many of the best hits are looked at. Default: 20. */
  readonly depth?: number | undefined;
}

/** Returns the best hits in the order of the reranker, then the others. */
export async function rerankHits(
  query: string,
  hits: readonly SearchHit[],
  { score, depth = 20 }: Reranking,
  options: LongOptions,
): Promise<readonly SearchHit[]> {
  const best = hits.slice(0, depth);
  if (best.length === 0) return hits;
  const scores = await score(query, best, options);
  if (scores.length !== best.length || scores.some((one) => Number.isNaN(one))) {
    throw new TypeError(`the reranker gave ${scores.length} scores for ${best.length} hits`);
  }
  const ranked = best
    .map((hit, at) => ({ hit, score: scores[at] ?? 0 }))
    .toSorted((a, b) => b.score - a.score);
  return withScoresOf(hits, [...ranked.map(({ hit }) => hit), ...hits.slice(depth)]);
}
