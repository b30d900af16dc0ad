import type { SearchHit, SearchOptions, SearchResults } from './search-backend.ts';

/** The hits of page after page, as long as they are asked for. */
export async function* pagesOf(
  search: (options: SearchOptions) => Promise<SearchResults>,
  options: SearchOptions,
): AsyncGenerator<SearchHit> {
  const { k = 10 } = options;
  let offset = options.offset ?? 0;
  for (;;) {
    const { hits } = await search({ ...options, k, offset });
    yield* hits;
    if (hits.length < k) return;
    offset += hits.length;
  }
}
