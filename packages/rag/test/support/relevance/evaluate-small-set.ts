import { CATEGORIES, QUERIES, type Category } from './queries.ts';

/** How well the queries of a category were answered. */
export interface CategoryRate {
  readonly category: Category;
  /** The part of the queries, from 0 to 1, whose chunk came first. */
  readonly hitAt1: number;
  /** … was among the first three. */
  readonly hitAt3: number;
  readonly count: number;
}

/**
 * Asks all queries of the small set.
 *
 * @param search - Gives the ids of chunks, as `smallSetId` has them, best first.
 * @returns In the order of `CATEGORIES`.
 */
export async function evaluateSmallSet(
  search: (query: string) => Promise<readonly string[]>,
): Promise<readonly CategoryRate[]> {
  const rates: CategoryRate[] = [];
  for (const category of CATEGORIES) {
    const queries = QUERIES[category];
    let first = 0;
    let firstThree = 0;
    for (const [query, id] of queries) {
      const rank = (await search(query)).indexOf(id);
      if (rank === 0) first += 1;
      if (rank >= 0 && rank < 3) firstThree += 1;
    }
    const count = queries.length;
    rates.push({ category, hitAt1: first / count, hitAt3: firstThree / count, count });
  }
  return rates;
}

/** Returns the rates as a table to read, with all categories together in the last line. */
export function formatRates(rates: readonly CategoryRate[]): string {
  const count = rates.reduce((sum, rate) => sum + rate.count, 0);
  const mean = (field: 'hitAt1' | 'hitAt3'): number =>
    rates.reduce((sum, rate) => sum + rate[field] * rate.count, 0) / count;
  const all = { category: 'all', hitAt1: mean('hitAt1'), hitAt3: mean('hitAt3'), count };
  return [...rates, all]
    .map(
      ({ category, hitAt1, hitAt3, count: n }) =>
        `${category.padEnd(16)}${hitAt1.toFixed(3)}  ${hitAt3.toFixed(3)}  ${n}`,
    )
    .join('\n');
}
