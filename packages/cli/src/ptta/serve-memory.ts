import type { MemoryStore } from '@vizprompt/memory';
import type { Hono } from 'hono';
import type { Cli } from '../frame/cli.ts';
import { serveHttp } from '../frame/serve-http.ts';
import { serverSettings, type ServerFlags } from '../frame/server-options.ts';
import type { PttaMessages } from './messages/ptta-messages.ts';
import { openMemory } from './open-memory.ts';

/**
 * Serves the REST API of the memory and its live timelines until it is stopped.
 *
 * @param extend - Serves more next to it, after the same guards.
 */
export async function serveMemory(
  cli: Cli<PttaMessages>,
  flags: ServerFlags,
  extend: (app: Hono, store: MemoryStore) => void = () => {},
): Promise<void> {
  const settings = serverSettings(cli, flags);
  const { token, allowedHosts, allowedOrigins } = settings;
  await using store = await openMemory(cli, { make: true, fallsBack: true });
  const { createMemoryApp } = await import('@vizprompt/memory/http');
  const app = await createMemoryApp(store, {
    ...(token === undefined ? {} : { token }),
    allowedHosts,
    allowedOrigins,
    signal: cli.signal,
  });
  extend(app, store);
  await serveHttp(cli, (request, env) => app.fetch(request, env), settings);
}
