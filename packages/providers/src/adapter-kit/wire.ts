import { LLMError } from '../models/llm-error.ts';
import { addressOf } from './address.ts';
import type { CallLimits } from './limits.ts';

/** The `fetch` that an SDK is given. */
export type Fetch = typeof globalThis.fetch;

/** What one call saw of HTTP, and the `fetch` to see it with. */
export interface Wire {
  readonly signal: AbortSignal;
  readonly fetch: Fetch;
  /** Whether a request went out. */
  readonly isSent: boolean;
  /** The last answer's status, once there is one. */
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
}

/** How {@link createWire} looks at answers. */
export interface WireOptions {
  readonly fetch?: Fetch | undefined;
  /** JSON as a whole is no stream: it is an error that came with a status of success. */
  readonly isEventStream?: boolean | undefined;
}

/**
 * Makes the `fetch` of one call. It stops with the call's signal also where the SDK passes none,
 * remembers status and headers that SDKs keep to themselves, and refuses what is no answer: a page of
 * HTML, or JSON where a stream must be.
 */
export function createWire(limits: CallLimits, options: WireOptions = {}): Wire {
  const { fetch = globalThis.fetch, isEventStream = false } = options;
  let response: Response | undefined;
  let isSent = false;
  return {
    signal: limits.signal,
    get isSent() {
      return isSent;
    },
    get status() {
      return response?.status;
    },
    get headers() {
      return response?.headers;
    },
    async fetch(input, init) {
      response = undefined;
      isSent = true;
      response = await fetch(input, { ...init, signal: limits.signal, redirect: 'manual' });
      if (response.status >= 300 && response.status < 400) throw redirected(response);
      const type = response.headers.get('content-type') ?? '';
      if (!response.ok) return response;
      if (/^text\/html\b/i.test(type)) {
        await response.body?.cancel();
        throw new LLMError(
          'bad_response',
          'the server answered with a web page instead of JSON: a proxy, or a wrong address',
          { status: response.status },
        );
      }
      if (isEventStream && /^application\/json\b/i.test(type)) throw await asError(response);
      return response;
    },
  };
}

/** Following it would carry keys and prompts to another server. */
function redirected({ headers, status }: Response): LLMError {
  const location = headers.get('location');
  const where = location === null ? 'elsewhere' : `to ${addressOf(location)}`;
  const message = `the server redirects ${where}, which is not followed: use that address`;
  return new LLMError('bad_response', message, { status });
}

/** In the form of the SDKs' own errors: status, message, and the body. */
async function asError(response: Response): Promise<Error> {
  const text = await response.text();
  const error = parse(text);
  if (error === undefined || !text.includes('"error"')) {
    return new LLMError(
      'bad_response',
      'the server answered as a whole, and was asked for a stream',
    );
  }
  return Object.assign(new Error(text), { status: response.status, error });
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
