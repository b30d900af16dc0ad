import type { LongOptions, SearchHit } from '../contract/search-backend.ts';

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

/** Options of a selection that avoids to say the same twice. */
export interface Diversity {
  /** 1: relevance alone; 0: difference alone. Default: 0.7. */
  readonly lambda?: number | undefined;
  /** How many of the best hits are put in another order. Default: 50. */
  readonly depth?: number | undefined;
}

/**
 * Puts hits into an order in which each is relevant and unlike those before it: maximal marginal
 * relevance. Texts are alike by the pairs of characters that they share, so no vectors are needed.
 *
 * Source: Carbonell, Goldstein: The Use of MMR (SIGIR 1998).
 */
export function diversify(
  hits: readonly SearchHit[],
  { lambda = 0.7, depth = 50 }: Diversity,
): readonly SearchHit[] {
  const left = hits.slice(0, depth).map((hit) => ({ hit, pairs: pairsOf(hit.content), most: 0 }));
  const chosen: SearchHit[] = [];
  while (left.length > 0) {
    let best = 0;
    for (const [at, one] of left.entries()) {
      const value = lambda * one.hit.score - (1 - lambda) * one.most;
      const champion = left[best];
      if (champion && value > lambda * champion.hit.score - (1 - lambda) * champion.most) best = at;
    }
    const [next] = left.splice(best, 1);
    if (!next) break;
    chosen.push(next.hit);
    for (const one of left) one.most = Math.max(one.most, likeness(one.pairs, next.pairs));
  }
  return withScoresOf(hits, [...chosen, ...hits.slice(depth)]);
}

/** Returns the same hits in another order; the scores stay in the order in which they were. */
function withScoresOf(
  before: readonly SearchHit[],
  after: readonly SearchHit[],
): readonly SearchHit[] {
  return after.map((hit, at) => ({ ...hit, score: before[at]?.score ?? hit.score }));
}

function pairsOf(text: string): ReadonlySet<string> {
  const folded = text.normalize('NFKC').toLowerCase();
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < folded.length; at++) pairs.add(folded.slice(at, at + 2));
  return pairs;
}

/** Jaccard: what both have, of what either has. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared++;
  const all = a.size + b.size - shared;
  return all === 0 ? 1 : shared / all;
}
