import { lowerBound } from '../binary/lower-bound.ts';
import { RagError } from '../errors.ts';
import { AscendingTable } from './ascending-table.ts';
import type { DictionaryFacts } from './compile.ts';
import { decodeReading } from './reading-code.ts';
import type { Table, TableBytes } from './dictionary-file.ts';
import { Trie } from './trie.ts';

interface TableKind<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
}

/**
 * A compiled dictionary, used as it lies in its file. An entry is a word in one of its meanings,
 * known by a number; the entries of a surface follow each other, those of unknown words come last.
 */
export class Dictionary {
  readonly trie: Trie;
  readonly facts: DictionaryFacts;
  /** The kind of each entry; see `WordKinds`. */
  readonly kinds: Uint16Array;
  readonly costs: Int16Array;
  /** What the entries of a kind connect as, to the left and to the right. */
  readonly kindLeft: Uint16Array;
  readonly kindRight: Uint16Array;
  /** The cost of a connection: `left of the second * contexts + right of the first`. */
  readonly matrix: Int16Array;
  /** The class of each UTF-16 unit. */
  readonly characters: Uint8Array;
  readonly #kindFeatures: Uint16Array;
  readonly #kindRules: Uint8Array;
  readonly #readings: Uint8Array;
  readonly #readingStarts: AscendingTable;
  readonly #spellingEntries: Uint32Array;
  readonly #spellingUnits: Uint16Array;
  readonly #spellingStarts: AscendingTable;

  /** @throws RagError with the code `dictionary-failed` if a table is missing. */
  constructor(tables: TableBytes) {
    const typed = <T extends Table>(name: string, Kind: TableKind<T>): T => {
      const bytes = tables.get(name);
      if (bytes) {
        return new Kind(bytes.buffer, bytes.byteOffset, bytes.length / Kind.BYTES_PER_ELEMENT);
      }
      throw new RagError('dictionary-failed', `the dictionary has no table '${name}'`);
    };
    const table = (name: string): AscendingTable =>
      new AscendingTable(typed(`${name}Bases`, Uint32Array), typed(`${name}Offsets`, Uint16Array));

    this.trie = new Trie(typed('units', Uint16Array), table('children'), table('entries'));
    this.kinds = typed('kinds', Uint16Array);
    this.costs = typed('costs', Int16Array);
    this.kindLeft = typed('kindLeft', Uint16Array);
    this.kindRight = typed('kindRight', Uint16Array);
    this.matrix = typed('matrix', Int16Array);
    this.characters = typed('characters', Uint8Array);
    this.#kindFeatures = typed('kindFeatures', Uint16Array);
    this.#kindRules = typed('kindRules', Uint8Array);
    this.#readings = typed('readings', Uint8Array);
    this.#readingStarts = table('readingStarts');
    this.#spellingEntries = typed('spellingEntries', Uint32Array);
    this.#spellingUnits = typed('spellingUnits', Uint16Array);
    this.#spellingStarts = table('spellingStarts');
    const facts = Buffer.from(typed('facts', Uint8Array)).toString();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `compileDictionary` wrote it
    this.facts = JSON.parse(facts) as DictionaryFacts;
  }

  /** Part of speech, three details, type and form of conjugation. */
  featuresOf(entry: number): readonly string[] {
    return this.facts.allFeatures[this.#kindFeatures[this.kinds[entry] ?? 0] ?? 0] ?? [];
  }

  /** The basic form of an entry with this surface; the surface itself if it has none. */
  basicOf(entry: number, surface: string): string {
    const rule = this.facts.allRules[this.#kindRules[this.kinds[entry] ?? 0] ?? 0];
    if (!rule) return surface;
    const [cut, add] = rule;
    if (cut === 0) return add === '' ? surface : surface + add;
    return surface.slice(0, surface.length - cut) + add;
  }

  /** The reading of an entry with this surface in katakana; empty if it is not known. */
  readingOf(entry: number, surface: string): string {
    const [from, to] = [this.#readingStarts.at(entry), this.#readingStarts.at(entry + 1)];
    return decodeReading(this.#readings, from, to, surface);
  }

  /** All readings of a surface, without repetition. */
  readingsOf(surface: string): readonly string[] {
    const [from, to] = this.entriesOf(surface);
    const readings = new Set<string>();
    for (let entry = from; entry < to; entry++) readings.add(this.readingOf(entry, surface));
    readings.delete('');
    return [...readings];
  }

  /** The entries of a surface: the first one, and the one behind the last. */
  entriesOf(surface: string): readonly [from: number, to: number] {
    const node = this.trie.find(surface);
    if (node === 0) return [0, 0];
    return [this.trie.entries.at(node), this.trie.entries.at(node + 1)];
  }

  /** The spelling that stands for all of a word's, which may be itself; see `findSpellings`. */
  standardSpelling(word: string): string {
    const [first, last] = this.entriesOf(word);
    if (first === last) return word;
    const entries = this.#spellingEntries;
    const place = lowerBound(entries.length, (at) => (entries[at] ?? 0) < first);
    if (entries[place] !== first) return word;
    const [from, to] = [this.#spellingStarts.at(place), this.#spellingStarts.at(place + 1)];
    return String.fromCharCode(...this.#spellingUnits.subarray(from, to));
  }
}
