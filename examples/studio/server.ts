import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { VizPrompt } from '@vizprompt/core';
import { attachWebSocket } from '@vizprompt/core/websocket';
import type { MemoryStore } from '@vizprompt/memory';
import { createMemoryApp } from '@vizprompt/memory/http';
import { loadPage } from './static-page.ts';

/** The project and the memory of the page, and where it is served. */
export interface StudioOptions {
  readonly vizprompt: VizPrompt;
  readonly memory: MemoryStore;
  /** Default: one that is free. */
  readonly port?: number;
  /** The token that the page sends to both servers. Default: a new one. */
  readonly token?: string;
}

/** A page that is served. */
export interface Studio {
  /** The token is after the `#`, so that it is in no request and no log. */
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

/**
 * Serves the page, the REST API of the memory (`/api`) and the WebSocket of the project (`/ws`) on one port of
 * this machine. The page is open to every client that can reach it, and holds nothing; both servers ask for the token.
 */
export async function serveStudio({
  vizprompt,
  memory,
  port = 0,
  token = randomBytes(24).toString('base64url'),
}: StudioOptions): Promise<Studio> {
  const ending = new AbortController();
  const page = await loadPage();
  // #region serve
  const api = await createMemoryApp(memory, { token, signal: ending.signal });
  const listener = getRequestListener((request) => {
    return new URL(request.url).pathname.startsWith('/api/') ? api.fetch(request) : page(request);
  });
  const server = createServer((request, response) => void listener(request, response));
  const socket = await attachWebSocket(vizprompt, server, { path: '/ws', token });
  // Changes by other processes, git and editors are sent to the page, too.
  const watch = await vizprompt.watch({ pollMs: 500 });
  // #endregion serve
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}/#token=${token}`,
    token,
    async close() {
      ending.abort();
      await watch[Symbol.asyncDispose]();
      await socket.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
