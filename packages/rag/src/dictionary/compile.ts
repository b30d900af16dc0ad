import { ByteWriter } from '../binary/section-file.ts';
import { buildTrie } from './build-trie.ts';
import type { Table, Tables } from './dictionary-file.ts';
import { AscendingTable, type DictionaryFacts, writeReading } from './dictionary.ts';
import { KindNumbering, readClasses, readWords, type SourceWords } from './source-entries.ts';
import { hashSource, readSource } from './source.ts';

/** How far a compilation has come, from 0 to 1. */
export type CompileProgress = (share: number) => void;

/** Compiles the dictionary of a folder into the tables of a `Dictionary`. */
export function compileDictionary(folder: string, onProgress: CompileProgress = () => {}): Tables {
  const words = readWords(folder);
  onProgress(0.3);
  const trie = buildTrie(words);
  onProgress(0.6);

  const entries = new EntryColumns(words.starts.length);
  for (const word of trie.order) entries.add(words, word);
  const unknown = readClasses(folder);
  const classes = unknown.classes.map(({ always, groups, words: own }) => {
    const firstEntry = entries.size;
    for (const word of own) entries.add(unknown.words, word);
    return { always, groups, firstEntry, lastEntry: entries.size };
  });
  onProgress(0.8);

  const { allFeatures, allRules, left, right, features, rules } = entries.numbering.finish();
  const { matrix, contexts } = transposeMatrix(readSource(folder, 'cc'));
  const source = hashSource(folder);
  const facts: DictionaryFacts = { source, allFeatures, allRules, classes, contexts };
  return {
    ...table('children', trie.children),
    ...table('entries', trie.entries),
    units: trie.units,
    kinds: Uint16Array.from(entries.kinds),
    costs: Int16Array.from(entries.costs),
    kindLeft: left,
    kindRight: right,
    kindFeatures: features,
    kindRules: rules,
    matrix,
    characters: Uint8Array.from(readSource(folder, 'unk_char').subarray(0, 0x10000)),
    ...entries.readingSections(),
    ...spellingSections(entries.spellings.finish()),
    facts: Buffer.from(JSON.stringify(facts)),
  };
}

/** The columns of the entries, in their order. */
class EntryColumns {
  readonly kinds: number[] = [];
  readonly costs: number[] = [];
  readonly numbering: KindNumbering = new KindNumbering();
  readonly spellings: SpellingFinder = new SpellingFinder();
  readonly #readings: ByteWriter;
  readonly #readingStarts: number[] = [];
  /** The first entry of the word that came last, and where the word is. */
  #first = 0;
  #last = '';

  constructor(expected: number) {
    this.#readings = new ByteWriter(expected * 6);
  }

  get size(): number {
    return this.kinds.length;
  }

  add(words: SourceWords, word: number): void {
    const entry = this.size;
    const { kind, pos, detail, isBasic, reading } = this.numbering.of(words, word);
    const cost = words.costs[word] ?? 0;
    this.kinds.push(kind);
    this.costs.push(cost);
    this.#readingStarts.push(this.#readings.length);
    const surface = [words.starts[word] ?? 0, words.ends[word] ?? 0] as const;
    if (!words.isAbsent(reading)) writeReading(this.#readings, words.text, surface, reading);
    const text = words.surfaceOf(word);
    if (text !== this.#last) {
      this.#first = entry;
      this.#last = text;
    }
    if (!isBasic || detail === '固有名詞' || pos === '記号') return;
    const read = words.text.slice(...reading);
    this.spellings.add(text, this.#first, { cost, reading: read, pos });
  }

  readingSections(): Record<string, Table> {
    return {
      readings: this.#readings.view().slice(),
      ...table(
        'readingStarts',
        AscendingTable.from([...this.#readingStarts, this.#readings.length]),
      ),
    };
  }
}

function table(name: string, { bases, offsets }: AscendingTable): Record<string, Table> {
  return { [`${name}Bases`]: bases, [`${name}Offsets`]: offsets };
}

/** Turns the costs so that all that one word may follow lie side by side. */
function transposeMatrix(bytes: Buffer): { matrix: Int16Array; contexts: number } {
  const contexts = bytes.readInt16LE(0);
  const matrix = new Int16Array(contexts * contexts);
  for (let right = 0; right < contexts; right++) {
    for (let left = 0; left < contexts; left++) {
      matrix[left * contexts + right] = bytes.readInt16LE(4 + 2 * (right * contexts + left));
    }
  }
  return { matrix, contexts };
}

/** Spellings by the first entry of their word, with the standard ones in UTF-16. */
function spellingSections(spellings: readonly Spelling[]): Record<string, Table> {
  const units: number[] = [];
  const starts: number[] = [];
  for (const [, standard] of spellings) {
    starts.push(units.length);
    for (let at = 0; at < standard.length; at++) units.push(standard.charCodeAt(at));
  }
  starts.push(units.length);
  return {
    spellingEntries: Uint32Array.from(spellings, ([entry]) => entry),
    spellingUnits: Uint16Array.from(units),
    ...table('spellingStarts', AscendingTable.from(starts)),
  };
}

/** A word with kanji whose kana may be written in other ways. */
const KANJI = /\p{sc=Han}/u;
const KANA = /[\u3041-\u309f\u30a1-\u30ff]/g;

/** A spelling by the first entry of its word, and the one that replaces it. */
type Spelling = readonly [entry: number, standard: string];

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
class SpellingFinder {
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
