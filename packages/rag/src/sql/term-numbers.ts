import { TITLE_PREFIX } from '../search/chunk-index.ts';
import { readingsOfTerm, type TermChanges } from './term-rows.ts';
import type { TermTable } from './term-table.ts';
import type { TermPostings } from './term-bundles.ts';

/** A term of one change, with the chunks that it adds to the term. */
class CountedTerm {
  readonly number: number;
  readonly docs: number[] = [];
  readonly times: number[] = [];
  /** Chunks that went. */
  fewer = 0;

  constructor(number: number) {
    this.number = number;
  }

  /** Counts that a chunk has it once more; chunks come one after the other. */
  count(chunk: number): number {
    const last = this.docs.length - 1;
    if (this.docs[last] === chunk) this.times[last] = (this.times[last] ?? 0) + 1;
    else {
      this.docs.push(chunk);
      this.times.push(1);
    }
    return this.number;
  }
}

/** The terms of one change: those that the space has, and new ones. */
export class TermNumbers {
  /** The first number that is free. */
  next: number;
  readonly #known: TermTable;
  readonly #firstNew: number;
  readonly #terms = new Map<string, CountedTerm>();
  readonly #titles = new Map<string, CountedTerm>();
  readonly #byNumber = new Map<number, CountedTerm>();
  readonly #fresh: string[] = [];

  /** @param known - The terms of the space when its lock was taken. */
  constructor(known: TermTable, next: number) {
    this.#known = known;
    this.next = next;
    this.#firstNew = next;
  }

  /**
   * Counts that a chunk has a term once more; chunks come one after the other.
   *
   * @returns The number of the term; a new one if the space has none.
   */
  count(chunk: number, term: string): number {
    return (this.#terms.get(term) ?? this.#add(this.#terms, term, term)).count(chunk);
  }

  /** The same of a term of titles. */
  countTitle(chunk: number, term: string): number {
    const known = this.#titles.get(term);
    return (known ?? this.#add(this.#titles, term, TITLE_PREFIX + term)).count(chunk);
  }

  /** Returns the number of a term; 0 if the space has none. */
  of(term: string): number {
    return this.#terms.get(term)?.number ?? this.#known.find(term);
  }

  /** Counts that a chunk that has the term of a number went. */
  remove(number: number): void {
    this.#at(number).fewer++;
  }

  /** Which chunks each term has now and had not. */
  postings(): readonly TermPostings[] {
    const lists: TermPostings[] = [];
    for (const { number: term, docs, times } of this.#byNumber.values()) {
      if (docs.length > 0) lists.push({ term, docs, times, count: docs.length });
    }
    return lists;
  }

  /** @param readingsOf - The readings of a basic form, from the analyzer. */
  changes(readingsOf: (term: string) => readonly string[]): TermChanges {
    const by = ({ docs, fewer }: CountedTerm): number => docs.length - fewer;
    const added = this.#fresh.map((key, at) => {
      const id = this.#firstNew + at;
      return { id, key, chunks: by(this.#at(id)), readings: readingsOfTerm(key, readingsOf) };
    });
    const deltas: (readonly [number, number])[] = [];
    for (const term of this.#byNumber.values()) {
      if (term.number < this.#firstNew && by(term) !== 0) deltas.push([term.number, by(term)]);
    }
    return { added, deltas: deltas.toSorted((a, b) => a[0] - b[0]) };
  }

  #add(table: Map<string, CountedTerm>, term: string, key: string): CountedTerm {
    let number = this.#known.find(key);
    if (number === 0) {
      number = this.next++;
      this.#fresh.push(key);
    }
    const added = this.#at(number);
    table.set(term, added);
    return added;
  }

  #at(number: number): CountedTerm {
    const known = this.#byNumber.get(number);
    if (known) return known;
    const term = new CountedTerm(number);
    this.#byNumber.set(number, term);
    return term;
  }
}
