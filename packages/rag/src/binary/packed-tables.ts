import { ByteWriter } from './section-file.ts';

const BLOCK_BITS = 5;
/** A number is read by adding the gaps before it in its block, which are fewer than this. */
const BLOCK: number = 1 << BLOCK_BITS;
const HEADER_BYTES = 8;
/** Written over by each search. */
const ends = new Uint32Array(BLOCK + 1);

/**
 * Ascending whole numbers below 2^32, as gaps of mostly one byte. Every 32nd number is written in full, so that any of
 * them is read by some additions.
 */
export class AscendingNumbers {
  /** How many numbers a block has; the last one may have fewer. */
  static readonly BLOCK: number = BLOCK;
  /** How many there are. */
  readonly length: number;
  /** How much higher a number is than the one before it, of the last that were read. */
  gap = 0;
  /** How many bytes of `data` they take; a multiple of 4. */
  readonly byteLength: number;
  readonly #bases: Uint32Array;
  /** Where the gaps of each block begin. */
  readonly #starts: Uint32Array;
  readonly #gaps: Uint8Array;

  /** @param data - As {@link AscendingNumbers.write} made it, at an address that 4 divides; more may follow. */
  constructor(data: Uint8Array) {
    const { buffer, byteOffset } = data;
    const [length = 0, byteLength = 0] = new Uint32Array(buffer, byteOffset, 2);
    const blocks = Math.ceil(length / BLOCK);
    const gaps = HEADER_BYTES + 8 * blocks;
    this.length = length;
    this.byteLength = byteLength;
    this.#bases = new Uint32Array(buffer, byteOffset + HEADER_BYTES, blocks);
    this.#starts = new Uint32Array(buffer, byteOffset + HEADER_BYTES + 4 * blocks, blocks);
    this.#gaps = new Uint8Array(buffer, byteOffset + gaps, byteLength - gaps);
  }

  /** Returns the number at a place; 0 for a place that does not exist. */
  at(place: number): number {
    if (place >= this.length) return 0;
    return this.#read(place >>> BLOCK_BITS, place & (BLOCK - 1));
  }

  /**
   * Writes the numbers of a block, and the first of the next, into `target`; the numbers of a block begin at the place
   * {@link AscendingNumbers.BLOCK} times its own.
   */
  copyBlock(block: number, target: Uint32Array): void {
    const count = Math.min(BLOCK, this.length - block * BLOCK);
    target[0] = this.#bases[block] ?? 0;
    const last = this.#read(block, count - 1, target);
    target[count] = this.#bases[block + 1] ?? last;
  }

  /** Returns the place of the last number that is not higher, the first of which is 0. */
  placeOf(number: number): number {
    const bases = this.#bases;
    let [low, high] = [0, bases.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((bases[middle] ?? 0) <= number) low = middle + 1;
      else high = middle;
    }
    const block = Math.max(0, low - 1);
    const last = Math.min(BLOCK, this.length - block * BLOCK) - 1;
    this.#read(block, last, ends);
    let place = last;
    while (place > 0 && (ends[place] ?? 0) > number) place--;
    return block * BLOCK + place;
  }

  /** Returns the number at a place; then `gap` is how much higher the next one is. */
  atWithGap(place: number): number {
    if (place + 1 >= this.length) {
      this.gap = 0;
      return this.at(place);
    }
    const next = this.#read(place >>> BLOCK_BITS, (place & (BLOCK - 1)) + 1);
    return next - this.gap;
  }

  /** Reads a number by its place in a block, and writes those after the first and up to it into `target`. */
  #read(block: number, last: number, target?: Uint32Array): number {
    const gaps = this.#gaps;
    let number = this.#bases[block] ?? 0;
    let at = this.#starts[block] ?? 0;
    let gap = 0;
    for (let place = 1; place <= last; place++) {
      gap = gaps[at++] ?? 0;
      if (gap > 127) {
        gap &= 127;
        for (let scale = 128; ; scale *= 128) {
          const byte = gaps[at++] ?? 0;
          gap += (byte & 127) * scale;
          if (byte < 128) break;
        }
      }
      number += gap;
      if (target) target[place] = number;
    }
    this.gap = gap;
    return number;
  }

  /** Returns the bytes of ascending numbers. */
  static write(numbers: ArrayLike<number>): Uint8Array<ArrayBuffer> {
    const blocks = Math.ceil(numbers.length / BLOCK);
    const facts = new Uint32Array(2 + 2 * blocks);
    const gaps = new ByteWriter(numbers.length);
    for (let place = 0, before = 0; place < numbers.length; place++) {
      const number = numbers[place] ?? 0;
      if (place % BLOCK === 0) {
        facts[2 + place / BLOCK] = number;
        facts[2 + blocks + place / BLOCK] = gaps.length;
      } else gaps.varint(number - before);
      before = number;
    }
    const length = Math.ceil((facts.byteLength + gaps.length) / 4) * 4;
    facts[0] = numbers.length;
    facts[1] = length;
    const bytes = new Uint8Array(length);
    bytes.set(new Uint8Array(facts.buffer));
    bytes.set(gaps.view(), facts.byteLength);
    return bytes;
  }
}

/** Whole numbers below 2^32 of as many bytes each as the largest of them needs. */
export class PackedNumbers {
  readonly length: number;
  /** How many bytes of `data` they take; a multiple of 4. */
  readonly byteLength: number;
  readonly #width: number;
  readonly #bytes: Uint8Array;

  /** @param data - As {@link PackedNumbers.write} made it; more may follow. */
  constructor(data: Uint8Array) {
    const view = new DataView(data.buffer, data.byteOffset);
    this.length = view.getUint32(0, true);
    this.#width = view.getUint32(4, true);
    this.byteLength = HEADER_BYTES + Math.ceil((this.length * this.#width) / 4) * 4;
    this.#bytes = new Uint8Array(
      data.buffer,
      data.byteOffset + HEADER_BYTES,
      this.byteLength - HEADER_BYTES,
    );
  }

  /** Returns the number at a place; 0 for a place that does not exist. */
  at(place: number): number {
    const width = this.#width;
    const bytes = this.#bytes;
    const at = place * width;
    if (width === 3) {
      return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    }
    let number = 0;
    for (let byte = width - 1; byte >= 0; byte--) number = number * 256 + (bytes[at + byte] ?? 0);
    return number;
  }

  /** Returns the bytes of numbers in any order. */
  static write(numbers: ArrayLike<number>): Uint8Array<ArrayBuffer> {
    let most = 0;
    for (let place = 0; place < numbers.length; place++) most = Math.max(most, numbers[place] ?? 0);
    const width = Math.ceil((32 - Math.clz32(most)) / 8);
    const bytes = new Uint8Array(HEADER_BYTES + Math.ceil((numbers.length * width) / 4) * 4);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, numbers.length, true);
    view.setUint32(4, width, true);
    for (let place = 0, at = HEADER_BYTES; place < numbers.length; place++) {
      let rest = numbers[place] ?? 0;
      for (let byte = 0; byte < width; byte++, rest >>>= 8) bytes[at++] = rest & 255;
    }
    return bytes;
  }
}

/** Puts tables one after the other; each of them is a multiple of 4 bytes long. */
export function joinTables(tables: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(tables.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const table of tables) {
    joined.set(table, at);
    at += table.length;
  }
  return joined;
}

/**
 * Returns the first place from 0 to `count` that is not before what is looked for, by binary search.
 *
 * @param isBefore - True up to some place, and false from there on.
 */
export function lowerBound(count: number, isBefore: (place: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** As many ends of strings are read in one step; the strings that are read most come first, where any are. */
const FIRST = 16_384;
/** Written over by each string that is looked up. */
let lengthThere = 0;

/**
 * Strings in one block of memory, as UTF-16 code units: nothing is lost, lone surrogates neither.
 * A table that was written sorted can be searched.
 */
export class StringTable {
  readonly size: number;
  readonly #ends: AscendingNumbers;
  readonly #first: Uint32Array;
  readonly #units: Uint16Array;
  readonly #bytes: Buffer;
  /** The first two units of the first string of each block: a search reads the strings of few blocks. */
  #heads: Uint32Array | undefined;

  /**
   * @param bounds - Where the strings begin, and where the last one ends.
   * @param data - From `start` on, it has the code units of all strings.
   */
  private constructor(bounds: AscendingNumbers, data: Uint8Array, start: number) {
    this.size = bounds.length - 1;
    this.#ends = bounds;
    const length = bounds.at(this.size);
    this.#units = new Uint16Array(data.buffer, data.byteOffset + start, length);
    this.#bytes = Buffer.from(data.buffer, data.byteOffset + start, length * 2);
    this.#first = new Uint32Array(Math.min(FIRST, bounds.length));
    for (let at = 0; at < this.#first.length; at += AscendingNumbers.BLOCK) {
      bounds.copyBlock(at / AscendingNumbers.BLOCK, ends);
      this.#first.set(
        ends.subarray(0, Math.min(AscendingNumbers.BLOCK, this.#first.length - at)),
        at,
      );
    }
  }

  /** @param data - As {@link StringTable.write} made it, at an address that 4 divides. */
  static read(data: Uint8Array): StringTable {
    const bounds = new AscendingNumbers(data);
    return new StringTable(bounds, data, bounds.byteLength);
  }

  /** @param data - As {@link StringTable.writePlain} made it, at an address that 4 divides. */
  static readPlain(data: Uint8Array): StringTable {
    const count = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
    const bounds = new Uint32Array(data.buffer, data.byteOffset + 4, count + 1);
    const packed = new AscendingNumbers(AscendingNumbers.write(bounds));
    return new StringTable(packed, data, 4 * (count + 2));
  }

  get(index: number): string {
    return this.#bytes.toString('utf16le', 2 * this.#offset(index), 2 * this.#offset(index + 1));
  }

  /** Returns the strings at these places as one: much faster than to put them together one by one. */
  join(indexes: Uint32Array): string {
    let length = 0;
    for (let at = 0; at < indexes.length; at++) length += this.lengthOf(indexes[at] ?? 0);
    const text = new Uint16Array(length);
    let end = 0;
    for (let at = 0; at < indexes.length; at++) end = this.copy(indexes[at] ?? 0, text, end);
    return Buffer.from(text.buffer).toString('utf16le');
  }

  /** Writes a string into `target`; returns the place after it. */
  copy(index: number, target: Uint16Array, start: number): number {
    const units = this.#units;
    const from = this.#bound(index);
    const end = from + lengthThere;
    let at = start;
    for (let unit = from; unit < end; unit++) target[at++] = units[unit] ?? 0;
    return at;
  }

  /** Returns the length of a string in UTF-16 code units. */
  lengthOf(index: number): number {
    this.#bound(index);
    return lengthThere;
  }

  /** Returns the place of a string in a sorted table, or -1. */
  find(text: string): number {
    const at = this.lowerBound(text);
    return at < this.size && this.#compare(at, text) === 0 ? at : -1;
  }

  /** Returns the place of the first string that is not before `text` in a sorted table. */
  lowerBound(text: string): number {
    const heads = (this.#heads ??= this.#readHeads());
    const head = (text.charCodeAt(0) << 16) >>> 0;
    const sought = text.length > 1 ? head + text.charCodeAt(1) : head;
    const first = lowerBound(heads.length, (at) => (heads[at] ?? 0) < sought);
    let block = Math.max(0, first - 1);
    // Blocks that begin with the same two units are distinguished by their whole first strings.
    for (let next = block + 1; next < heads.length && (heads[next] ?? 0) <= sought; next++) {
      if (this.#compare(next * AscendingNumbers.BLOCK, text) > 0) break;
      block = next;
    }
    const from = block * AscendingNumbers.BLOCK;
    if (from >= this.size) return this.size;
    this.#ends.copyBlock(block, ends);
    const count = Math.min(AscendingNumbers.BLOCK, this.size - from);
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compareAt(ends[middle] ?? 0, ends[middle + 1] ?? 0, text) < 0) low = middle + 1;
      else high = middle;
    }
    return from + low;
  }

  #readHeads(): Uint32Array {
    const heads = new Uint32Array(Math.ceil(this.size / AscendingNumbers.BLOCK));
    for (let block = 0; block < heads.length; block++) {
      const place = block * AscendingNumbers.BLOCK;
      const [at, end] = [this.#offset(place), this.#offset(place + 1)];
      const head = at < end ? ((this.#units[at] ?? 0) << 16) >>> 0 : 0;
      heads[block] = at + 1 < end ? head + (this.#units[at + 1] ?? 0) : head;
    }
    return heads;
  }

  /** Checks whether the string at a place begins with `text`. */
  startsWith(index: number, text: string): boolean {
    return this.#matchesAt(this.#offset(index), index, text);
  }

  /** Checks whether the string at a place ends with `text`. */
  endsWith(index: number, text: string): boolean {
    return this.#matchesAt(this.#offset(index + 1) - text.length, index, text);
  }

  /** How the string at a place, read backwards, compares with `text` read backwards. */
  compareEnd(index: number, text: string): number {
    const end = this.#offset(index + 1);
    const length = this.lengthOf(index);
    const shared = Math.min(length, text.length);
    for (let back = 1; back <= shared; back++) {
      const difference = (this.#units[end - back] ?? 0) - text.charCodeAt(text.length - back);
      if (difference !== 0) return difference;
    }
    return length - text.length;
  }

  /** Returns the places of the strings that have `text` anywhere, in order: one search through all of them. */
  *placesWith(text: string): Generator<number> {
    if (text === '') return;
    let from = 0;
    for (;;) {
      const byte = this.#bytes.indexOf(text, 2 * from, 'utf16le');
      if (byte < 0) return;
      const unit = byte / 2;
      const place = this.#ends.placeOf(unit);
      const end = this.#offset(place + 1);
      const isInside = unit + text.length <= end;
      if (isInside) yield place;
      from = isInside ? end : unit + 1;
    }
  }

  /** Checks whether the string at a place has `text` anywhere. */
  includes(index: number, text: string): boolean {
    const last = this.#offset(index + 1) - text.length;
    for (let at = this.#offset(index); at <= last; at++) {
      if (this.#matchesAt(at, index, text)) return true;
    }
    return false;
  }

  /** Returns the bytes of a table with these strings, in this order. */
  static write(strings: readonly string[]): Uint8Array {
    return withUnits(AscendingNumbers.write(endsOf(strings)), strings);
  }

  /** The same with every end in four bytes. */
  static writePlain(strings: readonly string[]): Uint8Array {
    const bounds = endsOf(strings);
    const header = new Uint32Array(bounds.length + 1);
    header[0] = strings.length;
    header.set(bounds, 1);
    return withUnits(new Uint8Array(header.buffer), strings);
  }

  /** Returns where a string begins; its length is in `lengthThere` then. */
  #bound(index: number): number {
    const first = this.#first;
    const place = index % AscendingNumbers.BLOCK;
    if (index + 1 < first.length || place + 1 === AscendingNumbers.BLOCK) {
      const start = this.#offset(index);
      lengthThere = this.#offset(index + 1) - start;
      return start;
    }
    const start = this.#ends.atWithGap(index);
    lengthThere = this.#ends.gap;
    return start;
  }

  #offset(index: number): number {
    return index < FIRST ? (this.#first[index] ?? 0) : this.#ends.at(index);
  }

  #matchesAt(at: number, index: number, text: string): boolean {
    if (at < this.#offset(index) || at + text.length > this.#offset(index + 1)) return false;
    for (let unit = 0; unit < text.length; unit++) {
      if (this.#units[at + unit] !== text.charCodeAt(unit)) return false;
    }
    return true;
  }

  #compare(index: number, text: string): number {
    return this.#compareAt(this.#offset(index), this.#offset(index + 1), text);
  }

  #compareAt(start: number, end: number, text: string): number {
    const units = this.#units;
    const length = end - start;
    const shared = Math.min(length, text.length);
    for (let unit = 0; unit < shared; unit++) {
      const difference = (units[start + unit] ?? 0) - text.charCodeAt(unit);
      if (difference !== 0) return difference;
    }
    return length - text.length;
  }
}

function endsOf(strings: readonly string[]): Uint32Array {
  const all = new Uint32Array(strings.length + 1);
  for (const [index, text] of strings.entries()) all[index + 1] = (all[index] ?? 0) + text.length;
  return all;
}

function withUnits(header: Uint8Array, strings: readonly string[]): Uint8Array {
  const length = strings.reduce((sum, text) => sum + text.length, 0);
  const bytes = Buffer.allocUnsafeSlow(header.length + 2 * length);
  bytes.set(header);
  let at = header.length;
  for (const text of strings) at += bytes.write(text, at, 'utf16le');
  return bytes;
}

/** How many slots there are for each number: half of them stay empty at least. */
const SLOTS = 4;

/**
 * Maps each of a few numbers to another, looked up millions of times: a hash table in two arrays, which
 * takes a fraction of the time of a `Map` and makes no objects. Numbers are distinguished by their lowest
 * 32 bits.
 */
export class NumberTable {
  /** How many numbers there are. */
  readonly size: number;
  readonly #keys: Int32Array;
  /** -1 where a slot is empty. */
  readonly #values: Int32Array;
  readonly #shift: number;

  /** @param entries - Values from 0. */
  constructor(entries: ReadonlyMap<number, number>) {
    const bits = Math.ceil(Math.log2(Math.max(4, SLOTS * entries.size)));
    this.size = entries.size;
    this.#keys = new Int32Array(1 << bits);
    this.#values = new Int32Array(1 << bits).fill(-1);
    this.#shift = 32 - bits;
    for (const [key, value] of entries) {
      let slot = this.#slotOf(key);
      while ((this.#values[slot] ?? -1) >= 0) slot = (slot + 1) & (this.#keys.length - 1);
      this.#keys[slot] = key;
      this.#values[slot] = value;
    }
  }

  /** Returns the value of a number, or -1. */
  get(key: number): number {
    const number = key | 0;
    for (let slot = this.#slotOf(number); ; slot = (slot + 1) & (this.#keys.length - 1)) {
      const value = this.#values[slot] ?? -1;
      if (value < 0 || this.#keys[slot] === number) return value;
    }
  }

  /** Calls `visit` with the lowest 32 bits of each number. */
  eachKey(visit: (key: number) => void): void {
    for (const [slot, value] of this.#values.entries())
      if (value >= 0) visit(this.#keys[slot] ?? 0);
  }

  #slotOf(key: number): number {
    return Math.imul(key, 0x9e3779b1) >>> this.#shift;
  }
}

/** Numbers things as they come, those of the same key with the same number. */
export class Numbering<Thing> {
  /** By their numbers. */
  readonly things: Thing[] = [];
  readonly #numbers = new Map<string, number>();

  of(key: string, thing: Thing): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.things.length);
    return this.things.push(thing) - 1;
  }
}
