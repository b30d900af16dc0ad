/** From this share of dead rows on the table is packed. */
const MAX_DEAD = 0.25;
/** How many times as many the bits choose as the estimate leaves. */
const SHORTLIST = 8;
/** How many times as many the first half of the signs chooses as all signs leave. */
const HALF_LIST = 6;
/** The distance of rows that are dead or left out by a filter. */
const OUT = 0xffff;

/** Bits are counted in this many words at once. */
const STEP = 4;
/**
 * The deviation of an estimate, by the number that makes up for what the bits lose and the length of the
 * question: what it is for turned dimensions that are near to normal.
 */
const DEVIATION = 0.324;

/** A vector that is probably near. */
export interface NearCode {
  readonly slot: number;
  /** The product of the question and what the vector has beyond the middle. */
  readonly estimate: number;
  /** How far the estimate is off: the standard deviation. */
  readonly deviation: number;
}

/** The codes of all vectors in memory, in the order of their places in the database. */
export class CodeTable {
  /** The number of words for the signs. */
  readonly #words: number;
  /** The number of words for each half of the signs, filled up to whole steps. */
  readonly #halves: readonly [number, number];
  #slots = new Float64Array(1024);
  /** The first half of the signs is alone, as all of it is read for each query. */
  #first: Int32Array<ArrayBuffer>;
  #second: Int32Array<ArrayBuffer>;
  #lower: Int32Array<ArrayBuffer>;
  #factors = new Float32Array(1024);
  #distances = new Uint16Array(1024);
  #size = 0;
  #dead = 0;

  constructor(words: number) {
    this.#words = words;
    const half = Math.ceil(words / 2 / STEP) * STEP;
    const rest = Math.ceil(Math.max(0, words - half) / STEP) * STEP;
    this.#halves = [half, rest];
    this.#first = new Int32Array(1024 * half);
    this.#second = new Int32Array(1024 * rest);
    this.#lower = new Int32Array(1024 * words);
  }

  /** How many vectors live. */
  get size(): number {
    return this.#size - this.#dead;
  }

  /** @param slot - Higher than all before. */
  add(slot: number, code: Uint32Array): void {
    if (this.#size === this.#slots.length) this.#resize(this.#size * 2);
    this.#slots[this.#size] = slot;
    const words = this.#words;
    const [half, rest] = this.#halves;
    this.#first.set(code.subarray(0, Math.min(half, words)), this.#size * half);
    this.#second.set(code.subarray(Math.min(half, words), words), this.#size * rest);
    this.#lower.set(code.subarray(words, 2 * words), this.#size * words);
    this.#factors[this.#size] = new Float32Array(code.buffer)[2 * words] ?? 0;
    this.#size++;
  }

  remove(slots: readonly number[]): void {
    for (const slot of slots) {
      const at = this.#find(slot);
      if (at < 0) continue;
      // Negative places are dead; the order of their amounts stays.
      this.#slots[at] = -slot;
      this.#dead++;
    }
    if (this.#dead > this.#size * MAX_DEAD) this.#pack();
  }

  /**
   * Returns the vectors that are probably nearest, best first. The signs choose some times as many, and the
   * estimate of the product with the turned question chooses among these.
   *
   * @param allowed - Absent: all.
   */
  nearest(
    { code, turned }: { readonly code: Uint32Array; readonly turned: Float32Array },
    count: number,
    allowed?: ReadonlySet<number>,
  ): readonly NearCode[] {
    const rows = this.#fewestBits(code, count * SHORTLIST, allowed);
    const products = byteProducts(turned);
    const estimates = new Float64Array(rows.length);
    for (let at = 0; at < rows.length; at++)
      estimates[at] = this.#estimate(rows[at] ?? 0, products);
    const least = estimates.toSorted().at(-count) ?? Number.NEGATIVE_INFINITY;
    let squares = 0;
    for (const value of turned) squares += value * value;
    const unit = DEVIATION * Math.sqrt(squares);
    const near: NearCode[] = [];
    for (let at = 0; at < rows.length; at++) {
      const estimate = estimates[at] ?? 0;
      if (estimate < least) continue;
      const row = rows[at] ?? 0;
      const deviation = unit * (this.#factors[row] ?? 0);
      near.push({ slot: this.#slots[row] ?? 0, estimate, deviation });
    }
    return near.toSorted((a, b) => b.estimate - a.estimate).slice(0, count);
  }

  /** Returns the rows whose signs differ least: the first half of the signs chooses some, and all signs among these. */
  #fewestBits(
    code: Uint32Array,
    count: number,
    allowed: ReadonlySet<number> | undefined,
  ): Uint32Array {
    const [half, rest] = this.#halves;
    const [size, slots, distances] = [this.#size, this.#slots, this.#distances];
    const asked = new Int32Array(half + rest);
    asked.set(code.subarray(0, this.#words));
    const [table, behind] = [this.#first, this.#second];
    const isWhole = !allowed && this.#dead === 0;
    for (let row = 0; row < size; row++) {
      const slot = isWhole ? 0 : (slots[row] ?? 0);
      const isOut = slot < 0 || allowed?.has(slot) === false;
      distances[row] = isOut ? OUT : bitsBetween(table, row * half, asked, 0, half);
    }
    const first = this.#least(count * HALF_LIST);
    if (rest === 0) return this.#least(count, first);
    for (let at = 0; at < first.length; at++) {
      const row = first[at] ?? 0;
      const further = bitsBetween(behind, row * rest, asked, half, rest);
      distances[row] = (distances[row] ?? 0) + further;
    }
    return this.#least(count, first);
  }

  #estimate(row: number, products: Float32Array): number {
    const [half, rest] = this.#halves;
    const [words, first, second, lower] = [this.#words, this.#first, this.#second, this.#lower];
    const [start, behind, below] = [row * half, row * rest - half, row * words];
    let [high, low] = [0, 0];
    for (let word = 0, at = 0; word < words; word++, at += 1024) {
      const bits = word < half ? first[start + word] : second[behind + word];
      high += productOf(bits ?? 0, products, at);
      low += productOf(lower[below + word] ?? 0, products, at);
    }
    return (high + low / 2) * (this.#factors[row] ?? 0);
  }

  /** Returns the rows of the least distances, and all that are as near as the last of them. */
  #least(count: number, among?: Uint32Array): Uint32Array {
    const distances = this.#distances;
    const total = among ? among.length : this.#size;
    const counts = new Uint32Array(this.#words * 32 + 1);
    for (let at = 0; at < total; at++) {
      const distance = distances[among ? (among[at] ?? 0) : at] ?? OUT;
      if (distance < OUT) counts[distance] = (counts[distance] ?? 0) + 1;
    }
    let limit = 0;
    let sum = counts[0] ?? 0;
    while (limit < counts.length - 1 && sum < count) {
      limit++;
      sum += counts[limit] ?? 0;
    }
    const found = new Uint32Array(sum);
    for (let at = 0, end = 0; at < total; at++) {
      const row = among ? (among[at] ?? 0) : at;
      if ((distances[row] ?? OUT) <= limit) found[end++] = row;
    }
    return found;
  }

  /** Binary search among ascending places. */
  #find(slot: number): number {
    let [low, high] = [0, this.#size - 1];
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const there = this.#slots[middle] ?? 0;
      if (there === slot) return middle;
      if (Math.abs(there) < slot) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  #pack(): void {
    let size = 0;
    for (let row = 0; row < this.#size; row++) {
      const slot = this.#slots[row] ?? 0;
      if (slot < 0) continue;
      this.#slots[size] = slot;
      const [half, rest] = this.#halves;
      move(this.#first, half, row, size);
      move(this.#second, rest, row, size);
      move(this.#lower, this.#words, row, size);
      move(this.#factors, 1, row, size);
      size++;
    }
    this.#size = size;
    this.#dead = 0;
  }

  #resize(rows: number): void {
    this.#slots = copied(this.#slots, new Float64Array(rows));
    const [half, rest] = this.#halves;
    this.#first = copied(this.#first, new Int32Array(rows * half));
    this.#second = copied(this.#second, new Int32Array(rows * rest));
    this.#lower = copied(this.#lower, new Int32Array(rows * this.#words));
    this.#factors = copied(this.#factors, new Float32Array(rows));
    this.#distances = new Uint16Array(rows);
  }
}

function copied<T extends { set(values: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Moves a row of this many numbers to another place. */
function move(table: Int32Array | Float32Array, width: number, from: number, to: number): void {
  table.copyWithin(to * width, from * width, (from + 1) * width);
}

/** How many bits of some words differ from those that are asked for, which begin at `from`. */
function bitsBetween(
  table: Int32Array,
  start: number,
  asked: Int32Array,
  from: number,
  words: number,
): number {
  let count = 0;
  for (let word = 0; word < words; word += STEP) {
    const [at, other] = [start + word, from + word];
    count += countBits(
      (table[at] ?? 0) ^ (asked[other] ?? 0),
      (table[at + 1] ?? 0) ^ (asked[other + 1] ?? 0),
      (table[at + 2] ?? 0) ^ (asked[other + 2] ?? 0),
      (table[at + 3] ?? 0) ^ (asked[other + 3] ?? 0),
    );
  }
  return count;
}

/** Returns the part of a product that the four bytes of a word add. */
function productOf(bits: number, products: Float32Array, at: number): number {
  return (
    (products[at + (bits & 255)] ?? 0) +
    (products[at + 256 + ((bits >>> 8) & 255)] ?? 0) +
    (products[at + 512 + ((bits >>> 16) & 255)] ?? 0) +
    (products[at + 768 + (bits >>> 24)] ?? 0)
  );
}

/** Returns the part of the product with a question that each byte of a code adds: 256 numbers for each byte in turn. */
function byteProducts(turned: Float32Array): Float32Array {
  const products = new Float32Array(turned.length * 32);
  for (let byte = 0; byte < turned.length / 8; byte++) {
    const at = byte * 256;
    let all = 0;
    for (let bit = 0; bit < 8; bit++) all += turned[byte * 8 + bit] ?? 0;
    products[at] = -all;
    for (let value = 1; value < 256; value++) {
      // One bit less is known already.
      const bit = 31 - Math.clz32(value);
      const rest = products[at + (value ^ (1 << bit))] ?? 0;
      products[at + value] = rest + 2 * (turned[byte * 8 + bit] ?? 0);
    }
  }
  return products;
}

/**
 * How many bits are set in four words together. They are added as digits first, so that three sums are
 * counted instead of four words.
 *
 * Source: Warren: Hacker's Delight (2nd edition), 5-1 for the bits of a word, 5-2 for those of many.
 */
export function countBits(a: number, b: number, c: number, d: number): number {
  const differs = a ^ b;
  const sum = differs ^ c;
  const carried = (a & b) | (differs & c);
  const carry = sum & d;
  const fours = carried & carry;
  const bytes =
    inBytes(sum ^ d) + (inBytes(carried ^ carry) << 1) + (fours === 0 ? 0 : inBytes(fours) << 2);
  return Math.imul(bytes, 0x01010101) >>> 24;
}

/** Returns the number of bits in each byte of a word. */
function inBytes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (fours + (fours >>> 4)) & 0x0f0f0f0f;
}
