import { once } from 'node:events';
import type { Cli } from './cli.ts';
import { bracketed, type ServerSettings } from './server-options.ts';

/** Answers requests, such as the `fetch` of a Hono app. */
export type Fetch = (request: Request, env: object) => Response | Promise<Response>;

/**
 * Serves over HTTP until it is stopped. The address is printed when others can connect: with `--json` as
 * `{"url": …, "token"?: …}` on one line.
 */
export async function serveHttp<Messages>(
  cli: Cli<Messages>,
  fetch: Fetch,
  settings: ServerSettings,
): Promise<void> {
  const { createAdaptorServer } = await import('@hono/node-server');
  const server = createAdaptorServer({ fetch });
  server.listen(settings.port, settings.host);
  // Rejects if it cannot listen there.
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : settings.port;
  await tellAddress(cli, `http://${bracketed(settings.host)}:${port}`, settings);
  await untilStopped(cli);
  server.close();
  if ('closeAllConnections' in server) server.closeAllConnections();
  await once(server, 'close');
}

/** Says where a server listens, and what token it made up. */
export async function tellAddress<Messages>(
  cli: Cli<Messages>,
  url: string,
  { token, isTokenNew }: ServerSettings,
): Promise<void> {
  const made = isTokenNew && token !== undefined ? { token } : {};
  await cli.print({ url, ...made }, () => {
    const lines = [cli.frame.server.listening(url)];
    if ('token' in made) lines.push(cli.frame.server.useToken(made.token));
    return lines.join('\n');
  });
}

/** Resolves with Ctrl+C or SIGTERM. */
export async function untilStopped<Messages>(cli: Cli<Messages>): Promise<void> {
  if (cli.signal.aborted) return;
  await once(cli.signal, 'abort');
}
