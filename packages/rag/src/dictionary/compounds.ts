import type { Compound, Dictionary } from './dictionary.ts';

/** Words of two kanji that begin with the same one. */
interface Family {
  readonly readings: ReadonlySet<string>;
  /** By their kanji. */
  readonly words: ReadonlyMap<string, readonly Compound[]>;
}

/** A word of two kanji that a text has, which the dictionary may have with other kana. */
export interface WrittenCompound {
  readonly word: string;
  /** How it may be read, in katakana; none if its kanji have several readings. */
  readonly readings: readonly string[];
  readonly isVerb: boolean;
}

const TWO_KANJI = /^(\p{sc=Han})([\u3041-\u3096]{0,3})(\p{sc=Han})([\u3041-\u3096]{0,3})$/u;
const VERB = '動詞';

/**
 * Finds words of two kanji in the spelling of the dictionary, whatever kana a text has between and after them: 逃げ足 for
 * 逃足, 合せ鏡 for 合わせ鏡, 差支え for 差し支え.
 *
 * Source: 送り仮名の付け方 (Cabinet notice 2 of 1973), rules 6 and 7.
 */
export class Compounds {
  readonly #dictionary: Dictionary;
  /** By their first kanji, as they are asked for. */
  readonly #families = new Map<string, Family>();

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
  }

  /** Checks whether the dictionary has a word with these two kanji, or one with the first of them and this reading. */
  has(kanji: string, reading: string): boolean {
    const { words, readings } = this.#familyOf(kanji.charAt(0));
    return words.has(kanji) || (reading !== '' && readings.has(reading));
  }

  /** Returns the words of the dictionary that are this word with other kana, in basic form. */
  spellingsOf({ word, readings, isVerb }: WrittenCompound): readonly string[] {
    const [, first = '', front = '', second = '', back = ''] = TWO_KANJI.exec(word) ?? [];
    const found = new Set<string>();
    for (const other of this.#familyOf(first).words.get(first + second) ?? []) {
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

  #familyOf(kanji: string): Family {
    const known = this.#families.get(kanji);
    if (known) return known;
    const readings = new Set<string>();
    const words = new Map<string, Compound[]>();
    for (const compound of this.#dictionary.compoundsOf(kanji)) {
      readings.add(compound.reading);
      const both = compound.word.replaceAll(/[\u3041-\u3096]/g, '');
      const others = words.get(both);
      if (others) others.push(compound);
      else words.set(both, [compound]);
    }
    const family = { readings, words };
    this.#families.set(kanji, family);
    return family;
  }
}
