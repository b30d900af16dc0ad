import { LLMError } from '../chat/llm-error.ts';
import type { CallLimits } from './limits.ts';

/** The `fetch` that an SDK is given. */
export type Fetch = typeof globalThis.fetch;

/** What one call saw of HTTP, and the `fetch` to see it with. */
export interface Wire {
  readonly signal: AbortSignal;
  readonly fetch: Fetch;
  /** The last answer's status, once there is one. */
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
}

/**
 * Makes the `fetch` of one call. It stops with the call's signal also where the SDK passes none,
 * remembers status and headers that SDKs keep to themselves, and refuses a page of HTML that came
 * instead of an answer.
 */
export function createWire(limits: CallLimits, fetch: Fetch = globalThis.fetch): Wire {
  let response: Response | undefined;
  return {
    signal: limits.signal,
    get status() {
      return response?.status;
    },
    get headers() {
      return response?.headers;
    },
    async fetch(input, init) {
      response = undefined;
      response = await fetch(input, { ...init, signal: limits.signal });
      limits.noteFirstByte();
      const type = response.headers.get('content-type') ?? '';
      if (response.ok && /^text\/html\b/i.test(type)) {
        await response.body?.cancel();
        throw new LLMError(
          'bad_response',
          'the server answered with a web page instead of JSON: a proxy, or a wrong address',
          { status: response.status },
        );
      }
      return response;
    },
  };
}
