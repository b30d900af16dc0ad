import { expect, it } from 'vitest';
import { pagesOf } from '../../src/contract/search-cursor.ts';
import type { SearchHit, SearchOptions, SearchResults } from '../../src/contract/search-backend.ts';

/** Returns a search that finds this many hits, and the pages that it was asked for. */
function searchOf(total: number): {
  search(options: SearchOptions): Promise<SearchResults>;
  readonly pages: (readonly [offset: number, k: number])[];
} {
  const pages: (readonly [number, number])[] = [];
  const all = Array.from({ length: total }, (_, at) => hitOf(at));
  return {
    pages,
    search({ k = 10, offset = 0 }) {
      pages.push([offset, k]);
      return Promise.resolve({ hits: all.slice(offset, offset + k), total });
    },
  };
}

function hitOf(at: number): SearchHit {
  return {
    id: `${at}`,
    score: 1 / (1 + at),
    snippet: '',
    match: { text: '', highlights: [] },
    payload: { file: 'a.md', start: 1, end: 1 },
    novelId: '灯台',
    title: '',
    headingPath: [],
    content: '',
  };
}

async function idsOf(hits: AsyncIterable<SearchHit>, count = Infinity): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of hits) if (ids.push(id) >= count) break;
  return ids;
}

it.each([0, 1, 9, 10, 11, 30, 630, 8000])(
  'gives each of %i hits once, from a given offset',
  async (total) => {
    for (const options of [{}, { k: 7, offset: 3 }, { k: 2000 }]) {
      const ids = await idsOf(pagesOf(searchOf(total).search, options));
      const { offset = 0 }: SearchOptions = options;
      const expected = Array.from({ length: Math.max(0, total - offset) }, (_, at) => offset + at);
      expect(ids).toEqual(expected.map(String));
    }
  },
);

it('searches a few times for thousands of hits', async () => {
  const { search, pages } = searchOf(8000);
  expect(await idsOf(pagesOf(search, { k: 10 }))).toHaveLength(8000);
  expect(pages.length).toBeLessThan(25);
  expect(Math.max(...pages.map(([, k]) => k))).toBeLessThan(1000);
});

it.each([1, 10, 11, 30, 31, 100, 1500])(
  'has few more than %i hits made if no more are taken',
  async (count) => {
    const { search, pages } = searchOf(8000);
    expect(await idsOf(pagesOf(search, { k: 10 }), count)).toHaveLength(count);
    const made = pages.reduce((sum, [, k]) => sum + k, 0);
    expect(made).toBeLessThanOrEqual(2 * count + 10);
    expect(made - count).toBeLessThan(1000);
  },
);

it('hears a signal between two hits', async () => {
  const { search, pages } = searchOf(8000);
  const controller = new AbortController();
  const reason = new Error('enough');
  const ids: string[] = [];
  const reading = (async () => {
    for await (const { id } of pagesOf(search, { k: 10, signal: controller.signal })) {
      if (ids.push(id) === 15) controller.abort(reason);
    }
  })();
  await expect(reading).rejects.toBe(reason);
  expect(ids).toHaveLength(15);
  expect(pages).toHaveLength(2);
});
