import type { Dictionary } from './dictionary.ts';

/** A word of two kanji that a text has, which the dictionary may have with other kana. */
export interface WrittenCompound {
  readonly word: string;
  /** How it may be read, in katakana; none if its kanji have several readings. */
  readonly readings: readonly string[];
  readonly isVerb: boolean;
}

const TWO_KANJI = /^(\p{sc=Han})([\u3041-\u3096]{0,3})(\p{sc=Han})([\u3041-\u3096]{0,3})$/u;
const VERB = '動詞';
const SIGN = '/';

/**
 * Finds words of two kanji in the spelling of the dictionary, whatever kana a text has between and after them: 逃げ足 for
 * 逃足, 合せ鏡 for 合わせ鏡, 差支え for 差し支え.
 *
 * Source: 送り仮名の付け方 (Cabinet notice 2 of 1973), rules 6 and 7.
 */
export class Compounds {
  readonly #dictionary: Dictionary;
  /** The readings of all words that begin with a kanji, as it is asked for, each between signs. */
  readonly #readings = new Map<string, string>();

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
  }

  /** Checks whether the dictionary has a word with these two kanji, or one with the first of them and this reading. */
  has(kanji: string, reading: string): boolean {
    // Three have no word of two, though the first two of them may.
    const [first = '', second = '', ...others] = kanji;
    const isTwo = second !== '' && others.length === 0;
    if (isTwo && !this.#dictionary.compoundsOf(first, second).next().done) return true;
    return reading !== '' && this.#readingsFrom(first).includes(`${SIGN}${reading}${SIGN}`);
  }

  /** Returns the words of the dictionary that are this word with other kana, in basic form. */
  spellingsOf({ word, readings, isVerb }: WrittenCompound): readonly string[] {
    const [, first = '', front = '', second = '', back = ''] = TWO_KANJI.exec(word) ?? [];
    const found = new Set<string>();
    for (const other of this.#dictionary.compoundsOf(first, second)) {
      if (other.word === word || isVerb !== (other.pos === VERB)) continue;
      if (isVerb && other.word !== other.basic) continue;
      const [, , otherFront = '', , otherBack = ''] = TWO_KANJI.exec(other.word) ?? [];
      const isSame = isVerb
        ? otherBack.endsWith(back) || (otherBack !== '' && back.endsWith(otherBack))
        : otherBack.endsWith(back) || back.endsWith(otherBack);
      if (!isSame) continue;
      // 見え方 is not 見方: with kana, the reading decides.
      if (readings.includes(other.reading) || (front === '' && otherFront !== ''))
        found.add(other.basic);
    }
    return [...found];
  }

  /** One text holds hundreds of readings in a fraction of the memory of a set. */
  #readingsFrom(kanji: string): string {
    const known = this.#readings.get(kanji);
    if (known !== undefined) return known;
    const words = Array.from(this.#dictionary.compoundsOf(kanji), ({ reading }) => reading);
    const readings = [SIGN, ...new Set(words).add('')].join(SIGN);
    this.#readings.set(kanji, readings);
    return readings;
  }
}
