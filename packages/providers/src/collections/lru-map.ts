/** A map that holds at most `limit` entries: a new one evicts the one that was used least recently. */
export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #limit: number;
  readonly #sizeOf: (value: Value) => number;
  #used = 0;

  /**
   * @param limit - The most entries, or the sum of their sizes, from 1 on.
   * @param sizeOf - The size of an entry; one that is larger than the limit is not kept. Default: 1.
   */
  constructor(limit: number, sizeOf: (value: Value) => number = () => 1) {
    this.#limit = limit;
    this.#sizeOf = sizeOf;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns a value and marks it as used. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined && !this.#entries.has(key)) return undefined;
    this.#entries.delete(key);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key is there
    this.#entries.set(key, value as Value);
    return value;
  }

  /** Checks for a key without marking it as used. */
  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  set(key: Key, value: Value): this {
    this.delete(key);
    const size = this.#sizeOf(value);
    if (size > this.#limit) return this;
    this.#entries.set(key, value);
    this.#used += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#used <= this.#limit) break;
      this.delete(oldest);
    }
    return this;
  }

  /** Returns the value of a key; creates and stores it when it is missing. */
  getOrCreate(key: Key, create: () => Value): Value {
    if (this.#entries.has(key)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key is there
      return this.get(key) as Value;
    }
    const value = create();
    this.set(key, value);
    return value;
  }

  delete(key: Key): boolean {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key is there
    if (this.#entries.has(key)) this.#used -= this.#sizeOf(this.#entries.get(key) as Value);
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#used = 0;
  }

  /** Iterates the entries, the one used least recently first. */
  [Symbol.iterator](): IterableIterator<[Key, Value]> {
    return this.#entries[Symbol.iterator]();
  }
}
