/**
 * Numbers the terms of one change from 0 on, in the order in which they are found. Each string is looked up once, and what
 * comes afterwards goes by its number.
 */
export class TermIds {
  readonly #ids = new Map<string, number>();
  readonly #keys: string[] = [];

  /** How many there are. */
  get size(): number {
    return this.#keys.length;
  }

  /** Returns the number of a term, which is new if it has none. */
  idOf(key: string): number {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    this.#ids.set(key, this.#keys.length);
    return this.#keys.push(key) - 1;
  }

  /** Returns the term of a number. */
  keyOf(id: number): string {
    return this.#keys[id] ?? '';
  }
}
