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
