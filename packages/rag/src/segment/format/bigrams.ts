import { AscendingNumbers, joinTables, lowerBound } from '../../binary/packed-tables.ts';
import { ByteReader, ByteWriter, type Section } from '../../binary/section-file.ts';
import { isLetterUnit, normalizeChars } from '../../rank/fold-text.ts';
import { SECTIONS } from './index-layout.ts';

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

/** As many ones before a gap that is written in full. */
const ESCAPE = 20;
const FULL_BITS = 16;

/**
 * Returns the bytes of ascending whole numbers below 2^32: gaps in the code of Rice, which takes about as few bits for
 * each as their density allows.
 *
 * @param numbers - Each once.
 */
export function encodeGaps(numbers: ArrayLike<number>): Uint8Array {
  const writer = new ByteWriter(numbers.length);
  writer.varint(numbers.length);
  if (numbers.length === 0) return writer.view();
  const low = lowBits(numbers);
  writer.byte(low);
  let bits = 0;
  let filled = 0;
  const write = (value: number, count: number): void => {
    bits |= value << filled;
    filled += count;
    for (; filled >= 8; filled -= 8, bits >>>= 8) writer.byte(bits & 255);
  };
  for (let at = 0, before = -1; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    const gap = number - before - 1;
    const high = gap >>> low;
    before = number;
    if (high >= ESCAPE) {
      write((1 << ESCAPE) - 1, ESCAPE);
      write(gap & 0xffff, FULL_BITS);
      write(gap >>> FULL_BITS, FULL_BITS);
      continue;
    }
    write((1 << high) - 1, high + 1);
    for (let from = 0; from < low; from += FULL_BITS) {
      const count = Math.min(FULL_BITS, low - from);
      write((gap >>> from) & ((1 << count) - 1), count);
    }
  }
  if (filled > 0) writer.byte(bits & 255);
  return writer.view();
}

/** Returns how many bits of each gap are written as they are: those with which the list is shortest. */
function lowBits(numbers: ArrayLike<number>): number {
  const mean = ((numbers[numbers.length - 1] ?? 0) + 1) / numbers.length;
  let best = Math.max(0, Math.floor(Math.log2(mean * Math.LN2)));
  let least = bitsWith(numbers, best);
  for (const step of [1, -1]) {
    for (let low = best + step; low >= 0 && low < 32; low += step) {
      const bits = bitsWith(numbers, low);
      if (bits >= least) break;
      [best, least] = [low, bits];
    }
  }
  return best;
}

function bitsWith(numbers: ArrayLike<number>, low: number): number {
  let bits = numbers.length * (low + 1);
  for (let at = 0, before = -1; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    const high = (number - before - 1) >>> low;
    bits += high < ESCAPE ? high : ESCAPE + 2 * FULL_BITS - low - 1;
    before = number;
  }
  return bits;
}

/**
 * Writes down what {@link encodeGaps} was given.
 *
 * @param target - Enlarged by a new one where it is too short.
 * @returns The numbers; valid until `target` is written to.
 */
export function decodeGaps(bytes: Uint8Array, target: Uint32Array): Uint32Array {
  const reader = new ByteReader(bytes);
  const length = reader.varint();
  if (length === 0) return target.subarray(0, 0);
  // A number takes a bit at least.
  if (length > bytes.length * 8) throw new RangeError('Invalid array length of a list');
  const numbers = length > target.length ? new Uint32Array(length) : target;
  const low = reader.byte();
  const mask = 2 ** low - 1;
  let next = reader.at;
  let bits = 0;
  let filled = 0;
  let number = -1;
  for (let at = 0; at < length; at++) {
    let high = 0;
    for (;;) {
      for (; filled <= 23; filled += 8) bits |= (bytes[next++] ?? 0) << filled;
      // The zero that ends the ones is in the bits that are filled, or more have to be read.
      const ones = Math.min(31 - Math.clz32(~bits & -~bits), filled, ESCAPE - high);
      bits >>>= ones;
      filled -= ones;
      high += ones;
      if (high === ESCAPE || (filled > 0 && (bits & 1) === 0)) break;
    }
    let gap = 0;
    const isEscaped = high === ESCAPE;
    if (!isEscaped) {
      bits >>>= 1;
      filled--;
    }
    const count = isEscaped ? 2 * FULL_BITS : low;
    for (let from = 0; from < count; from += FULL_BITS) {
      const some = Math.min(FULL_BITS, count - from);
      for (; filled <= 23; filled += 8) bits |= (bytes[next++] ?? 0) << filled;
      gap |= (bits & ((1 << some) - 1)) << from;
      bits >>>= some;
      filled -= some;
    }
    number += (isEscaped ? gap >>> 0 : ((high << low) | (gap & mask)) >>> 0) + 1;
    numbers[at] = number;
  }
  return numbers.subarray(0, length);
}

const BITS = 15;
/** Buckets of the sketch. */
const BUCKETS = 1 << BITS;

/** Where the sketch counts a pair. */
export function bucketOf(pair: number): number {
  return bucketOfUnits(Math.floor(pair / 65_536), pair % 65_536);
}

function bucketOfUnits(first: number, second: number): number {
  return (Math.imul(first * 31 + second, 0x9e3779b1) >>> (32 - BITS)) & (BUCKETS - 1);
}

/** Where the sketch counts the pairs of a text; a bucket that several of them share comes twice. */
export function bucketsOf(text: string): Uint16Array {
  return findBuckets(text).slice();
}

/** The units of the text whose buckets were found last, and these. */
let units = new Uint16Array(1024);
let found = new Uint16Array(1024);

/** The same as {@link bucketsOf}, valid until the next text. */
function findBuckets(text: string): Uint16Array {
  if (text.length > units.length) units = new Uint16Array(text.length * 2);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  const folded = normalizeChars(units.subarray(0, text.length));
  if (folded.length > found.length) found = new Uint16Array(folded.length * 2);
  let count = 0;
  pairs.begin(folded.length);
  for (let at = 0, before = 0; at < folded.length; at++) {
    const unit = folded[at] ?? 0;
    const isLetter = isLetterUnit(unit);
    if (isLetter && before !== 0 && pairs.add((before << 16) | unit)) {
      found[count++] = bucketOfUnits(before, unit);
    }
    before = isLetter ? unit : 0;
  }
  return found.subarray(0, count);
}

const LEAST_SLOTS = 1024;

/** A set of pairs of characters that begins again for each text: a third of the time of a `Set`. */
class PairSet {
  #pairs = new Int32Array(LEAST_SLOTS);
  /** The text that the pair of a slot is of. */
  #texts = new Uint32Array(LEAST_SLOTS);
  #text = 0;
  #mask = 0;

  /** @param most - How many pairs are added, at most. */
  begin(most: number): void {
    this.#text++;
    const size = Math.max(LEAST_SLOTS, 2 ** Math.ceil(Math.log2(most * 2 + 1)));
    this.#mask = size - 1;
    if (size <= this.#pairs.length) return;
    this.#pairs = new Int32Array(size);
    this.#texts = new Uint32Array(size);
  }

  /**
   * Returns true if it was not in the set.
   *
   * @param pair - Of 32 bits with their sign.
   */
  add(pair: number): boolean {
    for (let slot = Math.imul(pair, 0x9e3779b1) >>> 12; ; slot++) {
      slot &= this.#mask;
      if (this.#texts[slot] !== this.#text) {
        this.#texts[slot] = this.#text;
        this.#pairs[slot] = pair;
        return true;
      }
      if (this.#pairs[slot] === pair) return false;
    }
  }
}

const pairs = new PairSet();

/**
 * How many chunks have each pair of characters, by hash: 128 KB instead of an index of all pairs.
 * Sketches add up: that of an index is the sum of its segments, in which those of deleted chunks
 * count negative.
 */
export class BigramSketch {
  readonly #counts = new Int32Array(BUCKETS);

  /** @param sign - 1 for a chunk that came, -1 for one that went. */
  addText(text: string, sign: 1 | -1): void {
    this.addBuckets(findBuckets(text), sign);
  }

  /** The same with what `bucketsOf` gave. */
  addBuckets(buckets: Uint16Array, sign: 1 | -1): void {
    for (const bucket of buckets) {
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + sign;
    }
  }

  /** Begins again with no chunks. */
  clear(): void {
    this.#counts.fill(0);
  }

  /** In how many chunks a pair is, at least about. */
  count(pair: number): number {
    return this.#counts[bucketOf(pair)] ?? 0;
  }

  /** Adds what {@link BigramSketch.write} wrote. */
  addBytes(bytes: Uint8Array): void {
    const reader = new ByteReader(bytes);
    for (let bucket = -1; !reader.isAtEnd;) {
      bucket += reader.varint() + 1;
      const value = reader.varint();
      const count = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count;
    }
  }

  /** Returns the filled buckets: gap, then the count with its sign in the lowest bit. */
  write(): Uint8Array {
    const writer = new ByteWriter(BUCKETS);
    let last = -1;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = this.#counts[bucket] ?? 0;
      if (count === 0) continue;
      writer.varint(bucket - last - 1);
      writer.varint(count > 0 ? count * 2 : -count * 2 - 1);
      last = bucket;
    }
    return writer.view();
  }
}
