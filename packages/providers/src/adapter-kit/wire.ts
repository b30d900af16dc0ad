import { Buffer } from 'node:buffer';
import type { ChatWarning } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import type { FilePart, Message, Role } from '../models/message.ts';
import { addressOf } from './http-failure.ts';
import { LargeTexts } from './large-texts.ts';
import type { CallLimits } from './limits.ts';
import { EventBody } from './stream-body.ts';
import { unlimitedFetch, type Fetch } from './unlimited-fetch.ts';

/** A refusal that has not been parsed. */
interface Refusal {
  readonly status: number;
  readonly statusText: string;
  readonly body: string;
}

/** The HTTP exchange of one call, and the `fetch` to observe it with. */
export interface Wire {
  readonly signal: AbortSignal;
  readonly fetch: Fetch;
  /** True if a request went out. */
  readonly isSent: boolean;
  /** The last answer's status, once there is one. */
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  /** The last answer, if it was a refusal. */
  readonly refusal: Refusal | undefined;
  /** The large texts that went past the SDK, to be put back into its chunks. */
  readonly large: LargeTexts;
}

/** How {@link createWire} looks at answers. */
export interface WireOptions {
  readonly fetch?: Fetch | undefined;
  /** Answers are server-sent events (`named`: which the SDK knows by their names); JSON as a whole becomes one of them. */
  readonly isEventStream?: boolean | 'named' | undefined;
}

/**
 * Makes the `fetch` of one call. It stops with the call's signal also where the SDK passes none, remembers status,
 * headers and refusals, of which SDKs read one form only, and refuses what is not an answer: a page of HTML.
 */
export function createWire(limits: CallLimits, options: WireOptions = {}): Wire {
  const { fetch = unlimitedFetch, isEventStream = false } = options;
  const large = new LargeTexts();
  let response: Response | undefined;
  let refusal: Refusal | undefined;
  let isSent = false;
  return {
    signal: limits.signal,
    large,
    get isSent() {
      return isSent;
    },
    get status() {
      return response?.status;
    },
    get headers() {
      return response?.headers;
    },
    get refusal() {
      return refusal;
    },
    async fetch(input, init) {
      response = undefined;
      refusal = undefined;
      isSent = true;
      response = await fetch(input, { ...init, signal: limits.signal, redirect: 'manual' });
      if (response.status >= 300 && response.status < 400) throw redirected(response);
      if (!response.ok) {
        refusal = await readRefusal(response);
        return copyOf(response, refusal.body);
      }
      const type = response.headers.get('content-type') ?? '';
      if (/^text\/html\b/i.test(type)) {
        await response.body?.cancel();
        throw new LLMError(
          'bad_response',
          'the server answered with a web page instead of JSON: a proxy, or a wrong address',
          { status: response.status },
        );
      }
      if (isEventStream && response.body) {
        const isNamed = isEventStream === 'named';
        const body = new EventBody(response.body, response.status, isNamed, large);
        // `json()` and `text()` still read the body itself.
        Object.defineProperty(response, 'body', { value: body });
        cancelWith(limits.signal, body);
      }
      return response;
    },
  };
}

/** Ends a body with its call, also where the `fetch` of the caller does not listen to the signal. */
function cancelWith(signal: AbortSignal, body: EventBody): void {
  const cancel = (): void => void body.cancel().catch(() => undefined);
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
}

async function readRefusal(response: Response): Promise<Refusal> {
  const { status, statusText } = response;
  // A connection that breaks here takes only the words with it.
  const body = await response.text().catch(() => '');
  return { status, statusText, body };
}

function copyOf({ status, statusText, headers }: Response, body: string): Response {
  const plain = new Headers(headers);
  for (const name of ['content-encoding', 'content-length']) plain.delete(name);
  return new Response(body, { status, statusText, headers: plain });
}

/** Following it would carry keys and prompts to another server. */
function redirected({ headers, status }: Response): LLMError {
  const location = headers.get('location');
  const where = location === null ? 'elsewhere' : `to ${addressOf(location)}`;
  const message = `the server redirects ${where}, which is not followed: use that address`;
  return new LLMError('bad_response', message, { status });
}

/** Returns the bytes of a file in base64 (RFC 4648); `undefined` for a file that is only an address. */
export function base64Of({ data }: FilePart): string | undefined {
  if (data instanceof URL) return undefined;
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}

/** Returns a file as an address: its own, or one that holds the bytes (RFC 2397). */
export function urlOf(file: FilePart): string {
  return file.data instanceof URL
    ? file.data.href
    : `data:${file.mediaType};base64,${base64Of(file) ?? ''}`;
}

/** Returns a warning for the files in messages of roles that a server takes none from. */
export function unsentFiles(messages: readonly Message[], roles: readonly Role[]): ChatWarning[] {
  return roles.flatMap((role) => {
    const files = messages
      .filter((message) => message.role === role)
      .flatMap(({ parts }) => parts.filter(({ type }) => type === 'file'));
    if (files.length === 0) return [];
    return [
      { field: 'messages', message: `${files.length} files in ${role} messages were left out` },
    ];
  });
}
