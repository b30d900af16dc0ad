/** A map that holds at most `limit` entries: a new one evicts the one that was used least recently. */
export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #limit: number;

  /** @param limit - The most entries, from 1 on. */
  constructor(limit: number) {
    this.#limit = limit;
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
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
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
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Iterates the entries, the one used least recently first. */
  [Symbol.iterator](): IterableIterator<[Key, Value]> {
    return this.#entries[Symbol.iterator]();
  }
}
