import { decodeGaps, encodeGaps } from '../../binary/gap-lists.ts';
import { lowerBound } from '../../binary/lookup-tables.ts';
import { AscendingNumbers, joinTables } from '../../binary/packed-numbers.ts';
import { ByteReader, ByteWriter, type Section } from '../../binary/section-file.ts';
import { SECTIONS } from './segment-layout.ts';

/**
 * How many lists are shared, by hash: by pairs with a kanji, by those with katakana, letters or digits, and by three of
 * hiragana.
 */
const SHARED = 512;
const [FIRST, LAST] = [0x3041, 0x3096];
const HIRAGANA = LAST - FIRST + 1;
/** All keys are lower. */
const KEYS = HIRAGANA ** 2 + 3 * SHARED;

/** Checks whether a unit is one whose fold depends on nothing around it, and that has lists. */
function hasLists(unit: number): boolean {
  if (unit < 0x80) return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
  if (unit < 0x3400) {
    return (
      isHiragana(unit) || (unit >= 0x30a1 && unit <= 0x30fa) || unit === 0x30fc || unit === 0x3005
    );
  }
  return unit <= 0x9fff;
}

function isHiragana(unit: number): boolean {
  return unit >= FIRST && unit <= LAST;
}

/**
 * Calls `visit` with the list of each pair of neighbouring characters, and of three of hiragana; those of the same come
 * again.
 */
export function eachPairKey(folded: string, visit: (key: number) => void): void {
  let first = 0;
  let second = 0;
  for (let at = 0; at < folded.length; at++) {
    const read = folded.charCodeAt(at);
    const unit = hasLists(read) ? read : 0;
    if (unit !== 0 && second !== 0) {
      if (!isHiragana(second) || !isHiragana(unit)) {
        const isRare = !isKanji(second) && !isKanji(unit);
        visit(HIRAGANA ** 2 + (isRare ? SHARED : 0) + hashOf(second, unit));
      } else {
        // Few pairs that make up two of five have lists of their own.
        const pair = (second - FIRST) * HIRAGANA + unit - FIRST;
        visit(pair);
        if (isHiragana(first)) visit(HIRAGANA ** 2 + 2 * SHARED + hashOf(first, pair));
      }
    }
    first = second;
    second = unit;
  }
}

function hashOf(one: number, other: number): number {
  return Math.imul(Math.imul(one, 0x9e3779b1) + other, 0x85ebca6b) >>> 23;
}

function isKanji(unit: number): boolean {
  return unit >= 0x3400 || unit === 0x3005;
}

/** Checks whether a text is a pair with a list of its own: the chunks of the list have the text, and no others. */
export function isExactPair(folded: string): boolean {
  return (
    folded.length === 2 && isHiragana(folded.charCodeAt(0)) && isHiragana(folded.charCodeAt(1))
  );
}

/** In which chunks of a segment pairs of characters are, as they are written or read. The lists are in the file. */
export class PairLists {
  /** Ascending. */
  readonly keys: AscendingNumbers;
  /** Where each list begins, and where the last one ends. */
  readonly #starts: AscendingNumbers;
  readonly #read: (start: number, length: number) => Uint8Array;

  /** @param index - The first of the sections that `PairListsWriter` made. */
  constructor(index: Uint8Array, read: (start: number, length: number) => Uint8Array) {
    this.keys = new AscendingNumbers(index);
    this.#starts = new AscendingNumbers(index.subarray(this.keys.byteLength));
    this.#read = read;
  }

  /** Returns the chunks of the list with a key, in order; valid until `target` is written to. */
  docsOf(key: number, target: Uint32Array): Uint32Array {
    const place = lowerBound(this.keys.length, (at) => this.keys.at(at) < key);
    if (place === this.keys.length || this.keys.at(place) !== key) return target.subarray(0, 0);
    const start = this.#starts.at(place);
    return decodeGaps(this.#read(start, this.#starts.at(place + 1) - start), target);
  }
}

/** Puts lists together, from that with the lowest key on. */
export class PairListsWriter {
  readonly #keys: number[] = [];
  readonly #starts: number[] = [];
  readonly #lists = new ByteWriter(1 << 12);

  /** @param docs - Ascending; no list is written for none. */
  add(key: number, docs: ArrayLike<number>): void {
    if (docs.length === 0) return;
    this.#keys.push(key);
    this.#starts.push(this.#lists.length);
    this.#lists.append(encodeGaps(docs));
  }

  sections(): readonly Section[] {
    const starts = [...this.#starts, this.#lists.length];
    const index = joinTables([AscendingNumbers.write(this.#keys), AscendingNumbers.write(starts)]);
    return [
      { name: SECTIONS.pairs, bytes: index, isResident: true },
      { name: SECTIONS.pairLists, bytes: this.#lists.view(), isResident: false },
    ];
  }
}

/** Collects the pairs of chunks one after the other. */
export class PairListsBuilder {
  /** Gaps by key. */
  readonly #gaps: (ByteWriter | undefined)[] = Array.from({ length: KEYS });
  readonly #last = new Int32Array(KEYS).fill(-1);

  /** @param texts - Folded: the forms in which the chunk is searched. */
  add(doc: number, texts: readonly string[]): void {
    const last = this.#last;
    const take = (key: number): void => {
      const before = last[key] ?? -1;
      if (before === doc) return;
      (this.#gaps[key] ??= new ByteWriter()).varint(doc - before);
      last[key] = doc;
    };
    for (const text of texts) eachPairKey(text, take);
  }

  sections(): readonly Section[] {
    const writer = new PairListsWriter();
    for (const [key, gaps] of this.#gaps.entries()) {
      if (!gaps) continue;
      const reader = new ByteReader(gaps.view());
      const docs: number[] = [];
      for (let doc = -1; !reader.isAtEnd;) docs.push((doc += reader.varint()));
      writer.add(key, docs);
    }
    return writer.sections();
  }
}
