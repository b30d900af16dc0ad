import { NumberTable } from '../binary/packed-tables.ts';
import {
  COMPLEX,
  eachBigram,
  foldOf,
  normalizeChars,
  SIGNS,
  unitsOf,
  type VariantKanji,
} from './fold-text.ts';
import { WEIGHTS } from './weights.ts';

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

/** How telling a term is that `count` of `size` chunks have (inverse document frequency). */
export function idf(size: number, count: number): number {
  return Math.log(1 + (size - count + 0.5) / (count + 0.5));
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

  /** Neighbours of the query by the shortest distance that they have in the chunk, in their order before another. */
  #adjacencyScore(hits: Int16Array): number {
    const groups = this.#groups;
    const lastAt = this.#lastAt.fill(-1_000_000);
    this.#nearest.fill(0);
    for (let at = 0; at < hits.length; at++) {
      const group = hits[at] ?? -1;
      if (group < 0) continue;
      if (group > 0) this.#note(group - 1, at - (lastAt[group - 1] ?? 0), 0);
      if (group + 1 < groups.length) this.#note(group, at - (lastAt[group + 1] ?? 0), 1);
      lastAt[group] = at;
    }
    let score = 0;
    for (let pair = 0; pair + 1 < groups.length; pair++) {
      const nearest = this.#nearest[pair] ?? 0;
      if (nearest === 0) continue;
      const distance = (nearest >> 1) + (nearest & 1) * TURNED;
      score += Math.min(groups[pair] ?? 0, groups[pair + 1] ?? 0) / distance;
    }
    return score;
  }

  /** @param turned - 1 if the second word of the query is before the first, else 0. */
  #note(pair: number, distance: number, turned: 0 | 1): void {
    const known = this.#nearest[pair] ?? 0;
    const noted = distance * 2 + turned;
    if (distance <= WEIGHTS.adjacencyWords && (known === 0 || noted < known)) {
      this.#nearest[pair] = noted;
    }
  }
}

/** How much further apart neighbours count that are in the other order: 3対2 is before 2対3, all else being equal. */
const TURNED = 0.001;

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

/** The words that may be in a window. */
export interface ProximityQuery {
  /** How telling each group of terms is. */
  readonly groups: readonly number[];
  readonly kanji: VariantKanji;
  /** Absent: the query asks for no number. */
  readonly number?: NumericQuery & { readonly value: number };
}

/** The content words of a chunk in order. */
export interface ProximityChunk {
  /** The group of the query that each belongs to, or -1. */
  readonly hits: Int16Array;
  /** Where each ends in `units`. */
  readonly ends: Uint32Array;
  readonly units: Uint16Array;
}

/** The kanji of the query in a chunk, in order; see `CharacterScan`. */
interface FoundKanji {
  readonly kanjiCount: number;
  /** Where each is in `units`. */
  readonly kanjiAt: Uint32Array;
  /** The place of each. */
  readonly kanji: Uint16Array;
}

/** Returns the highest sum that a window can have: of each word, or of all its kanji. */
export function bestProximity({ groups, kanji, number }: ProximityQuery): number {
  const loose = new Map<number, number>();
  for (const { group, value } of kanji.owners.flat()) {
    loose.set(group, (loose.get(group) ?? 0) + value);
  }
  return groups.reduce(
    (sum, value, group) => sum + Math.max(value, loose.get(group) ?? 0),
    number?.value ?? 0,
  );
}

/** Finds the window of a chunk that has the most telling words of one query. */
export class ProximityScorer {
  readonly #groups: number;
  /** Where the owners of each kanji end, their groups, and what the kanji is worth to each. */
  readonly #ownerEnds: Uint32Array;
  readonly #owners: Uint32Array;
  readonly #ownerValues: Float64Array;
  readonly #asked: NumericQuery | undefined;
  /** The value of each slot: those of the groups, of the kanji, and of a number. */
  readonly #values: Float64Array;
  readonly #counts: Uint32Array;
  readonly #number: number;
  /** The slots that the words of a chunk fill, in order, and which word each belongs to. */
  #slots = new Int16Array(256);
  #words = new Uint32Array(256);

  constructor(query: ProximityQuery) {
    const { groups, kanji, number } = query;
    const owners = kanji.owners.flat();
    let end = 0;
    this.#groups = groups.length;
    this.#ownerEnds = Uint32Array.from(kanji.owners, ({ length }) => (end += length));
    this.#owners = Uint32Array.from(owners, ({ group }) => group);
    this.#ownerValues = Float64Array.from(owners, ({ value }) => value);
    this.#asked = number && { counter: number.counter, isDate: number.isDate };
    this.#number = groups.length + kanji.owners.length;
    this.#values = new Float64Array(this.#number + 1);
    this.#values.set(groups);
    this.#values[this.#number] = number?.value ?? 0;
    this.#counts = new Uint32Array(this.#number + 1);
  }

  /** Returns the sum of what is found in the best window of words. */
  score(chunk: ProximityChunk, found: FoundKanji): number {
    const filled = this.#fill(chunk, found, this.#weighKanji(chunk.hits));
    const counts = this.#counts.fill(0);
    const values = this.#values;
    const slots = this.#slots;
    const words = this.#words;
    let best = 0;
    let sum = 0;
    let first = 0;
    for (let at = 0; at < filled; at++) {
      for (
        const left = (words[at] ?? 0) - WEIGHTS.windowWords;
        (words[first] ?? 0) <= left;
        first++
      ) {
        const gone = slots[first] ?? 0;
        counts[gone] = (counts[gone] ?? 0) - 1;
        if (counts[gone] === 0) sum -= values[gone] ?? 0;
      }
      const slot = slots[at] ?? 0;
      if (counts[slot] === 0) sum += values[slot] ?? 0;
      counts[slot] = (counts[slot] ?? 0) + 1;
      if (sum > best) best = sum;
    }
    return best;
  }

  /** A kanji is worth something where a word that has it is missing; returns whether any is. */
  #weighKanji(hits: Int16Array): boolean {
    const seen = this.#counts.fill(0);
    const owners = this.#owners;
    const ends = this.#ownerEnds;
    for (let at = 0; at < hits.length; at++) {
      const group = hits[at] ?? -1;
      if (group >= 0) seen[group] = 1;
    }
    let isAnyMissing = false;
    let owner = 0;
    for (let place = 0; place < ends.length; place++) {
      let most = 0;
      for (const end = ends[place] ?? 0; owner < end; owner++) {
        const value = this.#ownerValues[owner] ?? 0;
        if (seen[owners[owner] ?? 0] === 0 && value > most) most = value;
      }
      this.#values[this.#groups + place] = most;
      isAnyMissing ||= most > 0;
    }
    return isAnyMissing;
  }

  /** Notes the slots of each word: its group, or the kanji and the number in it; returns how many. */
  #fill(
    { hits, ends, units }: ProximityChunk,
    { kanjiCount, kanjiAt, kanji }: FoundKanji,
    isAnyMissing: boolean,
  ): number {
    const asked = this.#asked;
    // At most a group or a number for each word.
    const most = kanjiCount + hits.length;
    if (this.#slots.length < most) {
      this.#slots = new Int16Array(most * 2);
      this.#words = new Uint32Array(most * 2);
    }
    const slots = this.#slots;
    const words = this.#words;
    let count = 0;
    let next = 0;
    let start = 0;
    for (let word = 0; word < hits.length; word++) {
      const group = hits[word] ?? -1;
      const end = ends[word] ?? 0;
      if (group >= 0) {
        words[count] = word;
        slots[count++] = group;
      }
      for (; next < kanjiCount && (kanjiAt[next] ?? 0) < end; next++) {
        if (group >= 0 || !isAnyMissing) continue;
        words[count] = word;
        slots[count++] = this.#groups + (kanji[next] ?? 0);
      }
      if (asked && group < 0 && hasNumber(units, start, end, asked)) {
        words[count] = word;
        slots[count++] = this.#number;
      }
      start = end;
    }
    return count;
  }
}

/** A question that a number answers. */
export interface NumericQuery {
  /** The first UTF-16 unit of what is counted, such as 人 of 何人; 0 if the question does not say. */
  readonly counter: number;
  /** True if it asks when something was: the number is one of a year, a month, a day or a century. */
  readonly isDate: boolean;
}

const NUMERALS = new Set(
  Array.from('一二三四五六七八九十百千万億兆数', (one) => one.charCodeAt(0)),
);

/** Checks whether a piece of a text has a number: digits, or numerals before what is counted. */
export function hasNumber(
  units: Uint16Array,
  start: number,
  end: number,
  { counter, isDate }: NumericQuery,
): boolean {
  for (let at = start; at < end; at++) {
    const unit = units[at] ?? 0;
    const next = units[at + 1] ?? 0;
    if (isDate) {
      if (isOfDate(next) && (isDigit(unit) || NUMERALS.has(unit))) return true;
    } else if (isDigit(unit) || (counter !== 0 && NUMERALS.has(unit) && foldOf(next) === counter)) {
      return true;
    }
  }
  return false;
}

/** Checks whether a unit is a counter of dates: 年, 月, 日, and 世 of 世紀. */
function isOfDate(unit: number): boolean {
  return unit === 0x5e74 || unit === 0x6708 || unit === 0x65e5 || unit === 0x4e16;
}

/** Full-width ones too. */
function isDigit(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0xff10 && unit <= 0xff19);
}
