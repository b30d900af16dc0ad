import { lowerBound } from '../binary/packed-tables.ts';
import type { ByteWriter } from '../binary/section-file.ts';
import { RagError } from '../errors.ts';
import type { Table, TableBytes } from './dictionary-file.ts';
import { katakanaUnit, toKatakana } from './kana-and-scripts.ts';

/** The content of a dictionary besides its tables. */
export interface DictionaryFacts {
  /** Distinguishes the dictionary that was compiled from others. */
  readonly source: string;
  readonly allFeatures: readonly (readonly string[])[];
  readonly allRules: readonly (readonly [cut: number, add: string] | null)[];
  /** By the number of a class: what is done with unknown words, whose entries come last. */
  readonly classes: readonly {
    readonly always: boolean;
    readonly groups: boolean;
    readonly firstEntry: number;
    readonly lastEntry: number;
  }[];
  /** How many connections a side has. */
  readonly contexts: number;
}

/** A word of two kanji with the kana after each. */
export interface Compound {
  readonly word: string;
  /** Part of speech. */
  readonly pos: string;
  /** In katakana. */
  readonly reading: string;
  readonly basic: string;
}

interface TableKind<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
}

/**
 * A compiled dictionary, used as it is in its file. An entry is a word in one of its meanings,
 * known by a number; the entries of a surface follow each other, those of unknown words come last.
 */
export class Dictionary {
  readonly trie: Trie;
  readonly facts: DictionaryFacts;
  /** The kind of each entry; see `WordKinds`. */
  readonly kinds: Uint16Array;
  readonly costs: Int16Array;
  /** The connection numbers of the entries of a kind, to the left and to the right. */
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
  /** By their first kanji, as they are asked for. */
  readonly #twoKanji = new Map<string, ReadonlyMap<string, string>>();
  readonly #compounds = new Map<string, ReadonlyMap<string, string>>();

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

  /** Returns the basic form of an entry with this surface; the surface itself if it has none. */
  basicOf(entry: number, surface: string): string {
    const rule = this.facts.allRules[this.#kindRules[this.kinds[entry] ?? 0] ?? 0];
    if (!rule) return surface;
    const [cut, add] = rule;
    if (cut === 0) return add === '' ? surface : surface + add;
    return surface.slice(0, surface.length - cut) + add;
  }

  /** Returns the reading of an entry with this surface in katakana; empty if it is not known. */
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

  /** Returns the entries of a surface: the first one, and the one after the last. */
  entriesOf(surface: string): readonly [from: number, to: number] {
    const node = this.trie.find(surface);
    if (node === 0) return [0, 0];
    return [this.trie.entries.at(node), this.trie.entries.at(node + 1)];
  }

  /**
   * Returns the word of two kanji that begins with one and is read on as these kana, as `障害` for 障 and `ガイ`; undefined if
   * there is none, or more than one.
   */
  mixedSpelling(kanji: string, kana: string): string | undefined {
    let byReading = this.#twoKanji.get(kanji);
    if (!byReading) this.#twoKanji.set(kanji, (byReading = this.#wordsOfTwoKanji(kanji)));
    const found = [...byReading].filter(
      ([reading]) => reading.length > kana.length && reading.endsWith(kana),
    );
    return found.length === 1 ? found[0]?.[1] : undefined;
  }

  /**
   * Returns the noun of two kanji with kana, such as `寝返り` or `立て替え`, that begins with this kanji and has this
   * reading; undefined if there is none.
   */
  compoundSpelling(kanji: string, reading: string): string | undefined {
    let byReading = this.#compounds.get(kanji);
    if (!byReading) this.#compounds.set(kanji, (byReading = this.#nounsOf(kanji)));
    return byReading.get(reading);
  }

  /**
   * Returns the nouns and verbs that begin with a kanji and another one, each with up to three kana after it.
   *
   * @param second - The other one. Default: any.
   */
  *compoundsOf(kanji: string, second?: string): Generator<Compound> {
    for (const { node, word } of this.#wordsFrom(kanji, second)) {
      if (!WITH_TWO_KANJI.test(word)) continue;
      const end = this.trie.entries.at(node + 1);
      for (let entry = this.trie.entries.at(node); entry < end; entry++) {
        const [pos = '', detail] = this.featuresOf(entry);
        if ((pos !== '名詞' && pos !== '動詞') || detail === '固有名詞') continue;
        yield { word, pos, reading: this.readingOf(entry, word), basic: this.basicOf(entry, word) };
      }
    }
  }

  /** All that begins with a kanji and may be a word of two, the second of which may be given. */
  *#wordsFrom(
    kanji: string,
    second?: string,
  ): Generator<{ readonly node: number; readonly word: string }> {
    const open = [{ node: this.trie.find(kanji), word: kanji }];
    for (let last = open.pop(); last; last = open.pop()) {
      const children =
        second === undefined
          ? this.trie.childrenOf(last.node)
          : this.#kanaAndKanji(last.node, last.word.includes(second, 1) ? '' : second);
      for (const [node, unit] of children) {
        const word = last.word + String.fromCharCode(unit);
        if (!BEGINS_COMPOUND.test(word)) continue;
        open.push({ node, word });
        yield { node, word };
      }
    }
  }

  /** The children of a node that are kana, and that of a kanji; none of no node. */
  *#kanaAndKanji(node: number, kanji: string): Generator<readonly [node: number, unit: number]> {
    // A step from there would be one from the root.
    if (node === 0) return;
    for (const child of this.trie.childrenOf(node)) {
      // They are in the order of their units.
      if (child[1] > LAST_KANA) break;
      if (child[1] >= FIRST_KANA) yield child;
    }
    const unit = kanji === '' ? 0 : kanji.charCodeAt(0);
    const child = unit === 0 ? 0 : this.trie.step(node, unit);
    if (child !== 0) yield [child, unit];
  }

  #nounsOf(kanji: string): ReadonlyMap<string, string> {
    const found = new Map<string, { readonly word: string; readonly cost: number }>();
    for (const { node, word } of this.#wordsFrom(kanji)) {
      if (COMPOUND.test(word)) this.#addNouns(found, node, word);
    }
    return new Map([...found].map(([reading, { word }]) => [reading, word]));
  }

  /** Nouns of two kanji by their readings, the most common of each. */
  #wordsOfTwoKanji(kanji: string): ReadonlyMap<string, string> {
    const found = new Map<string, { readonly word: string; readonly cost: number }>();
    for (const [node, second] of this.trie.childrenOf(this.trie.find(kanji))) {
      if (second < FIRST_KANJI || second > LAST_KANJI) continue;
      this.#addNouns(found, node, kanji + String.fromCharCode(second));
    }
    return new Map([...found].map(([reading, { word }]) => [reading, word]));
  }

  /** Adds the nouns of a node by their readings, where they are the most common. */
  #addNouns(
    found: Map<string, { readonly word: string; readonly cost: number }>,
    node: number,
    word: string,
  ): void {
    const end = this.trie.entries.at(node + 1);
    for (let entry = this.trie.entries.at(node); entry < end; entry++) {
      const [pos, detail] = this.featuresOf(entry);
      if (pos !== '名詞' || detail === '固有名詞') continue;
      const reading = this.readingOf(entry, word);
      const cost = this.costs[entry] ?? 0;
      const known = found.get(reading);
      if (!known || cost < known.cost) found.set(reading, { word, cost });
    }
  }

  /** Returns the spelling that replaces all of a word's, which may be itself; see `findSpellings`. */
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

/** Two kanji with up to two kana after each, and the beginning of it. */
const COMPOUND = /^\p{sc=Han}[\u3041-\u3096]{0,2}\p{sc=Han}[\u3041-\u3096]{1,2}$/u;
const WITH_TWO_KANJI = /^\p{sc=Han}[\u3041-\u3096]{0,3}\p{sc=Han}/u;
const BEGINS_COMPOUND = /^\p{sc=Han}[\u3041-\u3096]{0,3}(?:\p{sc=Han}[\u3041-\u3096]{0,3})?$/u;
const FIRST_KANA = 0x3041;
const LAST_KANA = 0x3096;
const FIRST_KANJI = 0x4e00;
const LAST_KANJI = 0x9fff;

/** Up to here a line of children is looked through one by one. */
const FEW = 8;

/** Walks a trie that `buildTrie` made. */
class Trie {
  /** The first entry of each node; the next node's first ends them. */
  readonly entries: AscendingTable;
  readonly #units: Uint16Array;
  readonly #children: AscendingTable;
  /** The children of the root, which has thousands, by their unit. */
  readonly #roots: Int32Array = new Int32Array(0x10000);

  constructor(units: Uint16Array, children: AscendingTable, entries: AscendingTable) {
    this.#units = units;
    this.#children = children;
    this.entries = entries;
    const end = children.at(1);
    for (let node = children.at(0); node < end; node++) this.#roots[units[node] ?? 0] = node;
  }

  /** Returns the node that a unit leads to, or 0 if there is none. */
  step(node: number, unit: number): number {
    if (node === 0) return this.#roots[unit] ?? 0;
    const units = this.#units;
    let low = this.#children.at(node);
    let high = this.#children.at(node + 1);
    while (high - low > FEW) {
      const middle = (low + high) >> 1;
      if ((units[middle] ?? 0) <= unit) low = middle;
      else high = middle;
    }
    for (; low < high; low++) if (units[low] === unit) return low;
    return 0;
  }

  /** Returns the children of a node with the units that lead to them, in the order of the units. */
  *childrenOf(node: number): Generator<readonly [node: number, unit: number]> {
    if (node === 0) return;
    const end = this.#children.at(node + 1);
    for (let child = this.#children.at(node); child < end; child++) {
      yield [child, this.#units[child] ?? 0];
    }
  }

  /** Returns the node of a word, or 0 if no word begins so. */
  find(word: string): number {
    let node = 0;
    for (let at = 0; at < word.length; at++) {
      node = this.step(node, word.charCodeAt(at));
      if (node === 0) return 0;
    }
    return node;
  }
}

/** How many numbers share a base. */
const BLOCK_BITS = 6;

/**
 * Numbers that never fall, in two bytes each: an offset from the base that 64 of them share.
 * It is ready as it is in the file.
 */
export class AscendingTable {
  readonly bases: Uint32Array;
  readonly offsets: Uint16Array;

  constructor(bases: Uint32Array, offsets: Uint16Array) {
    this.bases = bases;
    this.offsets = offsets;
  }

  /** @throws RangeError if 64 neighbours are further apart than two bytes can hold. */
  static from(numbers: readonly number[] | Uint32Array): AscendingTable {
    const bases = new Uint32Array((numbers.length >> BLOCK_BITS) + 1);
    const offsets = new Uint16Array(numbers.length);
    let base = 0;
    for (let index = 0; index < numbers.length; index++) {
      const number = numbers[index] ?? 0;
      if (index % (1 << BLOCK_BITS) === 0) {
        base = number;
        bases[index >> BLOCK_BITS] = base;
      }
      if (number < base || number - base > 0xffff) {
        throw new RangeError(`the number ${number} does not fit after ${base}`);
      }
      offsets[index] = number - base;
    }
    return new AscendingTable(bases, offsets);
  }

  at(index: number): number {
    return (this.bases[index >> BLOCK_BITS] ?? 0) + (this.offsets[index] ?? 0);
  }
}

/** A reading that is the word itself in katakana. */
const SAME = 0xff;
/** A unit outside of the block of kana: its two bytes follow. */
const OTHER = 0;
const BLOCK = 0x3000;

/** Writes the reading of a word, both pieces of one text: a byte for each kana. */
export function writeReading(
  bytes: ByteWriter,
  text: string,
  word: readonly [from: number, to: number],
  reading: readonly [from: number, to: number],
): void {
  const [from, to] = reading;
  const [start, end] = word;
  let isSame = to - from === end - start;
  for (let at = 0; isSame && at < to - from; at++) {
    isSame = katakanaUnit(text.charCodeAt(start + at)) === text.charCodeAt(from + at);
  }
  if (isSame) {
    bytes.byte(SAME);
    return;
  }
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    const code = unit - BLOCK;
    if (code > OTHER && code < SAME) bytes.byte(code);
    else for (const byte of [OTHER, unit >> 8, unit & 0xff]) bytes.byte(byte);
  }
}

/** Returns the reading whose bytes are at `from`, or the empty string if there are none. */
function decodeReading(bytes: Uint8Array, from: number, to: number, surface: string): string {
  if (bytes[from] === SAME && to - from === 1) return toKatakana(surface);
  let reading = '';
  for (let at = from; at < to; at++) {
    const code = bytes[at] ?? 0;
    if (code !== OTHER) reading += String.fromCharCode(BLOCK + code);
    else reading += String.fromCharCode(((bytes[++at] ?? 0) << 8) | (bytes[++at] ?? 0));
  }
  return reading;
}
