import { TITLE_PREFIX } from '../search/chunk-index.ts';

/** After the last character of each term. A term may have it, too, so each match is checked by its place. */
const END = '\n';

/** A term that is added. */
export interface NewTerm {
  readonly id: number;
  readonly key: string;
  /** How many chunks have it. */
  readonly chunks: number;
  /** The hashes of its readings, as of `readingHash`. */
  readonly readings: readonly number[];
}

/** Where terms are compared. */
export type TermEdge = 'front' | 'back' | 'anywhere';

/**
 * The terms of a space in memory, by their numbers, with how many chunks have each: some fifty bytes a term. Their characters
 * are one string, in which the engine looks for parts faster than any list of parts could be read.
 */
export class TermTable {
  #text = '';
  /** All numbers are lower. */
  #next = 1;
  /** Where the term of a number starts, up to `#next`; one that has no term starts where the next one does. */
  #starts = new Uint32Array(16);
  #chunks = new Int32Array(16);
  /** The numbers of terms at the hashes of their keys, or at the next free place; 0 is free. */
  #slots = new Uint32Array(32);
  #size = 0;
  #readings = 0;
  #readingHashes = new Uint16Array(16);
  #readingTerms = new Uint32Array(16);

  /** Returns the same terms; what is added to one is not in the other. */
  copy(): TermTable {
    const copy = new TermTable();
    copy.#text = this.#text;
    copy.#next = this.#next;
    copy.#starts = this.#starts.slice();
    copy.#chunks = this.#chunks.slice();
    copy.#slots = this.#slots.slice();
    copy.#size = this.#size;
    copy.#readings = this.#readings;
    copy.#readingHashes = this.#readingHashes.slice();
    copy.#readingTerms = this.#readingTerms.slice();
    return copy;
  }

  /** Adds terms, by ascending numbers that are higher than all it has. */
  add(terms: readonly NewTerm[]): void {
    this.#reserve((terms.at(-1)?.id ?? 0) + 1, this.#size + terms.length);
    let end = this.#text.length;
    const pieces: string[] = [];
    for (const { id, key, chunks, readings } of terms) {
      this.#starts.fill(end, this.#next, id + 1);
      pieces.push(key);
      end += key.length + END.length;
      this.#next = id + 1;
      this.#starts[this.#next] = end;
      this.#chunks[id] = chunks;
      for (const hash of readings) this.#addReading(hash, id);
    }
    if (pieces.length > 0) this.#text += pieces.join(END) + END;
    for (const { id, key } of terms) this.#slots[this.#slotOf(key)] = id;
    this.#size += terms.length;
  }

  /** Changes how many chunks have a term. */
  change(id: number, by: number): void {
    if (id < this.#next) this.#chunks[id] = (this.#chunks[id] ?? 0) + by;
  }

  /** Returns the number of a term, also of one that no chunk has any more; 0 if it has none. */
  find(key: string): number {
    return this.#slots[this.#slotOf(key)] ?? 0;
  }

  /** Returns how many chunks have the term of a number. */
  chunksOf(id: number): number {
    return this.#chunks[id] ?? 0;
  }

  /** Returns the term of a number; nothing if there is none. */
  keyOf(id: number): string | undefined {
    const [start, end] = [this.#starts[id] ?? 0, this.#endOf(id)];
    return id > 0 && id < this.#next && end >= start ? this.#text.slice(start, end) : undefined;
  }

  /** Counts the terms that some chunk has, those of titles not among them. */
  sizeOfTexts(): number {
    let count = 0;
    for (let id = 1; id < this.#next; id++) {
      const isTitle = this.#text.startsWith(TITLE_PREFIX, this.#starts[id]);
      if (this.chunksOf(id) > 0 && !isTitle) count++;
    }
    return count;
  }

  /** Returns the terms that some chunk has and that have a text at this place, those of titles not among them. */
  withPart(text: string, at: TermEdge): readonly string[] {
    return this.#matching(text, (start, end, found) => {
      if (at === 'front') return found === start;
      return at === 'anywhere' || found + text.length === end;
    }).filter((key) => !key.startsWith(TITLE_PREFIX));
  }

  /** The same of titles, with the prefix. */
  ofTitles(text: string, at: TermEdge): readonly string[] {
    const mark = TITLE_PREFIX.length;
    return this.#matching(text, (start, end, found) => {
      if (at === 'front') return found === start + mark;
      return found >= start + mark && (at === 'anywhere' || found + text.length === end);
    }).filter((key) => key.startsWith(TITLE_PREFIX));
  }

  /** Returns the terms that some chunk has and that have a reading of this hash. */
  withReading(hash: number): readonly string[] {
    const keys: string[] = [];
    const hashes = this.#readingHashes.subarray(0, this.#readings);
    for (let at = hashes.indexOf(hash); at >= 0; at = hashes.indexOf(hash, at + 1)) {
      const id = this.#readingTerms[at] ?? 0;
      if (this.chunksOf(id) > 0) keys.push(this.keyOf(id) ?? '');
    }
    return keys;
  }

  /** All terms, by ascending numbers, those that no chunk has among them. */
  *terms(): Generator<NewTerm> {
    let reading = 0;
    for (let id = 1; id < this.#next; id++) {
      const key = this.keyOf(id);
      const readings: number[] = [];
      for (; reading < this.#readings && this.#readingTerms[reading] === id; reading++) {
        readings.push(this.#readingHashes[reading] ?? 0);
      }
      if (key !== undefined) yield { id, key, chunks: this.chunksOf(id), readings };
    }
  }

  #matching(
    text: string,
    fits: (start: number, end: number, found: number) => boolean,
  ): readonly string[] {
    const keys: string[] = [];
    const all = this.#text;
    for (let found = all.indexOf(text); found >= 0 && found < all.length;) {
      const id = this.#termAt(found);
      const [start, end] = [this.#starts[id] ?? 0, this.#endOf(id)];
      const isWithin = found + text.length <= end;
      if (isWithin && fits(start, end, found)) {
        if (this.chunksOf(id) > 0) keys.push(all.slice(start, end));
        found = end;
      }
      found = all.indexOf(text, found + 1);
    }
    return keys;
  }

  /** Returns the number of the term of which a character is. */
  #termAt(place: number): number {
    let low = 1;
    let high = this.#next;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle + 1] ?? 0) <= place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #endOf(id: number): number {
    return (this.#starts[id + 1] ?? 0) - END.length;
  }

  /** Returns where a key is in the table of hashes, or else the free place for it. */
  #slotOf(key: string): number {
    const mask = this.#slots.length - 1;
    for (let slot = hashOf(key) & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot] ?? 0;
      if (id === 0) return slot;
      const start = this.#starts[id] ?? 0;
      if (this.#endOf(id) - start === key.length && this.#text.startsWith(key, start)) return slot;
    }
  }

  #addReading(hash: number, id: number): void {
    if (this.#readings === this.#readingTerms.length) {
      this.#readingHashes = grown(this.#readingHashes, new Uint16Array(this.#readings * 2));
      this.#readingTerms = grown(this.#readingTerms, new Uint32Array(this.#readings * 2));
    }
    this.#readingHashes[this.#readings] = hash;
    this.#readingTerms[this.#readings++] = id;
  }

  #reserve(next: number, size: number): void {
    if (next + 1 > this.#starts.length) {
      const length = Math.ceil(next * 1.5) + 1;
      this.#starts = grown(this.#starts, new Uint32Array(length));
      this.#chunks = grown(this.#chunks, new Int32Array(length));
    }
    if (size * 2 <= this.#slots.length) return;
    const old = this.#slots;
    let length = old.length;
    while (length < size * 2) length *= 2;
    this.#slots = new Uint32Array(length * 2);
    for (const id of old) {
      if (id > 0) this.#slots[this.#slotOf(this.keyOf(id) ?? '')] = id;
    }
  }
}

function grown<T extends Uint16Array | Uint32Array | Int32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
