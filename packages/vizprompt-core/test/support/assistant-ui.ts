import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { VizPrompt } from '@vizprompt/core';
import { threadRoutes } from '@vizprompt/core/assistant-ui';
import { type Threads, vizPromptThreads } from '@vizprompt/core/assistant-ui/client';
import { onTestFinished } from 'vitest';
// They are installed apart: they say that they need Node 22, and run on 20.
export {
  LocalRuntimeCore,
  MessageRepository,
  type LocalThreadRuntimeCore,
} from '../../../providers/test/generations/node_modules/@assistant-ui/core/dist/internal.js';
export type {
  RemoteThreadListAdapter,
  ThreadHistoryAdapter,
  ThreadMessage,
} from '../../../providers/test/generations/node_modules/@assistant-ui/core/dist/index.js';
export { aiSDKV6FormatAdapter } from '../../../providers/test/generations/node_modules/assistant-cloud/dist/ai-sdk/index.js';

/** The ways from the page to the handler. */
export const ROUTES = ['direct', 'over HTTP'] as const;

/** Returns the threads of a page, whose requests reach the handler by a function or by a server. */
export async function threadsOf(
  vizprompt: VizPrompt,
  route: (typeof ROUTES)[number],
): Promise<Threads> {
  const { GET: handler } = threadRoutes(vizprompt);
  if (route === 'direct') {
    return vizPromptThreads({
      api: 'http://x.test/api',
      fetch: async (url, init) => handler(new Request(url, init)),
    });
  }
  const server = serve({ fetch: handler, hostname: '127.0.0.1', port: 0 });
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  return vizPromptThreads({ api: `http://127.0.0.1:${port}/api` });
}
