/** The places that a term may have, from that of its hash on. */
const PLACES = 32;

/** Numbers for terms, in the order in which they come first. It finds them in a text without cutting each of them out. */
export class TermNumbers {
  readonly #terms: string[] = [];
  readonly #hashes: number[] = [];
  /** One more than the number of a term, at the place of its hash or after it. */
  #table = new Uint32Array(65_536);
  /**
   * Numbers of terms whose places were all taken. Someone may have chosen the terms so that they have one hash; that of a
   * `Map` is not known to anyone.
   */
  readonly #others = new Map<string, number>();

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
    for (let step = 0; step < PLACES; step++) {
      const number = (this.#table[(hash + step) & mask] ?? 0) - 1;
      // No place is ever freed: if the term were in one that follows, or among the others, this one were taken.
      if (number < 0) return this.#add(text.slice(start, end), hash);
      if (this.#hashes[number] === hash && isAt(this.#terms[number] ?? '', text, start, end)) {
        return number;
      }
    }
    const term = text.slice(start, end);
    return this.#others.get(term) ?? this.#add(term, hash);
  }

  #add(term: string, hash: number): number {
    const number = this.#terms.push(term) - 1;
    this.#hashes.push(hash);
    if (2 * this.#terms.length > this.#table.length) this.#grow();
    else this.#put(number, hash);
    return number;
  }

  #put(number: number, hash: number): void {
    const mask = this.#table.length - 1;
    for (let step = 0; step < PLACES; step++) {
      const place = (hash + step) & mask;
      if (this.#table[place] !== 0) continue;
      this.#table[place] = number + 1;
      return;
    }
    this.#others.set(this.#terms[number] ?? '', number);
  }

  #grow(): void {
    this.#table = new Uint32Array(2 * this.#table.length);
    this.#others.clear();
    for (const [number, hash] of this.#hashes.entries()) this.#put(number, hash);
  }
}

function isAt(term: string, text: string, start: number, end: number): boolean {
  if (term.length !== end - start) return false;
  for (let at = 0; at < term.length; at++) {
    if (term.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  }
  return true;
}
