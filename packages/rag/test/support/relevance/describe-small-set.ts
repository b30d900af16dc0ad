import type { SearchBackend } from '@vizprompt/rag';
import { describe, expect, it } from 'vitest';
import { evaluateSmallSet, formatRates } from './evaluate-small-set.ts';
import type { Category } from './queries.ts';
import { smallSetChunks, smallSetId, type SmallSetHit } from './small-set.ts';

/** The methods of a backend that the set uses. */
export interface SmallSetBackend extends Pick<SearchBackend, 'add' | 'close'> {
  search(
    query: string,
    options: { readonly k: number },
  ): Promise<{ readonly hits: readonly SmallSetHit[] }>;
}

/** The least part of the queries, from 0 to 1, whose chunk must come first. */
export type WantedRates = Readonly<Partial<Record<Category, number>>>;

/**
 * Adds the tests of the small set for a backend, and prints its rates.
 *
 * @param open - Opens an empty backend that knows the synonyms of `NOVELS`, by project.
 */
export function describeSmallSet(
  name: string,
  open: () => Promise<SmallSetBackend>,
  wanted: WantedRates,
): void {
  describe(`the small set on ${name}`, () => {
    it('finds the chunk that is meant, by category', async () => {
      const backend = await open();
      try {
        await backend.add(smallSetChunks());
        const rates = await evaluateSmallSet(async (query) => {
          const { hits } = await backend.search(query, { k: 3 });
          return hits.map(smallSetId);
        });
        console.log(`${name}\n${formatRates(rates)}`);
        const short = rates.filter(({ category, hitAt1 }) => hitAt1 < (wanted[category] ?? 0));
        expect(short).toEqual([]);
      } finally {
        await backend.close();
      }
    });
  });
}
