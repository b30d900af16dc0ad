import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FUNCTION } from '@vizprompt/providers/config/internal';
import { checkArgument } from '../check-options.ts';
import { chunksOf } from './http-messages.ts';
import type { FetchHandler } from './workflow-handler.ts';

/**
 * Turns a handler into a listener of `node:http`, which Express, Fastify and Next.js (pages) take as well. Bodies that a
 * parser has read already, such as that of `express.json()`, are passed on; webhooks need them as they came, so mount the
 * listener in front of parsers.
 *
 * @example
 * ```ts
 * app.use(toNodeListener(createWorkflowHandler(engine, { basePath: '/flows' }))); // Express
 * ```
 */
export function toNodeListener(
  handler: FetchHandler,
): (request: IncomingMessage, response: ServerResponse) => void {
  checkArgument('the handler of toNodeListener', handler, FUNCTION);
  return (incoming, outgoing) => {
    serve(handler, incoming, outgoing).catch(() => outgoing.destroy());
  };
}

async function serve(
  handler: FetchHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const leaving = new AbortController();
  outgoing.once('close', () => leaving.abort());
  const response = await handler(toRequest(incoming, leaving.signal));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  // A client that leaves is not a failure; the body is let go of.
  await pipeline(chunksOf(response.body), outgoing).catch(() => undefined);
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  // Express takes the path of a router off `url`.
  const { originalUrl = incoming.url ?? '/', body }: { originalUrl?: string; body?: unknown } =
    Object(incoming);
  const url = new URL(originalUrl, `http://${incoming.headers.host ?? 'localhost'}`);
  const { method = 'GET' } = incoming;
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers, signal });
  const given = body === undefined ? Readable.toWeb(incoming) : bodyAgain(body);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same stream in two type libraries
  const own = given as NonNullable<RequestInit['body']>;
  const init = { method, headers, signal, body: own, duplex: 'half' as const };
  return new Request(url, init);
}

function bodyAgain(body: unknown): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  return JSON.stringify(body);
}
