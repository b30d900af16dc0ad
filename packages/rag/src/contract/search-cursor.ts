import type { SearchHit, SearchOptions, SearchResults } from './search-backend.ts';

/** Hits that are made at once, at most; more if the pages are larger. */
const MOST_HITS = 512;

/**
 * Returns the hits of page after page, as long as they are asked for. Every search ranks all chunks again, so each
 * takes twice as many hits as the one before: no more are made than were taken already, and a page.
 */
export async function* pagesOf(
  search: (options: SearchOptions) => Promise<SearchResults>,
  options: SearchOptions,
): AsyncGenerator<SearchHit> {
  const { limit = 10, k: page = limit, signal } = options;
  let offset = options.offset ?? 0;
  for (let k = page; ; k = Math.max(page, Math.min(2 * k, MOST_HITS))) {
    const { hits } = await search({ ...options, limit: k, k, offset });
    for (const hit of hits) {
      signal?.throwIfAborted();
      yield hit;
    }
    if (hits.length < k) return;
    offset += hits.length;
  }
}
