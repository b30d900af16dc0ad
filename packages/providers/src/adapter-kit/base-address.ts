import type { Fetch } from './unlimited-fetch.ts';

/** A base address without its query, and a `fetch` that puts the query into every request. */
export interface BaseAddress {
  readonly baseURL: string;
  readonly fetch: Fetch;
}

/**
 * Separates the query of a base address: SDKs append their paths to the address as given. A parameter in a request's own
 * query wins.
 */
export function baseAddress(baseURL: string, fetch: Fetch): BaseAddress {
  const [withQuery = '', ...hash] = baseURL.split('#');
  const [base = '', ...rest] = withQuery.split('?');
  const query = [...new URLSearchParams(rest.join('?'))];
  const plain = hash.length === 0 && rest.length === 0 ? baseURL : base;
  if (query.length === 0) return { baseURL: plain, fetch };
  return {
    baseURL: plain,
    fetch(input, init) {
      const url = new URL(input instanceof Request ? input.url : input);
      const own = new Set(url.searchParams.keys());
      for (const [name, value] of query) if (!own.has(name)) url.searchParams.append(name, value);
      return fetch(input instanceof Request ? new Request(url, input) : url.href, init);
    },
  };
}
