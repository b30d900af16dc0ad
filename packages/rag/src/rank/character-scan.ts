import type { NumberTable } from '../binary/number-table.ts';
import { eachBigram, COMPLEX, foldOf, normalizeChars, SIGNS } from './normalize-chars.ts';

/** What a unit may be to a query; several units share a place of the sieve. */
const BEGINS_PAIR = 1;
const IS_KANJI = 2;
const SIEVE = 4096;

/**
 * Looks at the characters of one chunk after the other for what one query asks of them: how often they have
 * its pairs, and where its kanji stand. Dozens of chunks are looked at for each query, hence one plain loop.
 */
export class CharacterScan {
  /** How often the chunk has each pair, by its place. */
  readonly pairs: Uint16Array;
  /** How many kanji of the query the chunk has. */
  kanjiCount = 0;
  /** Where each of them stands in the chunk, and its place. */
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
