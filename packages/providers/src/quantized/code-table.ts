/** From this share of dead rows on the table is packed. */
const MAX_DEAD = 0.25;
/** How many times as many the bits choose as the estimate leaves. */
const SHORTLIST = 10;

/** The codes of all vectors in memory, in the order of their places in the database. */
export class CodeTable {
  readonly #words: number;
  #slots = new Float64Array(1024);
  #codes: Uint32Array<ArrayBuffer>;
  /** The same memory: the last word of a code is a number. */
  #factors: Float32Array;
  #distances = new Uint16Array(1024);
  #size = 0;
  #dead = 0;

  constructor(words: number) {
    this.#words = words;
    this.#codes = new Uint32Array(1024 * (words + 1));
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
    this.#codes.set(code, this.#size * (this.#words + 1));
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
   * The places of the vectors that are probably nearest, in no order. The bits choose ten times as many,
   * and the estimate of the product with the turned question chooses among these.
   *
   * @param allowed - Absent: all.
   */
  nearest(
    { code, turned }: { readonly code: Uint32Array; readonly turned: Float32Array },
    count: number,
    allowed?: ReadonlySet<number>,
  ): readonly number[] {
    const rows = this.#fewestBits(code, count * SHORTLIST, allowed);
    if (rows.length <= count) return rows.map((row) => this.#slots[row] ?? 0);
    const products = byteProducts(turned);
    const estimates = rows.map((row) => ({ row, estimate: this.#estimate(row, products) }));
    return estimates
      .toSorted((a, b) => b.estimate - a.estimate)
      .slice(0, count)
      .map(({ row }) => this.#slots[row] ?? 0);
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
    for (let row = 0; row < this.#size; row++) {
      if ((this.#distances[row] ?? 0) <= limit) found.push(row);
    }
    return found;
  }

  #estimate(row: number, products: Float32Array): number {
    const start = row * (this.#words + 1);
    let sum = 0;
    for (let word = 0, at = 0; word < this.#words; word++, at += 1024) {
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
    const words = this.#words;
    const codes = this.#codes;
    const counts = new Uint32Array(words * 32 + 1);
    for (let row = 0, at = 0; row < this.#size; row++, at += words + 1) {
      const slot = this.#slots[row] ?? 0;
      if (slot < 0 || allowed?.has(slot) === false) {
        this.#distances[row] = 0xffff;
        continue;
      }
      let distance = 0;
      for (let word = 0; word < words; word++) {
        // Counts the bits of 32 at once (Warren: Hacker's Delight, 5-1).
        let bits = (codes[at + word] ?? 0) ^ (code[word] ?? 0);
        bits -= (bits >>> 1) & 0x55555555;
        bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
        distance += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
      }
      this.#distances[row] = distance;
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
      const width = this.#words + 1;
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
    const codes = new Uint32Array(rows * (this.#words + 1));
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
