import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { messageOf } from '@vizprompt/providers';
import {
  AT_A_TIME,
  type Kind,
  type Kinds,
  optional,
  TEXT,
  TEXTS,
} from '@vizprompt/providers/config/internal';
import { silentLogger } from '@vizprompt/providers/internal';
import { createTokenCheck, LOCAL_HOSTS, servingProblem } from '@vizprompt/providers/serving';
import {
  type AllowedRequests,
  bearerToken,
  ClientShares,
  createRequestCheck,
  heldResponse,
  HeldTexts,
  inAddress,
  SERVING_HEADERS,
} from '@vizprompt/providers/serving/internal';
import { checkOptions } from '../check-options.ts';
import { RagError } from '../errors.ts';
import type { NovelService } from '../project/novel-service.ts';
import {
  checkService,
  createNovelMcpServer,
  MCP_KINDS,
  type NovelMcpOptions,
} from './create-novel-mcp-server.ts';
import { loadMcpNode, loadMcpServer, MAX_MESSAGE_BYTES } from './load-mcp.ts';

/** Options of {@link serveNovelHttp}. */
export interface ServeNovelHttpOptions extends NovelMcpOptions {
  /** Default: `127.0.0.1`. Any other needs a `token`, and names in `allowedHosts` if it means all. */
  readonly host?: string | undefined;
  /** Where it listens. Default: 0, one that is free. */
  readonly port?: number | undefined;
  /** The path of the address, as a request names it: `/mcp`, `/novels/mcp`. Default: `/mcp`. */
  readonly path?: string | undefined;
  /** The token that clients send as `Authorization: Bearer …`, at least 16 characters. Default: none. */
  readonly token?: string | undefined;
  /**
   * Names that the `Host` of requests may have, without port. Default: `localhost`, `127.0.0.1`,
   * `[::1]` and the `host`. Others are refused: a page in a browser could have made them lead here.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Origins of pages that may ask, such as `https://app.example`, or names without scheme and port.
   * Default: none but pages of the same host and port.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Requests that may be open at once, streams included; more are answered with 503. Default: 1,000. */
  readonly maxRequests?: number | undefined;
  /** Requests of one client, by its address. Default: half of `maxRequests`. */
  readonly maxRequestsPerClient?: number | undefined;
  /** Streams of changes (`subscriptions/listen`) that may be open at once. Default: 100. */
  readonly maxStreams?: number | undefined;
}

const PORT: Kind<number> = {
  expected: 'a port, from 0 to 65535',
  accepts: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 65_536,
};
/** As it is in the first line of a request. */
const PATH: Kind<string> = {
  expected: "a path such as '/mcp': a slash, then letters, digits and -._~/%",
  accepts: (value) => typeof value === 'string' && /^\/[\w.~%/-]*$/.test(value),
};

const KINDS: Kinds<ServeNovelHttpOptions> = {
  ...MCP_KINDS,
  host: optional(TEXT),
  port: optional(PORT),
  path: optional(PATH),
  token: optional(TEXT),
  allowedHosts: optional(TEXTS),
  allowedOrigins: optional(TEXTS),
  maxRequests: optional(AT_A_TIME),
  maxRequestsPerClient: optional(AT_A_TIME),
  maxStreams: optional(AT_A_TIME),
};

/** A server that listens. */
export interface NovelHttpServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:49152/mcp`. */
  readonly url: string;
  /** Ends what is in progress. */
  close(): Promise<void>;
}

type ServedRequest = IncomingMessage & { readonly method: string; readonly url: string };

/**
 * Serves any number of clients over streamable HTTP, of the protocol of 2026 or those before. `Host`
 * and `Origin` are checked before anything else, then the token. The service stays open.
 *
 * @throws RagError with the code `invalid-input` for a host beyond this machine without a token.
 * @throws PeerError if `@modelcontextprotocol/server` or `/node` is not installed.
 */
export async function serveNovelHttp(
  service: NovelService,
  options: ServeNovelHttpOptions = {},
): Promise<NovelHttpServer> {
  const { toNodeHandler } = await loadMcpNode();
  const { createMcpHandler } = await loadMcpServer();
  checkService(service);
  checkOptions('serveNovelHttp', options, KINDS);
  const { host = '127.0.0.1', port = 0, path = '/mcp', logger = silentLogger } = options;
  const own = { logger, ...(options.name === undefined ? {} : { name: options.name }) };
  const guards = guardsOf(host, options);
  const onerror = (error: Error): void => logger.warn('MCP', { error: messageOf(error) });
  const { maxRequests = 1000, maxRequestsPerClient, maxStreams = 100 } = options;
  const shares = new ClientShares({ most: maxRequests, mostPerClient: maxRequestsPerClient });
  const held = new HeldTexts();
  const handler = createMcpHandler(() => createNovelMcpServer(service, own), {
    onerror,
    maxRequestBodySize: MAX_MESSAGE_BYTES,
    maxSubscriptions: maxStreams,
  });
  const fetch: typeof handler.fetch = async (request, given) => {
    await held.admit();
    return heldResponse(await handler.fetch(request, given), held);
  };
  const serve = toNodeHandler({ fetch }, { onerror, maxRequestBodySize: MAX_MESSAGE_BYTES });

  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(SERVING_HEADERS)) response.setHeader(name, value);
    if (!guards.every((guard) => guard(request, response))) return;
    if (pathOf(request) !== path) {
      response.writeHead(404).end();
      return;
    }
    const release = shares.take(request.socket.remoteAddress ?? '');
    if (typeof release !== 'function') {
      const whose = release.reason === 'client' ? 'requests of this client' : 'requests';
      response.setHeader('Retry-After', '10');
      refuse(response, 503, `${release.open} ${whose} are open, which is the most`);
      return;
    }
    response.once('close', release);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- requests of a server have both
    serve(request as ServedRequest, response).catch((error: unknown) => {
      logger.error('MCP', { error: messageOf(error) });
      response.destroy();
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    await handler.close();
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url: urlOf(server, path), close, [Symbol.asyncDispose]: close };
}

function guardsOf(
  host: string,
  { token, allowedHosts, allowedOrigins = [] }: ServeNovelHttpOptions,
): readonly RequestGuard[] {
  const problem = servingProblem({ host, token, allowedHosts });
  if (problem !== undefined) throw invalid(problem, host);
  const hosts = allowedHosts ?? [...LOCAL_HOSTS, inAddress(host)];
  return [
    requestGuard({ allowedHosts: hosts, allowedOrigins }),
    ...(token === undefined ? [] : [tokenGuard(token)]),
  ];
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

function urlOf(server: Server, path: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new RagError('closed', 'not listening');
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${name}:${address.port}${path}`;
}

function invalid(message: string, host: string): RagError {
  return new RagError('invalid-input', message, { context: { host } });
}

/** Checks whether a request may continue; if not, it has been answered. */
type RequestGuard = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Lets requests through that are for one of the names, and come from no page that is not allowed. */
function requestGuard(allowed: AllowedRequests): RequestGuard {
  const refusalOf = createRequestCheck(allowed);
  return ({ headers }, response) => {
    const refusal = refusalOf(headers);
    if (refusal) refuse(response, refusal.status, refusal.message);
    return refusal === undefined;
  };
}

/** Lets requests through that bring the token; how long it takes reveals nothing about it. */
function tokenGuard(token: string): RequestGuard {
  const isToken = createTokenCheck(token);
  return ({ headers }, response) => {
    if (isToken(bearerToken(headers.authorization))) return true;
    const message = 'the token is missing or wrong: send it as Authorization: Bearer TOKEN';
    response.setHeader('WWW-Authenticate', 'Bearer');
    refuse(response, 401, message);
    return false;
  };
}

/** Answers with an error of JSON-RPC. */
function refuse(response: ServerResponse, status: number, message: string): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_001, message }, id: null }));
}
