import { serve } from '@hono/node-server';
import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MemoryStore } from '@vizprompt/memory';
import { createMemoryApp, type MemoryAppOptions } from '@vizprompt/memory/http';
import { onTestFinished } from 'vitest';
import { newStore } from '../open-store.ts';

/** The API on a port of its own, and the store that it serves. */
export interface TestApi {
  readonly store: MemoryStore;
  readonly url: string;
  /** Sends a request and reads the answer as JSON. */
  call(path: string, init?: CallInit): Promise<Answer>;
}

/** A request; a body that is not text is sent as JSON. */
interface CallInit {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A value from the wire: tests look into it as it is. */
// oxlint-disable-next-line typescript/no-explicit-any -- its shape is what is tested
export type Wire = any;

/** An answer with its body. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Wire;
}

/** Serves a store until the test is over. */
export async function serveStore(
  options: MemoryAppOptions = {},
  given?: MemoryStore,
): Promise<TestApi> {
  const store = given ?? (await newStore());
  const ending = new AbortController();
  const app = await createMemoryApp(store, { pollMs: 50, signal: ending.signal, ...options });
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  if (!server.listening) await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    ending.abort();
    server.close();
    server.closeAllConnections();
    if (server.listening) await once(server, 'close');
  });
  return {
    store,
    url,
    async call(path, { method = 'GET', body, headers } = {}) {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array;
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
    },
  };
}

/** Returns a request with headers that `fetch` does not let through, such as `Host`. */
export async function rawRequest(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}> {
  const sent = request(url, { headers });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let body = '';
  response.setEncoding('utf8');
  for await (const chunk of response) body += chunk as string;
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}
