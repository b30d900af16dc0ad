import { countBits } from './count-bits.ts';

/** From this share of dead rows on the table is packed. */
const MAX_DEAD = 0.25;
/** How many times as many the bits choose as the estimate leaves. */
const SHORTLIST = 10;

/** Bits are counted in so many words at once. */
const STEP = 4;
/**
 * The deviation of an estimate, by the number that makes up for what the bits lose and the length of the
 * question: `sqrt(1 - 2 / π)`, as the turned dimensions are near to normal.
 */
const DEVIATION = 0.603;

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
  /** Of the bits, filled up to whole steps. */
  readonly #words: number;
  /** Of a row: the bits, and a number behind them. */
  readonly #width: number;
  #slots = new Float64Array(1024);
  #codes: Int32Array<ArrayBuffer>;
  /** The same memory: the last word of a code is a number. */
  #factors: Float32Array;
  #distances = new Uint16Array(1024);
  #size = 0;
  #dead = 0;

  constructor(words: number) {
    this.#words = Math.ceil(words / STEP) * STEP;
    this.#width = this.#words + 1;
    this.#codes = new Int32Array(1024 * this.#width);
    this.#factors = new Float32Array(this.#codes.buffer);
  }

  /** How many vectors live. */
  get size(): number {
    return this.#size - this.#dead;
  }

  /** @param slot - Higher than all before. */
  add(slot: number, code: Uint32Array): void {
    if (this.#size === this.#slots.length) this.#resize(this.#size * 2);
    this.#slots[this.#size] = slot;
    const start = this.#size * this.#width;
    this.#codes.set(code.subarray(0, -1), start);
    this.#codes.set(code.subarray(-1), start + this.#words);
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
    const estimates = Float64Array.from(rows, (row) => this.#estimate(row, products));
    const least = estimates.toSorted().at(-count) ?? Number.NEGATIVE_INFINITY;
    const unit = DEVIATION * Math.hypot(...turned);
    const near: NearCode[] = [];
    for (const [at, row] of rows.entries()) {
      const estimate = estimates[at] ?? 0;
      if (estimate < least) continue;
      const factor = this.#factors[row * this.#width + this.#words] ?? 0;
      near.push({ slot: this.#slots[row] ?? 0, estimate, deviation: unit * factor });
    }
    return near.toSorted((a, b) => b.estimate - a.estimate).slice(0, count);
  }

  #fewestBits(
    code: Uint32Array,
    count: number,
    allowed: ReadonlySet<number> | undefined,
  ): readonly number[] {
    const counts = this.#measure(code, allowed);
    let limit = 0;
    for (let sum = counts[0] ?? 0; limit < counts.length - 1 && sum < count;) {
      limit++;
      sum += counts[limit] ?? 0;
    }
    const found: number[] = [];
    const distances = this.#distances;
    for (let row = 0; row < this.#size; row++) {
      if ((distances[row] ?? 0) <= limit) found.push(row);
    }
    return found;
  }

  #estimate(row: number, products: Float32Array): number {
    const start = row * this.#width;
    let sum = 0;
    for (let word = 0, at = 0; at < products.length; word++, at += 1024) {
      const bits = this.#codes[start + word] ?? 0;
      sum +=
        (products[at + (bits & 255)] ?? 0) +
        (products[at + 256 + ((bits >>> 8) & 255)] ?? 0) +
        (products[at + 512 + ((bits >>> 16) & 255)] ?? 0) +
        (products[at + 768 + (bits >>> 24)] ?? 0);
    }
    return sum * (this.#factors[start + this.#words] ?? 0);
  }

  /** Notes the distance of each row, and counts how many rows have each. */
  #measure(code: Uint32Array, allowed: ReadonlySet<number> | undefined): Uint32Array {
    const [words, width, size] = [this.#words, this.#width, this.#size];
    const [codes, slots, distances] = [this.#codes, this.#slots, this.#distances];
    const asked = new Int32Array(words);
    asked.set(code.subarray(0, -1));
    const counts = new Uint32Array(words * 32 + 1);
    for (let row = 0, start = 0; row < size; row++, start += width) {
      const slot = slots[row] ?? 0;
      if (slot < 0 || allowed?.has(slot) === false) {
        distances[row] = 0xffff;
        continue;
      }
      let distance = 0;
      for (let word = 0, at = start; word < words; word += STEP, at += STEP) {
        distance += countBits(
          (codes[at] ?? 0) ^ (asked[word] ?? 0),
          (codes[at + 1] ?? 0) ^ (asked[word + 1] ?? 0),
          (codes[at + 2] ?? 0) ^ (asked[word + 2] ?? 0),
          (codes[at + 3] ?? 0) ^ (asked[word + 3] ?? 0),
        );
      }
      distances[row] = distance;
      counts[distance] = (counts[distance] ?? 0) + 1;
    }
    return counts;
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
      const width = this.#width;
      this.#codes.copyWithin(size * width, row * width, (row + 1) * width);
      size++;
    }
    this.#size = size;
    this.#dead = 0;
  }

  #resize(rows: number): void {
    const slots = new Float64Array(rows);
    slots.set(this.#slots);
    this.#slots = slots;
    const codes = new Int32Array(rows * this.#width);
    codes.set(this.#codes);
    this.#codes = codes;
    this.#factors = new Float32Array(codes.buffer);
    this.#distances = new Uint16Array(rows);
  }
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
