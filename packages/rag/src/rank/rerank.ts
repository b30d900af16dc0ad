import { eachBigram, foldText } from '../segment/bigram-sketch.ts';
import { idf, WEIGHTS } from './weights.ts';

/** What ranking knows of a query. */
export interface RankedQuery {
  /** How telling each group of terms is, its weight included; in the order of the query. */
  readonly groups: readonly number[];
  /** Pairs of characters of the query, and how telling each is. */
  readonly bigrams: ReadonlyMap<number, number>;
  /** The mean length of a chunk in UTF-16 code units. */
  readonly meanLength: number;
}

/** What ranking knows of a chunk. */
export interface RankedChunk {
  /** For each content word of the chunk in order: the group of the query it belongs to, or -1. */
  readonly hits: Int16Array;
  readonly text: string;
}

/** The pairs of characters of a query, in order. */
export function pairsOf(query: string): ReadonlySet<number> {
  const pairs = new Set<number>();
  eachBigram(foldText(query), (pair) => pairs.add(pair));
  return pairs;
}

/** How telling each pair of characters is that the index has. */
export function queryBigrams(
  pairs: Iterable<number>,
  size: number,
  countOf: (pair: number) => number,
): ReadonlyMap<number, number> {
  const bigrams = new Map<number, number>();
  for (const pair of pairs) {
    const count = Math.min(size, Math.max(0, countOf(pair)));
    if (count > 0) bigrams.set(pair, idf(size, count));
  }
  return bigrams;
}

/** What the second look adds to the score of a chunk; never negative. */
export interface Bonus {
  readonly bigrams: number;
  readonly window: number;
  readonly adjacency: number;
}

export function bonusOf(query: RankedQuery, chunk: RankedChunk): Bonus {
  return {
    bigrams: WEIGHTS.bigrams * bigramScore(query, chunk.text),
    window: WEIGHTS.window * windowScore(query.groups, chunk.hits),
    adjacency: WEIGHTS.adjacency * adjacencyScore(query.groups, chunk.hits),
  };
}

/** The highest bonus that a query can give. */
export function bestBonus({ groups, bigrams }: RankedQuery): number {
  const sum = groups.reduce((total, value) => total + value, 0);
  let pairs = 0;
  for (const value of bigrams.values()) pairs += value;
  const neighbours = groups
    .slice(1)
    .reduce((total, value, place) => total + Math.min(value, groups[place] ?? 0), 0);
  return (
    WEIGHTS.bigrams * pairs * (WEIGHTS.bigramK1 + 1) +
    WEIGHTS.window * sum +
    WEIGHTS.adjacency * neighbours
  );
}

/** BM25 over pairs of characters. */
function bigramScore({ bigrams, meanLength }: RankedQuery, text: string): number {
  if (bigrams.size === 0) return 0;
  const counts = new Map<number, number>();
  eachBigram(foldText(text), (pair) => {
    if (bigrams.has(pair)) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  });
  const { bigramK1: k1, bigramB: b } = WEIGHTS;
  const norm = k1 * (1 - b + (b * text.length) / Math.max(1, meanLength));
  let score = 0;
  // In the order of the query, so that sums do not depend on the text.
  for (const [pair, value] of bigrams) {
    const count = counts.get(pair);
    if (count !== undefined) score += (value * count * (k1 + 1)) / (count + norm);
  }
  return score;
}

/** The sum of the groups that are found in the best window of words. */
function windowScore(groups: readonly number[], hits: Int16Array): number {
  const counts = new Uint16Array(groups.length);
  let best = 0;
  let sum = 0;
  for (let end = 0; end < hits.length; end++) {
    const group = hits[end] ?? -1;
    if (group >= 0 && (counts[group] ?? 0) === 0) sum += groups[group] ?? 0;
    if (group >= 0) counts[group] = (counts[group] ?? 0) + 1;
    const left = hits[end - WEIGHTS.windowWords] ?? -1;
    if (left >= 0) {
      counts[left] = (counts[left] ?? 0) - 1;
      if (counts[left] === 0) sum -= groups[left] ?? 0;
    }
    if (sum > best) best = sum;
  }
  return best;
}

/** Neighbours of the query by the shortest distance that they have in the chunk. */
function adjacencyScore(groups: readonly number[], hits: Int16Array): number {
  const nearest = new Uint8Array(groups.length);
  const lastAt = new Int32Array(groups.length).fill(-1_000_000);
  const note = (pair: number, distance: number): void => {
    const known = nearest[pair] ?? 0;
    if (distance <= WEIGHTS.adjacencyWords && (known === 0 || distance < known)) {
      nearest[pair] = distance;
    }
  };
  for (const [at, group] of hits.entries()) {
    if (group < 0) continue;
    if (group > 0) note(group - 1, at - (lastAt[group - 1] ?? 0));
    if (group + 1 < groups.length) note(group, at - (lastAt[group + 1] ?? 0));
    lastAt[group] = at;
  }
  let score = 0;
  for (let pair = 0; pair + 1 < groups.length; pair++) {
    const distance = nearest[pair] ?? 0;
    if (distance > 0) score += Math.min(groups[pair] ?? 0, groups[pair + 1] ?? 0) / distance;
  }
  return score;
}
