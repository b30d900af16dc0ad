import type { TermPostings } from './term-bundles.ts';
import type { TermIds } from './term-ids.ts';
import { readingsOfTerm, type TermChanges } from './term-rows.ts';
import type { TermTable } from './term-table.ts';

/** The most occurrences in one chunk that are counted, as postings do. */
const MOST = 255;

/**
 * A term: its number, or 0 before it is counted; how many chunks of this change have it; and the last of these
 * chunks with the place of its posting.
 */
const OF = { number: 0, count: 1, chunk: 2, posting: 3 } as const;
const STATE: number = Object.keys(OF).length;

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
  /** The facts of each term, at the places of `OF`: side by side, as terms come in no order. */
  #states = new Uint32Array(1024 * STATE);
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
    const state = id * STATE;
    const number = this.#states[state + OF.number] || this.#add(id);
    const states = this.#states;
    const count = states[state + OF.count] ?? 0;
    if (count > 0 && states[state + OF.chunk] === chunk) {
      const last = states[state + OF.posting] ?? 0;
      const times = this.#times[last] ?? 1;
      if (times < MOST) this.#times[last] = times + 1;
      return number;
    }
    if (this.#length === this.#docs.length) this.#growPostings();
    const at = this.#length++;
    this.#terms[at] = id;
    this.#docs[at] = chunk;
    this.#times[at] = 1;
    states[state + OF.count] = count + 1;
    states[state + OF.chunk] = chunk;
    states[state + OF.posting] = at;
    return number;
  }

  /** Returns the number of a term that was counted. */
  numberOf(id: number): number {
    return this.#states[id * STATE + OF.number] ?? 0;
  }

  /** Counts that a chunk that has the term of a number went. */
  remove(number: number): void {
    this.#fewer.set(number, (this.#fewer.get(number) ?? 0) + 1);
  }

  /** Which chunks each term has now and had not, by the numbers of the terms. */
  postings(): readonly TermPostings[] {
    const [docs, times] = [new Uint32Array(this.#length), new Uint8Array(this.#length)];
    const lists: (TermPostings & { readonly from: number })[] = [];
    const size = this.#states.length / STATE;
    const ends = new Uint32Array(size);
    let from = 0;
    for (let id = 0; id < size; id++) {
      const count = this.#countOf(id);
      ends[id] = from;
      if (count === 0) continue;
      lists.push({ term: this.numberOf(id), docs, times, from, count });
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
      return { id: this.#firstNew + at, key, chunks: this.#countOf(id), readings };
    });
    const deltas: (readonly [number, number])[] = [];
    const fewer = new Map(this.#fewer);
    for (let id = 0; id * STATE < this.#states.length; id++) {
      const number = this.numberOf(id);
      if (number === 0 || number >= this.#firstNew) continue;
      const by = this.#countOf(id) - (fewer.get(number) ?? 0);
      fewer.delete(number);
      if (by !== 0) deltas.push([number, by]);
    }
    for (const [number, count] of fewer) deltas.push([number, -count]);
    return { added, deltas: deltas.toSorted((a, b) => a[0] - b[0]) };
  }

  #add(id: number): number {
    if (id * STATE >= this.#states.length) this.#growTerms(id + 1);
    let number = this.#known.find(this.#ids.keyOf(id));
    if (number === 0) {
      number = this.next++;
      this.#fresh.push(id);
    }
    this.#states[id * STATE + OF.number] = number;
    return number;
  }

  #growTerms(size: number): void {
    const length = Math.max(size * STATE, this.#ids.size * STATE, this.#states.length * 2);
    this.#states = grown(this.#states, new Uint32Array(length));
  }

  #countOf(id: number): number {
    return this.#states[id * STATE + OF.count] ?? 0;
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
