import { countBits } from './count-bits.ts';

/** From this share of dead rows on the table is packed. */
const MAX_DEAD = 0.25;
/** How many times as many the bits choose as the estimate leaves. */
const SHORTLIST = 8;
/** How many times as many the first half of the signs chooses as all signs leave. */
const HALF_LIST = 6;
/** The distance of rows that are dead or left out by a filter. */
const OUT = 0xffff;

/** Bits are counted in so many words at once. */
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
  /** Of the signs. */
  readonly #words: number;
  /** Of the signs, filled up to whole steps: they stand apart, as all of them are read for each query. */
  readonly #width: number;
  #slots = new Float64Array(1024);
  #signs: Int32Array<ArrayBuffer>;
  #lower: Int32Array<ArrayBuffer>;
  #factors = new Float32Array(1024);
  #distances = new Uint16Array(1024);
  #size = 0;
  #dead = 0;

  constructor(words: number) {
    this.#words = words;
    this.#width = Math.ceil(words / STEP) * STEP;
    this.#signs = new Int32Array(1024 * this.#width);
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
    this.#signs.set(code.subarray(0, words), this.#size * this.#width);
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
   * The vectors that are probably nearest, best first. The bits choose ten times as many, and the estimate
   * of the product with the turned question chooses among these.
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

  /** The rows whose signs differ least: the first half of the signs chooses some, and all signs among these. */
  #fewestBits(
    code: Uint32Array,
    count: number,
    allowed: ReadonlySet<number> | undefined,
  ): Uint32Array {
    const [width, size] = [this.#width, this.#size];
    const [slots, distances] = [this.#slots, this.#distances];
    const asked = new Int32Array(width);
    asked.set(code.subarray(0, this.#words));
    const half = Math.ceil(width / 2 / STEP) * STEP;
    for (let row = 0; row < size; row++) {
      const slot = slots[row] ?? 0;
      const isOut = slot < 0 || allowed?.has(slot) === false;
      distances[row] = isOut ? OUT : this.#distance(row, asked, 0, half);
    }
    const first = this.#least(count * HALF_LIST);
    if (half === width) return this.#least(count, first);
    for (let at = 0; at < first.length; at++) {
      const row = first[at] ?? 0;
      distances[row] = (distances[row] ?? 0) + this.#distance(row, asked, half, width);
    }
    return this.#least(count, first);
  }

  #estimate(row: number, products: Float32Array): number {
    const [words, signs, lower] = [this.#words, this.#signs, this.#lower];
    const [start, below] = [row * this.#width, row * words];
    let [high, low] = [0, 0];
    for (let word = 0, at = 0; word < words; word++, at += 1024) {
      high += productOf(signs[start + word] ?? 0, products, at);
      low += productOf(lower[below + word] ?? 0, products, at);
    }
    return (high + low / 2) * (this.#factors[row] ?? 0);
  }

  /** How many signs differ in some words. */
  #distance(row: number, asked: Int32Array, from: number, to: number): number {
    const signs = this.#signs;
    let distance = 0;
    for (let word = from, at = row * this.#width + from; word < to; word += STEP, at += STEP) {
      distance += countBits(
        (signs[at] ?? 0) ^ (asked[word] ?? 0),
        (signs[at + 1] ?? 0) ^ (asked[word + 1] ?? 0),
        (signs[at + 2] ?? 0) ^ (asked[word + 2] ?? 0),
        (signs[at + 3] ?? 0) ^ (asked[word + 3] ?? 0),
      );
    }
    return distance;
  }

  /** The rows of the least distances, and all that are as near as the last of them. */
  #least(count: number, among?: Uint32Array): Uint32Array {
    const distances = this.#distances;
    const total = among ? among.length : this.#size;
    const counts = new Uint32Array(this.#width * 32 + 1);
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
      const [width, words] = [this.#width, this.#words];
      this.#signs.copyWithin(size * width, row * width, (row + 1) * width);
      this.#lower.copyWithin(size * words, row * words, (row + 1) * words);
      this.#factors.copyWithin(size, row, row + 1);
      size++;
    }
    this.#size = size;
    this.#dead = 0;
  }

  #resize(rows: number): void {
    this.#slots = copied(this.#slots, new Float64Array(rows));
    this.#signs = copied(this.#signs, new Int32Array(rows * this.#width));
    this.#lower = copied(this.#lower, new Int32Array(rows * this.#words));
    this.#factors = copied(this.#factors, new Float32Array(rows));
    this.#distances = new Uint16Array(rows);
  }
}

function copied<T extends { set(values: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** What the four bytes of a word add to a product. */
function productOf(bits: number, products: Float32Array, at: number): number {
  return (
    (products[at + (bits & 255)] ?? 0) +
    (products[at + 256 + ((bits >>> 8) & 255)] ?? 0) +
    (products[at + 512 + ((bits >>> 16) & 255)] ?? 0) +
    (products[at + 768 + (bits >>> 24)] ?? 0)
  );
}

/** What each byte of a code adds to the product with a question: 256 numbers for each byte in turn. */
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
