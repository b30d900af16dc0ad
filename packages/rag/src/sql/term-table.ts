import { lowerBound } from '../binary/packed-tables.ts';
import { TITLE_PREFIX } from '../chunk/chunk.ts';

/** Keys have 16 bits. */
const KEYS = 0x10000;
/** Numbers that are not in the buckets, and are looked at one by one, at least; and as a part of those that are. */
const LEAST_REST = 4096;
const REST_PART = 8;

/** The numbers from 0 on by a key of each, so that those of one key are found without a look at the others. */
class NumberBuckets {
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

/** After the last character of each term. A term may have it, too, so each match is checked by its place. */
export const TERM_END = '\n';

/** A term that is added. */
export interface NewTerm {
  readonly id: number;
  readonly key: string;
  /** How many chunks have it. */
  readonly chunks: number;
  /** The hashes of its readings, as of `readingHash`. */
  readonly readings: readonly number[];
}

/** Terms that are added, with their characters apart. */
interface JoinedTerms {
  readonly ids: readonly number[];
  /** How many chunks have each. */
  readonly chunks: readonly number[];
  /** Returns the hashes of the readings of the next one. */
  readonly readingsOf: () => readonly number[];
}

/** The keys of buckets: one or two characters at an edge, or the hash of a reading. */
type BucketKind = 'front1' | 'front2' | 'back1' | 'back2' | 'reading';

/** Where terms are compared. */
export type TermEdge = 'front' | 'back' | 'anywhere';

/**
 * The terms of a space in memory, by their numbers, with how many chunks have each: some seventy bytes a term. Their characters
 * are one string, in which the engine looks for parts faster than any list of parts could be read.
 */
export class TermTable {
  #text = '';
  /** How many terms there are. Their places, from 0, are in the order of their numbers, which are never used again. */
  #size = 0;
  /** The numbers of the terms by their places. */
  #ids = new Uint32Array(16);
  /** Where the term of a place starts, and where the last one ends. */
  #starts = new Uint32Array(17);
  #chunks = new Int32Array(16);
  /** The places of terms plus one at the hashes of their keys, or at the next free slot; 0 is free. */
  #slots = new Uint32Array(32);
  #readings = 0;
  #readingHashes = new Uint16Array(16);
  #readingPlaces = new Uint32Array(16);
  /** The first places by one or two characters at an edge, and the first readings by their hashes. */
  #buckets: Readonly<Record<BucketKind, NumberBuckets>> = NO_BUCKETS;

  /** Returns the same terms; what is added to one is not in the other. */
  copy(): TermTable {
    const copy = new TermTable();
    copy.#text = this.#text;
    copy.#size = this.#size;
    copy.#ids = this.#ids.slice();
    copy.#starts = this.#starts.slice();
    copy.#chunks = this.#chunks.slice();
    copy.#slots = this.#slots.slice();
    copy.#readings = this.#readings;
    copy.#readingHashes = this.#readingHashes.slice();
    copy.#readingPlaces = this.#readingPlaces.slice();
    copy.#buckets = this.#buckets;
    return copy;
  }

  /** Adds terms, by ascending numbers that are higher than all it has. */
  add(terms: readonly NewTerm[]): void {
    this.#reserve(this.#size + terms.length);
    let place = this.#size;
    let end = this.#text.length;
    const pieces: string[] = [];
    for (const { id, key, chunks, readings } of terms) {
      pieces.push(key);
      end += key.length + TERM_END.length;
      this.#ids[place] = id;
      this.#chunks[place] = chunks;
      for (const hash of readings) this.#addReading(hash, place);
      this.#starts[++place] = end;
    }
    if (pieces.length > 0) this.#text += pieces.join(TERM_END) + TERM_END;
    for (const { key } of terms) this.#slots[this.#slotOf(key)] = ++this.#size;
  }

  /**
   * The same for terms whose characters are one string, with `TERM_END` between each and the next one, and in none of them.
   *
   * @param readingsOf - Called once for each term, in their order.
   */
  addJoined(text: string, { ids, chunks, readingsOf }: JoinedTerms): void {
    if (ids.length === 0) return;
    this.#reserve(this.#size + ids.length);
    const before = this.#text.length;
    const first = this.#size;
    this.#text += text + TERM_END;
    let from = 0;
    for (const [at, id] of ids.entries()) {
      const place = first + at;
      this.#ids[place] = id;
      this.#chunks[place] = chunks[at] ?? 0;
      for (const hash of readingsOf()) this.#addReading(hash, place);
      const end = text.indexOf(TERM_END, from);
      from = (end < 0 ? text.length : end) + TERM_END.length;
      this.#starts[place + 1] = before + from;
    }
    while (this.#size < first + ids.length)
      this.#slots[this.#slotOfPlace(this.#size)] = ++this.#size;
  }

  /** Changes how many chunks have a term. */
  change(id: number, by: number): void {
    const place = this.#placeOf(id);
    if (place >= 0) this.#chunks[place] = (this.#chunks[place] ?? 0) + by;
  }

  /** Returns the number of a term, also of one that no chunk has any more; 0 if it has none. */
  find(key: string): number {
    const slot = this.#slots[this.#slotOf(key)] ?? 0;
    return slot === 0 ? 0 : (this.#ids[slot - 1] ?? 0);
  }

  /** Returns how many chunks have the term of a number. */
  chunksOf(id: number): number {
    const place = this.#placeOf(id);
    return place < 0 ? 0 : (this.#chunks[place] ?? 0);
  }

  /** Returns the term of a number; nothing if there is none. */
  keyOf(id: number): string | undefined {
    const place = this.#placeOf(id);
    return place < 0 ? undefined : this.#keyAt(place);
  }

  /** Returns which part of the terms no chunk has any more. */
  partGone(): number {
    let gone = 0;
    for (let place = 0; place < this.#size; place++) if ((this.#chunks[place] ?? 0) <= 0) gone++;
    return gone === 0 ? 0 : gone / this.#size;
  }

  /** Counts the terms that some chunk has, those of titles not among them. */
  sizeOfTexts(): number {
    let count = 0;
    for (let place = 0; place < this.#size; place++) {
      const isTitle = this.#text.startsWith(TITLE_PREFIX, this.#starts[place]);
      if ((this.#chunks[place] ?? 0) > 0 && !isTitle) count++;
    }
    return count;
  }

  /** Returns the terms that some chunk has and that have a text at this place, in those of titles after the prefix. */
  parts(text: string, at: TermEdge): readonly string[] {
    return at === 'anywhere' ? this.#around(text) : this.#atEdge(text, at);
  }

  /** Returns the terms that some chunk has and that have a reading of this hash. */
  withReading(hash: number): readonly string[] {
    const keys: string[] = [];
    const add = (reading: number): void => {
      const place = this.#readingPlaces[reading] ?? 0;
      if ((this.#chunks[place] ?? 0) > 0) keys.push(this.#keyAt(place));
    };
    const buckets = this.#bucketsOf('reading', this.#readings, (at) => this.#readingHashes[at]);
    for (const reading of buckets.of(hash)) add(reading);
    for (let at = buckets.size; at < this.#readings; at++) {
      if (this.#readingHashes[at] === hash) add(at);
    }
    return keys;
  }

  /** All terms, by ascending numbers, those that no chunk has among them. */
  *terms(): Generator<NewTerm> {
    let reading = 0;
    for (let place = 0; place < this.#size; place++) {
      const readings: number[] = [];
      for (; reading < this.#readings && this.#readingPlaces[reading] === place; reading++) {
        readings.push(this.#readingHashes[reading] ?? 0);
      }
      const [id = 0, chunks = 0] = [this.#ids[place], this.#chunks[place]];
      yield { id, key: this.#keyAt(place), chunks, readings };
    }
  }

  /** Returns the terms that some chunk has and that have a text in them, after the prefix of titles. */
  #around(text: string): readonly string[] {
    const keys: string[] = [];
    const all = this.#text;
    for (let found = all.indexOf(text); found >= 0 && found < all.length;) {
      const place = this.#termAt(found);
      const [start, end] = [this.#startOf(place), this.#endOf(place)];
      if (found >= start && found + text.length <= end) {
        if ((this.#chunks[place] ?? 0) > 0) keys.push(this.#keyAt(place));
        found = end;
      }
      found = all.indexOf(text, found + 1);
    }
    return keys;
  }

  /** Returns the terms that some chunk has and that begin or end with a text, after the prefix of titles. */
  #atEdge(text: string, edge: 'front' | 'back'): readonly string[] {
    const keys: string[] = [];
    const isFront = edge === 'front';
    const add = (place: number): void => {
      const [start, end] = [this.#startOf(place), this.#endOf(place)];
      if (end - start < text.length || (this.#chunks[place] ?? 0) <= 0) return;
      if (this.#text.startsWith(text, isFront ? start : end - text.length)) {
        keys.push(this.#keyAt(place));
      }
    };
    if (text === '') {
      for (let place = 0; place < this.#size; place++) add(place);
      return keys;
    }
    const units = text.length === 1 ? 1 : 2;
    const buckets = this.#bucketsOf(`${edge}${units}`, this.#size, (place) => {
      return edgeKey(this.#text, this.#startOf(place), this.#endOf(place), isFront, units);
    });
    for (const place of buckets.of(edgeKey(text, 0, text.length, isFront, units))) add(place);
    for (let place = buckets.size; place < this.#size; place++) add(place);
    return keys;
  }

  #bucketsOf(
    kind: BucketKind,
    size: number,
    keyOf: (number: number) => number | undefined,
  ): NumberBuckets {
    const known = this.#buckets[kind];
    if (!known.isSmallFor(size)) return known;
    const buckets = new NumberBuckets(size, (number) => keyOf(number) ?? 0);
    this.#buckets = { ...this.#buckets, [kind]: buckets };
    return buckets;
  }

  /** Returns the place of the term of a number; -1 if there is none. */
  #placeOf(id: number): number {
    // As it is unless terms were left out.
    if (id > 0 && id <= this.#size && this.#ids[id - 1] === id) return id - 1;
    const place = lowerBound(this.#size, (at) => (this.#ids[at] ?? 0) < id);
    return place < this.#size && this.#ids[place] === id ? place : -1;
  }

  #keyAt(place: number): string {
    return this.#text.slice(this.#starts[place], this.#endOf(place));
  }

  /** Returns where the term of a place starts, after the prefix of titles. */
  #startOf(place: number): number {
    const start = this.#starts[place] ?? 0;
    return this.#text.charCodeAt(start) === TITLE_MARK ? start + TITLE_PREFIX.length : start;
  }

  /** Returns the place of the term of which a character is. */
  #termAt(character: number): number {
    return lowerBound(this.#size - 1, (at) => (this.#starts[at + 1] ?? 0) <= character);
  }

  #endOf(place: number): number {
    return (this.#starts[place + 1] ?? 0) - TERM_END.length;
  }

  /** Returns where a key is in the table of hashes, or else the free place for it. */
  #slotOf(key: string): number {
    return this.#slotOfPart(key, 0, key.length);
  }

  /** The same for the key of a place, of which no string is made. */
  #slotOfPlace(place: number): number {
    return this.#slotOfPart(this.#text, this.#starts[place] ?? 0, this.#endOf(place));
  }

  /** The same for a part of a string. */
  #slotOfPart(text: string, from: number, to: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hashOf(text, from, to) & mask; ; slot = (slot + 1) & mask) {
      const next = this.#slots[slot] ?? 0;
      if (next === 0) return slot;
      const start = this.#starts[next - 1] ?? 0;
      if (this.#endOf(next - 1) - start !== to - from) continue;
      let length = 0;
      while (
        from + length < to &&
        this.#text.charCodeAt(start + length) === text.charCodeAt(from + length)
      )
        length++;
      if (from + length === to) return slot;
    }
  }

  #addReading(hash: number, place: number): void {
    if (this.#readings === this.#readingPlaces.length) {
      this.#readingHashes = grown(this.#readingHashes, new Uint16Array(this.#readings * 2));
      this.#readingPlaces = grown(this.#readingPlaces, new Uint32Array(this.#readings * 2));
    }
    this.#readingHashes[this.#readings] = hash;
    this.#readingPlaces[this.#readings++] = place;
  }

  #reserve(size: number): void {
    if (size > this.#ids.length) {
      const length = Math.ceil(size * 1.5);
      this.#ids = grown(this.#ids, new Uint32Array(length));
      this.#starts = grown(this.#starts, new Uint32Array(length + 1));
      this.#chunks = grown(this.#chunks, new Int32Array(length));
    }
    if (size * 2 <= this.#slots.length) return;
    const old = this.#slots;
    let length = old.length;
    while (length < size * 2) length *= 2;
    this.#slots = new Uint32Array(length * 2);
    for (const next of old) {
      if (next > 0) this.#slots[this.#slotOfPlace(next - 1)] = next;
    }
  }
}

const TITLE_MARK = TITLE_PREFIX.charCodeAt(0);

/** A key of the one or two characters at an edge of a text. */
function edgeKey(
  text: string,
  start: number,
  end: number,
  isFront: boolean,
  units: number,
): number {
  const from = isFront ? start : end - units;
  const first = text.charCodeAt(from);
  return units === 1 ? first : (first * 31 + text.charCodeAt(from + 1)) & 0xffff;
}

const NONE = new NumberBuckets(0, () => 0);
const NO_BUCKETS = { front1: NONE, front2: NONE, back1: NONE, back2: NONE, reading: NONE };

function grown<T extends Uint16Array | Uint32Array | Int32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

function hashOf(text: string, from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
