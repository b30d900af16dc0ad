/** The `fetch` that an SDK is given. */
export type Fetch = typeof globalThis.fetch;

/** The part of undici's dispatchers that a request goes through. */
interface Dispatcher {
  dispatch(options: object, handler: unknown): boolean;
}

/** Where undici, and so Node's `fetch`, keeps the dispatcher of all requests. */
const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/**
 * The global `fetch` without limits of its own: Node's ends a call whose answer does not begin, or pauses, for 300
 * seconds. A dispatcher that was set for the whole process, such as one for a proxy, is still used.
 *
 * Source: https://undici.nodejs.org/#/docs/api/Client (`headersTimeout`, `bodyTimeout`); Bun: `timeout: false`.
 */
export const unlimitedFetch: Fetch = (input, init) => {
  const unlimited: RequestInit = { ...init };
  // Types of `fetch` know of neither.
  if ('Bun' in globalThis) Reflect.set(unlimited, 'timeout', false);
  else if (hasDispatcher()) Reflect.set(unlimited, 'dispatcher', dispatcher);
  return globalThis.fetch(input, unlimited);
};

const dispatcher: Dispatcher = {
  dispatch(options, handler) {
    const outer = globalDispatcher();
    if (!outer) throw new TypeError('there is no dispatcher for requests');
    return outer.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  },
};

/** Node loads undici with the first use of a class of `fetch`. */
function hasDispatcher(): boolean {
  return typeof globalThis.Response === 'function' && globalDispatcher() !== undefined;
}

function globalDispatcher(): Dispatcher | undefined {
  const found: unknown = Reflect.get(globalThis, GLOBAL_DISPATCHER);
  return isDispatcher(found) ? found : undefined;
}

function isDispatcher(value: unknown): value is Dispatcher {
  return (
    typeof value === 'object' &&
    value !== null &&
    'dispatch' in value &&
    typeof value.dispatch === 'function'
  );
}

/** A base address without its query, and a `fetch` that puts the query into every request. */
interface BaseAddress {
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
