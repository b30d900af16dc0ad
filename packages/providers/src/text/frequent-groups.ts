import { LruMap } from '../collections/lru-map.ts';
import type { QueryGroup } from './parse-query.ts';

/** The facts about a frequent group. */
interface Known {
  readonly share: number;
  /** How many rows were listed to estimate it, and which was the newest. */
  readonly size: number;
  readonly newest: number;
}

/** The most groups that are known. */
const MOST = 5000;
/** The growth of the rows from which on a share is estimated again. */
const GROWTH = 1.1;

/** Remembers which share of all rows frequent groups have: their newest rows need not be listed to see it. */
export class FrequentGroups {
  readonly #known = new LruMap<string, Known>(MOST);

  /** Returns the share that was estimated by as many rows, unless many were added since, or the newest are gone. */
  shareOf(group: QueryGroup, size: number, newest: number): number | undefined {
    const known = this.#known.get(keyOf(group));
    if (known?.size !== size || newest < known.newest) return undefined;
    return newest > known.newest * GROWTH ? undefined : known.share;
  }

  add(group: QueryGroup, known: Known): void {
    this.#known.set(keyOf(group), known);
  }
}

function keyOf({ terms }: QueryGroup): string {
  return JSON.stringify(terms);
}
