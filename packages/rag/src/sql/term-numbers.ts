import { TITLE_PREFIX } from '../search/chunk-index.ts';
import { readingsOfTerm, type TermChanges } from './term-rows.ts';
import type { TermTable } from './term-table.ts';

/** The numbers of the terms of one change: those that the space has, and new ones. */
export class TermNumbers {
  /** The first number that is free. */
  next: number;
  readonly #known: TermTable;
  readonly #firstNew: number;
  readonly #numbers = new Map<string, number>();
  readonly #titles = new Map<string, number>();
  readonly #fresh: string[] = [];

  /** @param known - The terms of the space when its lock was taken. */
  constructor(known: TermTable, next: number) {
    this.#known = known;
    this.next = next;
    this.#firstNew = next;
  }

  /** Returns the number of a term; a new one if the space has none. */
  of(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#find(term);
    this.#numbers.set(term, number);
    return number;
  }

  /** Returns the number of a term of titles. */
  ofTitle(term: string): number {
    const known = this.#titles.get(term);
    if (known !== undefined) return known;
    const number = this.#find(TITLE_PREFIX + term);
    this.#titles.set(term, number);
    return number;
  }

  /**
   * @param changes - By how much the chunks of terms have become more or fewer, by their numbers.
   * @param readingsOf - The readings of a basic form, from the analyzer.
   */
  changes(
    changes: ReadonlyMap<number, number>,
    readingsOf: (term: string) => readonly string[],
  ): TermChanges {
    const added = this.#fresh.map((key, at) => {
      const id = this.#firstNew + at;
      const readings = readingsOfTerm(key, readingsOf);
      return { id, key, chunks: changes.get(id) ?? 0, readings };
    });
    const deltas = [...changes].filter(([id, by]) => by !== 0 && id < this.#firstNew);
    return { added, deltas: deltas.toSorted((a, b) => a[0] - b[0]) };
  }

  #find(key: string): number {
    const found = this.#known.find(key);
    if (found > 0) return found;
    this.#fresh.push(key);
    return this.next++;
  }
}
