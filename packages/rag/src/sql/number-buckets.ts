/** Keys have 16 bits. */
const KEYS = 0x10000;
/** Numbers that are not in the buckets, and are looked at one by one, at least; and as a part of those that are. */
const LEAST_REST = 4096;
const REST_PART = 8;

/** The numbers from 0 on by a key of each, so that those of one key are found without a look at the others. */
export class NumberBuckets {
  /** How many numbers there are. */
  readonly size: number;
  readonly #ends = new Uint32Array(KEYS);
  readonly #numbers: Uint32Array;

  constructor(size: number, keyOf: (number: number) => number) {
    this.size = size;
    this.#numbers = new Uint32Array(size);
    const keys = Uint16Array.from({ length: size }, (_, number) => keyOf(number));
    const counts = new Uint32Array(KEYS);
    for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
    let before = 0;
    for (let key = 0; key < KEYS; key++) {
      this.#ends[key] = before;
      before += counts[key] ?? 0;
    }
    for (let number = 0; number < size; number++) {
      const key = keys[number] ?? 0;
      const at = this.#ends[key] ?? 0;
      this.#numbers[at] = number;
      this.#ends[key] = at + 1;
    }
  }

  /** Returns the numbers of a key, ascending. */
  of(key: number): Uint32Array {
    return this.#numbers.subarray(key === 0 ? 0 : this.#ends[key - 1], this.#ends[key]);
  }

  /** Checks whether buckets of all numbers below `size` pay, as these lack too many of them. */
  isSmallFor(size: number): boolean {
    return size - this.size > LEAST_REST + this.size / REST_PART;
  }
}
