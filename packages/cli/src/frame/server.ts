import { once } from 'node:events';
import { hostname, networkInterfaces } from 'node:os';
import type { Command } from '@commander-js/extra-typings';
import type { Cli } from './cli.ts';
import { wholeNumber } from './option-values.ts';

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

/** The options of commands that start a server; a type, as commander wants an index signature. */
export type ServerFlags = {
  readonly port: number;
  readonly host: string;
  readonly token?: string;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
};

/** Where a server listens, and whom it answers. */
interface ServerSettings {
  readonly port: number;
  readonly host: string;
  /** The token that clients must send. Never absent where others than this machine can come. */
  readonly token?: string;
  /** The token was generated, so that the user must see it. */
  readonly isTokenNew: boolean;
  /** Names that requests may be for. */
  readonly allowedHosts: readonly string[];
  /** Origins of pages that may ask. */
  readonly allowedOrigins: readonly string[];
}

/** Adds `--port`, `--host`, `--token`, `--allow-host` and `--allow-origin`. */
export function addServerOptions<Messages>(
  command: Command,
  cli: Cli<Messages>,
  defaults: { readonly port: number },
): Command<[], ServerFlags> {
  const { server } = cli.frame;
  return command
    .option('--port <n>', server.port, wholeNumber(cli, { max: 65_535 }), defaults.port)
    .option('--host <host>', server.host, '127.0.0.1')
    .option('--token <token>', `${server.token} (env: ${tokenVariable(cli)})`)
    .option('--allow-host <host>', server.allowHost, collect)
    .option('--allow-origin <origin>', server.allowOrigin, collect);
}

function tokenVariable<Messages>({ toolName }: Cli<Messages>): string {
  return `${toolName.toUpperCase()}_TOKEN`;
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Reads the options of a server: one that lets others than this machine in asks for a token. */
export function serverSettings<Messages>(
  cli: Cli<Messages>,
  { port, host, allowHost = [], allowOrigin = [], ...flags }: ServerFlags,
): ServerSettings {
  const given = flags.token ?? cli.env[tokenVariable(cli)];
  const isLocal = host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
  const token = given ?? (isLocal ? undefined : newToken());
  return {
    port,
    host,
    ...(token === undefined ? {} : { token }),
    isTokenNew: token !== undefined && given === undefined,
    allowedHosts: [...new Set([...LOOPBACK, ...(isLocal ? [host] : namesOf(host)), ...allowHost])],
    allowedOrigins: allowOrigin,
  };
}

function newToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url');
}

/** How others call this machine. */
function namesOf(host: string): readonly string[] {
  const isAny = host === '0.0.0.0' || host === '::';
  if (!isAny) return [bracketed(host)];
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return [hostname(), ...addresses.map(({ address }) => bracketed(address))];
}

/** Returns an address as it is in a URL. */
function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
