/** Numbers for terms, in the order in which they come first. It finds them in a text without cutting each of them out. */
export class TermNumbers {
  readonly #terms: string[] = [];
  readonly #hashes: number[] = [];
  /** One more than the number of a term, at the place of its hash or after it. */
  #table = new Uint32Array(65_536);

  get terms(): readonly string[] {
    return this.#terms;
  }

  /** Returns the number of the term from `start` to `end` of a text. */
  of(text: string, start: number, end: number): number {
    let hash = end - start;
    // The hash FNV-1a, of units instead of bytes.
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.#table.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const number = (this.#table[place] ?? 0) - 1;
      if (number < 0) return this.#add(text.slice(start, end), hash, place);
      if (this.#hashes[number] === hash && isAt(this.#terms[number] ?? '', text, start, end)) {
        return number;
      }
    }
  }

  #add(term: string, hash: number, place: number): number {
    const number = this.#terms.push(term) - 1;
    this.#hashes.push(hash);
    this.#table[place] = number + 1;
    if (2 * this.#terms.length > this.#table.length) this.#grow();
    return number;
  }

  #grow(): void {
    const table = new Uint32Array(2 * this.#table.length);
    const mask = table.length - 1;
    for (const [number, hash] of this.#hashes.entries()) {
      let place = hash & mask;
      while (table[place] !== 0) place = (place + 1) & mask;
      table[place] = number + 1;
    }
    this.#table = table;
  }
}

function isAt(term: string, text: string, start: number, end: number): boolean {
  if (term.length !== end - start) return false;
  for (let at = 0; at < term.length; at++) {
    if (term.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  }
  return true;
}
