import { NumberTable } from '../binary/packed-tables.ts';
import { eachBigram, normalizeChars, unitsOf, COMPLEX, foldOf, SIGNS } from './fold-text.ts';
import { idf, WEIGHTS } from './weights.ts';
import { bestProximity, ProximityScorer, type ProximityQuery } from './proximity.ts';

/** The facts of a query for ranking. */
export interface RankedQuery extends ProximityQuery {
  /** How telling each group of terms is, its weight included; in the order of the query. */
  readonly groups: readonly number[];
  /** Pairs of characters of the query. */
  readonly bigrams: QueryBigrams;
  /** The mean length of a chunk in UTF-16 code units. */
  readonly meanLength: number;
  /** Places in `groups` of words that are counted only now, and the mean content words of a chunk. */
  readonly common: { readonly groups: ReadonlySet<number>; readonly meanWords: number };
}

/** The facts of a chunk for ranking. */
export interface RankedChunk {
  /** For each content word of the chunk in order: the group of the query it belongs to, or -1. */
  readonly hits: Int16Array;
  /** Where each content word ends in `units`. */
  readonly ends: Uint32Array;
  /** Its text in UTF-16 units, see `unitsOf`. */
  readonly units: Uint16Array;
}

/** The pairs of characters of a query: their places, and how telling each is. */
interface QueryBigrams {
  readonly places: NumberTable;
  readonly values: readonly number[];
}

/** Returns the pairs of characters of a query, in order. */
export function pairsOf(query: string): ReadonlySet<number> {
  const pairs = new Set<number>();
  eachBigram(normalizeChars(unitsOf(query)), (pair) => pairs.add(pair));
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
  return { places: new NumberTable(places), values };
}

/** The bonus of re-ranking to the score of a chunk; never negative. */
export interface Bonus {
  readonly bigrams: number;
  readonly window: number;
  readonly adjacency: number;
  readonly common: number;
}

/** Returns the highest bonus that a query can give. */
export function bestBonus(query: RankedQuery): number {
  const { groups, bigrams } = query;
  const pairs = bigrams.values.reduce((total, value) => total + value, 0);
  const neighbours = groups
    .slice(1)
    .reduce((total, value, place) => total + Math.min(value, groups[place] ?? 0), 0);
  return (
    WEIGHTS.bigrams * pairs * (WEIGHTS.bigramK1 + 1) +
    WEIGHTS.window * bestProximity(query) +
    WEIGHTS.adjacency * neighbours
  );
}

/**
 * Re-ranks the chunks of one query. The needed parts of the query are in arrays, as it looks
 * at dozens of chunks: reading objects of many shapes takes longer than what is computed.
 */
export class SecondLook {
  readonly #groups: Float64Array;
  readonly #characters: CharacterScan;
  readonly #pairValues: Float64Array;
  readonly #meanLength: number;
  readonly #common: Uint16Array;
  readonly #meanWords: number;
  readonly #window: ProximityScorer;
  // Written over by each chunk.
  readonly #counts: Uint16Array;
  readonly #nearest: Uint8Array;
  readonly #lastAt: Int32Array;

  constructor(query: RankedQuery) {
    const { groups, bigrams, kanji, meanLength, common } = query;
    this.#groups = Float64Array.from(groups);
    this.#characters = new CharacterScan(bigrams.places, kanji.places);
    this.#pairValues = Float64Array.from(bigrams.values);
    this.#meanLength = meanLength;
    this.#common = Uint16Array.from(common.groups);
    this.#meanWords = common.meanWords;
    this.#window = new ProximityScorer(query);
    this.#counts = new Uint16Array(groups.length);
    this.#nearest = new Uint8Array(groups.length);
    this.#lastAt = new Int32Array(groups.length);
  }

  bonusOf(chunk: RankedChunk): Bonus {
    const { hits, units } = chunk;
    this.#characters.scan(units);
    return {
      bigrams: WEIGHTS.bigrams * this.#bigramScore(units.length),
      window: WEIGHTS.window * this.#window.score(chunk, this.#characters),
      adjacency: WEIGHTS.adjacency * this.#adjacencyScore(hits),
      common: this.#commonScore(hits),
    };
  }

  /** BM25 over pairs of characters. */
  #bigramScore(length: number): number {
    const values = this.#pairValues;
    const counts = this.#characters.pairs;
    const { bigramK1: k1, bigramB: b } = WEIGHTS;
    const norm = k1 * (1 - b + (b * length) / Math.max(1, this.#meanLength));
    let score = 0;
    for (let place = 0; place < counts.length; place++) {
      const count = counts[place] ?? 0;
      if (count > 0) score += ((values[place] ?? 0) * count * (k1 + 1)) / (count + norm);
    }
    return score;
  }

  /** BM25 over the words that are too frequent to be looked up. */
  #commonScore(hits: Int16Array): number {
    const common = this.#common;
    if (common.length === 0) return 0;
    const counts = this.#counts.fill(0);
    for (let at = 0; at < hits.length; at++) {
      const group = hits[at] ?? -1;
      if (group >= 0) counts[group] = (counts[group] ?? 0) + 1;
    }
    const { k1, b } = WEIGHTS;
    const norm = k1 * (1 - b + (b * hits.length) / this.#meanWords);
    let score = 0;
    for (const group of common) {
      const count = counts[group] ?? 0;
      if (count > 0) score += ((this.#groups[group] ?? 0) * count * (k1 + 1)) / (count + norm);
    }
    return score;
  }

  /** Neighbours of the query by the shortest distance that they have in the chunk. */
  #adjacencyScore(hits: Int16Array): number {
    const groups = this.#groups;
    const lastAt = this.#lastAt.fill(-1_000_000);
    this.#nearest.fill(0);
    for (let at = 0; at < hits.length; at++) {
      const group = hits[at] ?? -1;
      if (group < 0) continue;
      if (group > 0) this.#note(group - 1, at - (lastAt[group - 1] ?? 0));
      if (group + 1 < groups.length) this.#note(group, at - (lastAt[group + 1] ?? 0));
      lastAt[group] = at;
    }
    let score = 0;
    for (let pair = 0; pair + 1 < groups.length; pair++) {
      const distance = this.#nearest[pair] ?? 0;
      if (distance > 0) score += Math.min(groups[pair] ?? 0, groups[pair + 1] ?? 0) / distance;
    }
    return score;
  }

  #note(pair: number, distance: number): void {
    const known = this.#nearest[pair] ?? 0;
    if (distance <= WEIGHTS.adjacencyWords && (known === 0 || distance < known)) {
      this.#nearest[pair] = distance;
    }
  }
}

/** The roles of a unit in a query; several units share a place of the sieve. */
const BEGINS_PAIR = 1;
const IS_KANJI = 2;
const SIEVE = 4096;

/**
 * Looks at the characters of one chunk after the other for what one query asks of them: how often they have
 * its pairs, and where its kanji are. Dozens of chunks are looked at for each query, hence one plain loop.
 */
export class CharacterScan {
  /** How often the chunk has each pair, by its place. */
  readonly pairs: Uint16Array;
  /** How many kanji of the query the chunk has. */
  kanjiCount = 0;
  /** Where each of them is in the chunk, and its place. */
  kanjiAt: Uint32Array = new Uint32Array(64);
  kanji: Uint16Array = new Uint16Array(64);
  readonly #pairPlaces: NumberTable;
  readonly #kanjiPlaces: NumberTable;
  /** Most units are of no interest, which is known without looking them up. */
  readonly #sieve = new Uint8Array(SIEVE);

  /**
   * @param pairs - The place of each pair, from 0.
   * @param kanji - The place of each kanji, from 0.
   */
  constructor(pairs: NumberTable, kanji: NumberTable) {
    this.#pairPlaces = pairs;
    this.#kanjiPlaces = kanji;
    this.pairs = new Uint16Array(pairs.size);
    pairs.eachKey((pair) => this.#note(pair >>> 16, BEGINS_PAIR));
    kanji.eachKey((unit) => this.#note(unit, IS_KANJI));
  }

  #note(unit: number, what: number): void {
    const place = unit & (SIEVE - 1);
    this.#sieve[place] = (this.#sieve[place] ?? 0) | what;
  }

  /** @param units - The UTF-16 units of a chunk. */
  scan(units: Uint16Array): void {
    const sieve = this.#sieve;
    const pairs = this.pairs.fill(0);
    this.kanjiCount = 0;
    let before = 0;
    for (let at = 0; at < units.length; at++) {
      const fold = foldOf(units[at] ?? 0);
      if (fold >= SIGNS) {
        if (fold === COMPLEX) {
          this.#scanFolded(units);
          return;
        }
        before = 0;
        continue;
      }
      if (before !== 0) {
        const place = this.#pairPlaces.get((before << 16) | fold);
        if (place >= 0) pairs[place] = (pairs[place] ?? 0) + 1;
      }
      const what = sieve[fold & (SIEVE - 1)] ?? 0;
      before = (what & BEGINS_PAIR) === 0 ? 0 : fold;
      if ((what & IS_KANJI) !== 0) this.#takeKanji(fold, at);
    }
  }

  /** A text whose characters join their neighbours: its pairs are those of the whole folded text. */
  #scanFolded(units: Uint16Array): void {
    this.pairs.fill(0);
    this.kanjiCount = 0;
    for (let at = 0; at < units.length; at++) this.#takeKanji(units[at] ?? 0, at);
    eachBigram(normalizeChars(units.slice()), (pair) => {
      const place = this.#pairPlaces.get(pair);
      if (place >= 0) this.pairs[place] = (this.pairs[place] ?? 0) + 1;
    });
  }

  #takeKanji(unit: number, at: number): void {
    const place = this.#kanjiPlaces.get(unit);
    if (place < 0) return;
    if (this.kanjiCount === this.kanji.length) {
      this.kanji = grown(this.kanji, new Uint16Array(this.kanji.length * 2));
      this.kanjiAt = grown(this.kanjiAt, new Uint32Array(this.kanjiAt.length * 2));
    }
    this.kanji[this.kanjiCount] = place;
    this.kanjiAt[this.kanjiCount++] = at;
  }
}

function grown<Numbers extends Uint16Array | Uint32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
