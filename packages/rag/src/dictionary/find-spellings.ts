/** A word with kanji whose kana may be written in other ways. */
const KANJI = /\p{sc=Han}/u;
const KANA = /[\u3041-\u309f\u30a1-\u30ff]/g;

/** A spelling by the first entry of its word, and the one that replaces it. */
export type Spelling = readonly [entry: number, standard: string];

/** A word that may be a spelling of another. */
interface Candidate {
  readonly word: string;
  /** The first entry of the word. */
  readonly entry: number;
  readonly cost: number;
  readonly reading: string;
  /** Part of speech. */
  readonly pos: string;
  /** True if all entries of the word have this reading. */
  isClear: boolean;
}

/**
 * Finds words that differ in nothing but how many of their kana are written out, such as `行なう` and
 * `行う`, or `取り扱い`, `取扱い` and `取扱`: the same kanji, reading and part of speech. The one that
 * the dictionary thinks most common represents all. Words with several readings are left alone, as
 * `上る` is only sometimes `上がる`; names are too.
 */
export class SpellingFinder {
  readonly #candidates: Candidate[] = [];
  /** Those of the word that came last. */
  #own: Candidate[] = [];

  /** Takes an entry that is its own basic form, in the order of the entries. */
  add(word: string, entry: number, facts: Pick<Candidate, 'cost' | 'reading' | 'pos'>): void {
    if (!KANJI.test(word)) return;
    const [last] = this.#own;
    if (last?.word !== word) this.#own = [];
    const candidate = {
      word,
      entry: last?.word === word ? last.entry : entry,
      ...facts,
      isClear: true,
    };
    this.#own.push(candidate);
    this.#candidates.push(candidate);
    if (this.#own.every(({ reading }) => reading === facts.reading)) return;
    for (const one of this.#own) one.isClear = false;
  }

  /** Returns the spellings that are replaced, in the order of their entries. */
  finish(): readonly Spelling[] {
    const spellings = new Map<string, { readonly entry: number; readonly standard: string }>();
    for (const group of this.#groups()) {
      const clear = group
        .filter(({ isClear }) => isClear)
        .toSorted((a, b) => a.cost - b.cost || (a.word < b.word ? -1 : 1));
      const standard = clear[0]?.word;
      if (standard === undefined) continue;
      for (const { word, entry } of clear) {
        if (word !== standard && !spellings.has(word)) spellings.set(word, { entry, standard });
      }
    }
    // A word of two kinds could lead to one that itself leads on.
    return [...spellings.values()]
      .filter(({ standard }) => !spellings.has(standard))
      .map(({ entry, standard }): Spelling => [entry, standard])
      .toSorted(([a], [b]) => a - b);
  }

  /** Words with the same kanji, reading and part of speech, where one of them has kana: others have no other spelling. */
  #groups(): Iterable<readonly Candidate[]> {
    const groups = new Map<string, Candidate[]>();
    const keyOf = ({ word, reading, pos }: Candidate, kanji: string = word): string =>
      `${kanji} ${reading} ${pos}`;
    const withKana = this.#candidates.map(({ word }) => word.replace(KANA, ''));
    for (const [at, candidate] of this.#candidates.entries()) {
      const kanji = withKana[at] ?? '';
      if (kanji !== candidate.word) groups.set(keyOf(candidate, kanji), []);
    }
    const inOrder = new Set<Candidate[]>();
    for (const [at, candidate] of this.#candidates.entries()) {
      const group = groups.get(keyOf(candidate, withKana[at]));
      if (!group) continue;
      group.push(candidate);
      inOrder.add(group);
    }
    return inOrder;
  }
}
