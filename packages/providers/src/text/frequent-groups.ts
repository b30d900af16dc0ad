import type { QueryGroup } from './parse-query.ts';

/** What is known of a frequent group. */
interface Known {
  readonly share: number;
  /** How many rows were listed to estimate it, and which was the newest. */
  readonly size: number;
  readonly newest: number;
}

/** So many are known; then it begins anew. */
const MOST = 5000;
/** Where there are so many times the rows by now, it is estimated again. */
const GROWTH = 1.1;

/** Remembers which share of all rows frequent groups have: their newest rows need not be listed to see it. */
export class FrequentGroups {
  readonly #known = new Map<string, Known>();

  /** The share that was estimated by as many rows, unless many were added since, or the newest are gone. */
  shareOf(group: QueryGroup, size: number, newest: number): number | undefined {
    const known = this.#known.get(keyOf(group));
    if (known?.size !== size || newest < known.newest) return undefined;
    return newest > known.newest * GROWTH ? undefined : known.share;
  }

  add(group: QueryGroup, known: Known): void {
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(keyOf(group), known);
  }
}

function keyOf({ terms }: QueryGroup): string {
  return JSON.stringify(terms);
}
