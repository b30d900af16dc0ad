import { ByteWriter } from '../binary/section-file.ts';
import { buildTrie } from './build-trie.ts';
import { AscendingTable, writeReading, type DictionaryFacts } from './dictionary.ts';
import type { Table, Tables } from './dictionary-file.ts';
import { SpellingFinder, type Spelling } from './find-spellings.ts';
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
