import { eachBigram } from './bigrams.ts';
import { foldUnits, unitsOf } from './fold-units.ts';
import { idf, WEIGHTS } from './weights.ts';
import { bestWindow, WindowScorer, type WindowQuery } from './window.ts';

/** What ranking knows of a query. */
export interface RankedQuery extends WindowQuery {
  /** How telling each group of terms is, its weight included; in the order of the query. */
  readonly groups: readonly number[];
  /** Pairs of characters of the query. */
  readonly bigrams: QueryBigrams;
  /** The mean length of a chunk in UTF-16 code units. */
  readonly meanLength: number;
  /** Places in `groups` of words that are counted only now, and the mean content words of a chunk. */
  readonly common: { readonly groups: ReadonlySet<number>; readonly meanWords: number };
  /** Written over by each chunk. */
  readonly scratch: {
    readonly pairs: Uint16Array;
    readonly counts: Uint16Array;
    readonly nearest: Uint8Array;
    readonly lastAt: Int32Array;
    readonly window: WindowScorer;
  };
}

/** Puts together what ranking knows of a query. */
export function rankedQuery(query: Omit<RankedQuery, 'scratch'>): RankedQuery {
  const { groups, bigrams } = query;
  const scratch = {
    pairs: new Uint16Array(bigrams.values.length),
    counts: new Uint16Array(groups.length),
    nearest: new Uint8Array(groups.length),
    lastAt: new Int32Array(groups.length),
    window: new WindowScorer(query),
  };
  return { ...query, scratch };
}

/** What ranking knows of a chunk. */
export interface RankedChunk {
  /** For each content word of the chunk in order: the group of the query it belongs to, or -1. */
  readonly hits: Int16Array;
  /** Where each content word ends in `units`. */
  readonly ends: Uint32Array;
  /** Its text in UTF-16 units, see `unitsOf`; folded in its place. */
  readonly units: Uint16Array;
}

/** The pairs of characters of a query: their places, and how telling each is. */
export interface QueryBigrams {
  readonly places: ReadonlyMap<number, number>;
  readonly values: readonly number[];
}

/** The pairs of characters of a query, in order. */
export function pairsOf(query: string): ReadonlySet<number> {
  const pairs = new Set<number>();
  eachBigram(foldUnits(unitsOf(query)), (pair) => pairs.add(pair));
  return pairs;
}

/** @param countOf - In how many of the `size` chunks a pair is. */
export function queryBigrams(
  pairs: Iterable<number>,
  size: number,
  countOf: (pair: number) => number,
): QueryBigrams {
  const places = new Map<number, number>();
  const values: number[] = [];
  for (const pair of pairs) {
    const count = Math.min(size, Math.max(0, countOf(pair)));
    if (count > 0) places.set(pair, values.push(idf(size, count)) - 1);
  }
  return { places, values };
}

/** What the second look adds to the score of a chunk; never negative. */
export interface Bonus {
  readonly bigrams: number;
  readonly window: number;
  readonly adjacency: number;
  readonly common: number;
}

export function bonusOf(query: RankedQuery, chunk: RankedChunk): Bonus {
  return {
    bigrams: WEIGHTS.bigrams * bigramScore(query, chunk.units),
    window: WEIGHTS.window * query.scratch.window.score(chunk),
    adjacency: WEIGHTS.adjacency * adjacencyScore(query, chunk.hits),
    common: commonScore(query, chunk.hits),
  };
}

/** The highest bonus that a query can give. */
export function bestBonus(query: RankedQuery): number {
  const { groups, bigrams } = query;
  const pairs = bigrams.values.reduce((total, value) => total + value, 0);
  const neighbours = groups
    .slice(1)
    .reduce((total, value, place) => total + Math.min(value, groups[place] ?? 0), 0);
  return (
    WEIGHTS.bigrams * pairs * (WEIGHTS.bigramK1 + 1) +
    WEIGHTS.window * bestWindow(query) +
    WEIGHTS.adjacency * neighbours
  );
}

/** BM25 over pairs of characters. */
function bigramScore(
  { bigrams: { places, values }, meanLength, scratch }: RankedQuery,
  units: Uint16Array,
): number {
  if (values.length === 0) return 0;
  const counts = scratch.pairs.fill(0);
  const { length } = units;
  eachBigram(foldUnits(units), (pair) => {
    const place = places.get(pair);
    if (place !== undefined) counts[place] = (counts[place] ?? 0) + 1;
  });
  const { bigramK1: k1, bigramB: b } = WEIGHTS;
  const norm = k1 * (1 - b + (b * length) / Math.max(1, meanLength));
  let score = 0;
  for (let place = 0; place < counts.length; place++) {
    const count = counts[place] ?? 0;
    if (count > 0) score += ((values[place] ?? 0) * count * (k1 + 1)) / (count + norm);
  }
  return score;
}

/** BM25 over the words that so many chunks have that they were not looked up. */
function commonScore({ groups, common, scratch }: RankedQuery, hits: Int16Array): number {
  if (common.groups.size === 0) return 0;
  const counts = scratch.counts.fill(0);
  for (let at = 0; at < hits.length; at++) {
    const group = hits[at] ?? -1;
    if (group >= 0) counts[group] = (counts[group] ?? 0) + 1;
  }
  const { k1, b } = WEIGHTS;
  const norm = k1 * (1 - b + (b * hits.length) / common.meanWords);
  let score = 0;
  for (const group of common.groups) {
    const count = counts[group] ?? 0;
    if (count > 0) score += ((groups[group] ?? 0) * count * (k1 + 1)) / (count + norm);
  }
  return score;
}

/** Neighbours of the query by the shortest distance that they have in the chunk. */
function adjacencyScore({ groups, scratch }: RankedQuery, hits: Int16Array): number {
  const nearest = scratch.nearest.fill(0);
  const lastAt = scratch.lastAt.fill(-1_000_000);
  const note = (pair: number, distance: number): void => {
    const known = nearest[pair] ?? 0;
    if (distance <= WEIGHTS.adjacencyWords && (known === 0 || distance < known)) {
      nearest[pair] = distance;
    }
  };
  for (let at = 0; at < hits.length; at++) {
    const group = hits[at] ?? -1;
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
