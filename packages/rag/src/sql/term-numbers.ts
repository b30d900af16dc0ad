import type { TermPostings } from './term-bundles.ts';
import type { TermIds } from './term-ids.ts';
import { readingsOfTerm, type TermChanges } from './term-rows.ts';
import type { TermTable } from './term-table.ts';

/** The most occurrences in one chunk that are counted, as postings do. */
const MOST = 255;

/**
 * The terms of one change: those that the space has, and new ones. The counts of a term are at its place in {@link TermIds},
 * and postings are in the order of the chunks until they are asked for: a list for each term would be thousands of small arrays.
 */
export class TermNumbers {
  /** The first number that is free. */
  next: number;
  readonly #known: TermTable;
  readonly #ids: TermIds;
  readonly #firstNew: number;
  readonly #fresh: number[] = [];
  /** The number of each term; 0: not counted yet. */
  #numbers = new Uint32Array(1024);
  /** How many chunks of this change have each term, and the place of the last of their postings. */
  #counts = new Uint32Array(1024);
  #last = new Uint32Array(1024);
  #length = 0;
  #terms = new Uint32Array(4096);
  #docs = new Uint32Array(4096);
  #times = new Uint8Array(4096);
  /** How many chunks went, by the number of a term. */
  readonly #fewer = new Map<number, number>();

  constructor(known: TermTable, next: number, ids: TermIds) {
    this.#known = known;
    this.#ids = ids;
    this.next = next;
    this.#firstNew = next;
  }

  /**
   * Counts that a chunk has a term once more; chunks come one after the other.
   *
   * @returns The number of the term; a new one if the space has none.
   */
  count(chunk: number, id: number): number {
    const number = this.#numbers[id] || this.#add(id);
    const last = this.#last[id] ?? 0;
    if ((this.#counts[id] ?? 0) > 0 && this.#docs[last] === chunk) {
      const times = this.#times[last] ?? 1;
      if (times < MOST) this.#times[last] = times + 1;
      return number;
    }
    if (this.#length === this.#docs.length) this.#growPostings();
    const at = this.#length++;
    this.#terms[at] = id;
    this.#docs[at] = chunk;
    this.#times[at] = 1;
    this.#last[id] = at;
    this.#counts[id] = (this.#counts[id] ?? 0) + 1;
    return number;
  }

  /** Counts that a chunk that has the term of a number went. */
  remove(number: number): void {
    this.#fewer.set(number, (this.#fewer.get(number) ?? 0) + 1);
  }

  /** Which chunks each term has now and had not, by the numbers of the terms. */
  postings(): readonly TermPostings[] {
    const [docs, times] = [new Uint32Array(this.#length), new Uint8Array(this.#length)];
    const lists: (TermPostings & { readonly from: number })[] = [];
    const ends = new Uint32Array(this.#numbers.length);
    let from = 0;
    for (let id = 0; id < this.#numbers.length; id++) {
      const count = this.#counts[id] ?? 0;
      ends[id] = from;
      if (count === 0) continue;
      lists.push({ term: this.#numbers[id] ?? 0, docs, times, from, count });
      from += count;
    }
    for (let at = 0; at < this.#length; at++) {
      const id = this.#terms[at] ?? 0;
      const place = ends[id] ?? 0;
      ends[id] = place + 1;
      docs[place] = this.#docs[at] ?? 0;
      times[place] = this.#times[at] ?? 1;
    }
    return lists.toSorted((a, b) => a.term - b.term);
  }

  /** @param readingsOf - The readings of a basic form, from the analyzer. */
  changes(readingsOf: (term: string) => readonly string[]): TermChanges {
    const added = this.#fresh.map((id, at) => {
      const key = this.#ids.keyOf(id);
      const readings = readingsOfTerm(key, readingsOf);
      return { id: this.#firstNew + at, key, chunks: this.#counts[id] ?? 0, readings };
    });
    const deltas: (readonly [number, number])[] = [];
    const fewer = new Map(this.#fewer);
    for (let id = 0; id < this.#numbers.length; id++) {
      const number = this.#numbers[id] ?? 0;
      if (number === 0 || number >= this.#firstNew) continue;
      const by = (this.#counts[id] ?? 0) - (fewer.get(number) ?? 0);
      fewer.delete(number);
      if (by !== 0) deltas.push([number, by]);
    }
    for (const [number, count] of fewer) deltas.push([number, -count]);
    return { added, deltas: deltas.toSorted((a, b) => a[0] - b[0]) };
  }

  #add(id: number): number {
    if (id >= this.#numbers.length) this.#growTerms(id + 1);
    let number = this.#known.find(this.#ids.keyOf(id));
    if (number === 0) {
      number = this.next++;
      this.#fresh.push(id);
    }
    this.#numbers[id] = number;
    return number;
  }

  #growTerms(size: number): void {
    const length = Math.max(size, this.#ids.size, this.#numbers.length * 2);
    this.#numbers = grown(this.#numbers, new Uint32Array(length));
    this.#counts = grown(this.#counts, new Uint32Array(length));
    this.#last = grown(this.#last, new Uint32Array(length));
  }

  #growPostings(): void {
    const length = this.#length * 2;
    this.#terms = grown(this.#terms, new Uint32Array(length));
    this.#docs = grown(this.#docs, new Uint32Array(length));
    this.#times = grown(this.#times, new Uint8Array(length));
  }
}

function grown<T extends Uint8Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
