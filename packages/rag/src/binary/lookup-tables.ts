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

/**
 * Strings in one block of memory, as UTF-16 code units: nothing is lost, lone surrogates neither.
 * A table that was written sorted can be searched.
 */
export class StringTable {
  readonly #offsets: Uint32Array;
  readonly #units: Uint16Array;
  readonly #bytes: Buffer;

  /** @param data - As {@link StringTable.write} made it, at an address that 4 divides. */
  constructor(data: Uint8Array) {
    const count = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
    this.#offsets = new Uint32Array(data.buffer, data.byteOffset + 4, count + 1);
    const start = data.byteOffset + 4 * (count + 2);
    const length = this.#offsets[count] ?? 0;
    this.#units = new Uint16Array(data.buffer, start, length);
    this.#bytes = Buffer.from(data.buffer, start, length * 2);
  }

  get size(): number {
    return this.#offsets.length - 1;
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
    const end = this.#offsets[index + 1] ?? 0;
    let at = start;
    for (let unit = this.#offsets[index] ?? 0; unit < end; unit++) {
      target[at++] = this.#units[unit] ?? 0;
    }
    return at;
  }

  /** Returns the length of a string in UTF-16 code units. */
  lengthOf(index: number): number {
    return this.#offset(index + 1) - this.#offset(index);
  }

  /** Returns the place of a string in a sorted table, or -1. */
  find(text: string): number {
    const at = this.lowerBound(text);
    return at < this.size && this.#compare(at, text) === 0 ? at : -1;
  }

  /** Returns the place of the first string that is not before `text` in a sorted table. */
  lowerBound(text: string): number {
    return lowerBound(this.size, (at) => this.#compare(at, text) < 0);
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
      const place = lowerBound(this.size, (index) => this.#offset(index + 1) <= unit);
      const end = this.#offset(place + 1);
      const isInside = unit + text.length <= end;
      if (isInside) yield place;
      from = isInside ? end : unit + 1;
    }
  }

  /** Returns the bytes of a table with these strings, in this order. */
  static write(strings: readonly string[]): Uint8Array {
    const length = strings.reduce((sum, text) => sum + text.length, 0);
    const header = 4 * (strings.length + 2);
    const bytes = Buffer.allocUnsafeSlow(header + 2 * length);
    const offsets = new Uint32Array(bytes.buffer, 0, strings.length + 2);
    offsets[0] = strings.length;
    offsets[1] = 0;
    let units = 0;
    for (const [index, text] of strings.entries()) {
      bytes.write(text, header + 2 * units, 'utf16le');
      units += text.length;
      offsets[index + 2] = units;
    }
    return bytes;
  }

  #offset(index: number): number {
    return this.#offsets[index] ?? 0;
  }

  #matchesAt(at: number, index: number, text: string): boolean {
    if (at < this.#offset(index) || at + text.length > this.#offset(index + 1)) return false;
    for (let unit = 0; unit < text.length; unit++) {
      if (this.#units[at + unit] !== text.charCodeAt(unit)) return false;
    }
    return true;
  }

  #compare(index: number, text: string): number {
    const start = this.#offset(index);
    const length = this.#offset(index + 1) - start;
    const shared = Math.min(length, text.length);
    for (let unit = 0; unit < shared; unit++) {
      const difference = (this.#units[start + unit] ?? 0) - text.charCodeAt(unit);
      if (difference !== 0) return difference;
    }
    return length - text.length;
  }
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
