import { ByteWriter } from './byte-writer.ts';
import type { TermRows } from './posting-entry.ts';
import { eachSpan, EVERY_ROW, type FreshRow } from './row-terms.ts';

/** The terms of rows, and how many they are in all. */
export interface GatheredTerms {
  readonly words: number;
  /** By their numbers. */
  readonly terms: readonly string[];
  /** Returns the rows of a term by its number. They are valid until the next call, which reuses their memory. */
  rowsOf(term: number): TermRows;
}

/** Numbers that are added one after the other. */
class Numbers {
  #values = new Uint32Array(65_536);
  #length = 0;

  add(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Uint32Array(2 * this.#length);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  done(): Uint32Array {
    return this.#values.subarray(0, this.#length);
  }
}

/**
 * Returns the rows of each term, and of {@link EVERY_ROW}.
 *
 * @param rows - In the order of their numbers.
 * @param base - The number that those of rows are counted from.
 */
export function gatherTerms(rows: readonly FreshRow[], base: number): GatheredTerms {
  const numbers = new TermNumbers();
  const every = numbers.of(EVERY_ROW, 0, 0);
  // A term, a row and a place for each occurrence, in the order of rows and places.
  const found = { terms: new Numbers(), rows: new Numbers(), places: new Numbers() };
  let words = 0;
  for (const [at, { terms }] of rows.entries()) {
    const size = eachSpan(terms, (start, end, place) => {
      found.terms.add(numbers.of(terms, start, end));
      found.rows.add(at);
      found.places.add(place);
    });
    found.terms.add(every);
    found.rows.add(at);
    found.places.add(size);
    words += size;
  }
  const ends = endsOfEach(found.terms.done(), numbers.terms.length);
  const order = orderBy(found.terms.done(), ends);
  const [rowAt, placeAt] = [found.rows.done(), found.places.done()];
  const encoder = new RowEncoder();
  return {
    words,
    terms: numbers.terms,
    rowsOf(number) {
      encoder.begin();
      for (let from = ends[number - 1] ?? 0, end = ends[number] ?? 0; from < end;) {
        const row = rowAt[order[from] ?? 0] ?? 0;
        let to = from + 1;
        while (to < end && rowAt[order[to] ?? 0] === row) to++;
        encoder.add((rows[row]?.id ?? 0) - base, placeAt, order, from, to);
        from = to;
      }
      return encoder.done();
    },
  };
}

/** Returns where the occurrences of each term end when they are ordered by terms. */
function endsOfEach(terms: Uint32Array, count: number): Uint32Array {
  const ends = new Uint32Array(count);
  for (const term of terms) ends[term] = (ends[term] ?? 0) + 1;
  for (let term = 1; term < count; term++) ends[term] = (ends[term] ?? 0) + (ends[term - 1] ?? 0);
  return ends;
}

/** Returns the occurrences ordered by their terms, those of one term as they came. */
function orderBy(terms: Uint32Array, ends: Uint32Array): Uint32Array {
  const order = new Uint32Array(terms.length);
  const next = ends.slice();
  for (let at = terms.length - 1; at >= 0; at--) {
    const term = terms[at] ?? 0;
    const place = (next[term] ?? 0) - 1;
    next[term] = place;
    order[place] = at;
  }
  return order;
}

/** Encodes the rows of one term after the other in the same memory. */
class RowEncoder implements TermRows {
  readonly #places = new ByteWriter();
  rows: Uint32Array = new Uint32Array(1024);
  ends: Uint32Array = new Uint32Array(1024);
  count = 0;

  begin(): void {
    this.#places.clear();
    this.count = 0;
  }

  /** Adds a row whose places are those that `order` has between `from` and `to`. */
  add(row: number, places: Uint32Array, order: Uint32Array, from: number, to: number): void {
    if (this.count === this.rows.length) {
      this.rows = doubled(this.rows);
      this.ends = doubled(this.ends);
    }
    this.#places.number(to - from);
    let before = 0;
    for (let at = from; at < to; at++) {
      const place = places[order[at] ?? 0] ?? 0;
      this.#places.number(place - before);
      before = place;
    }
    this.rows[this.count] = row;
    this.ends[this.count++] = this.#places.length;
  }

  get places(): Uint8Array {
    return this.#places.memory;
  }

  done(): TermRows {
    return this;
  }
}

function doubled(values: Uint32Array): Uint32Array {
  const grown = new Uint32Array(2 * values.length);
  grown.set(values);
  return grown;
}

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
