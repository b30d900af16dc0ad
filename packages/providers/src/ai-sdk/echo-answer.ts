import { retryAfterMs } from '../adapter-kit/retry-after.ts';
import type { Fetch } from '../adapter-kit/unlimited-fetch.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { bodyOf, headersOf } from './read-failure.ts';

/**
 * The `fetch` of a wire whose HTTP calls the AI SDK makes on its own: it answers with the headers
 * that it is given, so that the wire learns of an answer that went past it.
 */
export const echoFetch: Fetch = (_input, init) =>
  Promise.resolve(new Response(null, { headers: init?.headers ?? {} }));

/**
 * Notes on the wire that an answer has begun.
 *
 * @throws LLMError if it is a web page.
 */
export async function noteAnswer(
  wire: Wire,
  headers: Readonly<Record<string, string>> | undefined,
): Promise<void> {
  await wire.fetch('', { headers: { ...headers } });
}

/** Notes on the wire the headers of a refusal, and how long its body asks to wait. */
export async function noteFailure(wire: Wire, error: unknown): Promise<void> {
  const headers = new Headers(headersOf(error));
  headers.delete('content-type');
  const body = bodyOf(error);
  const wait = retryAfterMs(headers, body === undefined ? '' : JSON.stringify(body));
  if (wait !== undefined) headers.set('retry-after-ms', String(wait));
  if ([...headers].length === 0) return;
  await wire.fetch('', { headers });
}
