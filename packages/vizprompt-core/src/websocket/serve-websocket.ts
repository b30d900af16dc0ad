import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { having, OBJECT, wholeFrom } from '@vizprompt/providers/config/internal';
import { toPeerError, type Unsubscribe } from '@vizprompt/providers/internal';
import { createTokenCheck, LOCAL_HOSTS } from '@vizprompt/providers/serving';
import {
  bearerToken,
  ClientShares,
  createRequestCheck,
  HeldTexts,
  inAddress,
  SERVING_HEADERS,
} from '@vizprompt/providers/serving/internal';
import type * as Ws from 'ws';
import { checkArgument } from '../input-kinds.ts';
import type { VizPromptEvents } from '../events.ts';
import type { VizPrompt } from '../vizprompt.ts';
import { Connection } from './connection.ts';
import {
  allLimits,
  checkOptions,
  type ServeWebSocketOptions,
  type WebSocketOptions,
} from './options.ts';
import { outgoingMessage, type OutgoingMessage } from './outbox.ts';
import { EVENT_KINDS, type EventKind, wireName } from './wire/events.ts';

/** The WebSocket side of an HTTP server. */
export interface AttachedWebSocket extends AsyncDisposable {
  /** How many clients are connected. */
  readonly clients: number;
  /**
   * Takes no more clients, stops what is long (answers of models keep what had come), waits for what is
   * in progress, and closes all connections with the code 1001. The project stays open.
   */
  close(): Promise<void>;
}

/** A WebSocket server that listens. */
export interface WebSocketService extends AttachedWebSocket {
  /** Such as `ws://127.0.0.1:8080/`. */
  readonly url: string;
}

const PROJECT = having('a project: await VizPrompt.open(folder)', 'on', 'getNode');
const PORT = wholeFrom(0, 65_535);
const SERVER = having('a server of node:http', 'on', 'listen');

/**
 * Serves a project over WebSocket. Close the server before the project.
 *
 * @throws VizPromptError with the code `invalid-input` for options that make no sense, or a host beyond
 * this machine without a token; PeerError if `ws` is not installed; the error of the system if the port
 * is taken.
 *
 * @example
 * ```ts
 * const server = await serveWebSocket(vizprompt, { port: 8080 });
 * console.log(server.url); // ws://127.0.0.1:8080/
 * process.once('SIGTERM', () => void server.close().then(() => vizprompt.close()));
 * ```
 */
export async function serveWebSocket(
  vizprompt: VizPrompt,
  options: ServeWebSocketOptions = {},
): Promise<WebSocketService> {
  checkArgument('the first argument of serveWebSocket', vizprompt, PROJECT);
  checkArgument('the options of serveWebSocket', options, OBJECT);
  checkOptions(options);
  const { host = '127.0.0.1', port = 8080, path = '/' } = options;
  checkArgument("the option 'port' of serveWebSocket", port, PORT);
  const server = createServer((_request, response) => {
    response.writeHead(426, {
      ...SERVING_HEADERS,
      Upgrade: 'websocket',
      'Content-Type': 'text/plain',
    });
    response.end('this is a WebSocket server\n');
  });
  const attached = await attach(vizprompt, server, options);
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    await attached.close();
    throw error;
  }
  const close = onlyOnce(async () => {
    const closed = once(server, 'close');
    server.close();
    await attached.close();
    server.closeAllConnections();
    await closed;
  });
  return {
    url: `ws://${addressOf(server)}${path}`,
    get clients() {
      return attached.clients;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Serves a project over WebSocket on an HTTP server of yours, which you start and close. Requests for
 * other paths are left to others.
 *
 * @throws VizPromptError with the code `invalid-input` for options that make no sense; PeerError if `ws`
 * is not installed.
 */
export async function attachWebSocket(
  vizprompt: VizPrompt,
  server: Server | SecureServer,
  options: WebSocketOptions = {},
): Promise<AttachedWebSocket> {
  checkArgument('the first argument of attachWebSocket', vizprompt, PROJECT);
  checkArgument('the server of attachWebSocket', server, SERVER);
  checkArgument('the options of attachWebSocket', options, OBJECT);
  checkOptions(options);
  return attach(vizprompt, server, options);
}

async function attach(
  vizprompt: VizPrompt,
  server: Server | SecureServer,
  options: ServeWebSocketOptions,
): Promise<AttachedWebSocket> {
  const { WebSocketServer } = await loadWs();
  const { path = '/', pingMs = 30_000, closeTimeoutMs = 2000, logger } = options;
  const limits = allLimits(options.limits);
  const refusalOf = createHandshake(options);
  const acceptor = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.maxMessageBytes * 2,
    handleProtocols: (offered) => offered.has(PROTOCOL) && PROTOCOL,
  });
  const held = new HeldTexts();
  const hub = new Hub(vizprompt, limits.maxBufferedBytes);
  const { maxClients: most, maxClientsPerAddress: mostPerClient } = limits;
  const shares = new ClientShares({ most, mostPerClient });

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (pathOf(request) !== path) {
      if (server.listenerCount('upgrade') === 1) refuse(socket, 404, `connect to ${path}`);
      return;
    }
    const refusal = refusalOf(request);
    if (refusal) return refuse(socket, refusal.status, refusal.message);
    const release = shares.take(request.socket.remoteAddress ?? '');
    if (typeof release !== 'function') {
      const whose = release.reason === 'client' ? 'clients of this address' : 'clients';
      return refuse(socket, 503, `${release.open} ${whose} are connected, which is the most`);
    }
    socket.once('close', release);
    acceptor.handleUpgrade(request, socket, head, (client) => {
      const connection = new Connection(client, {
        vizprompt,
        limits,
        closeTimeoutMs,
        held,
        logger,
      });
      hub.connections.add(connection);
      client.once('close', () => hub.connections.delete(connection));
    });
  };
  server.on('upgrade', upgrade);
  const heart = setInterval(() => {
    for (const connection of hub.connections) connection.checkAlive();
  }, pingMs);
  heart.unref();

  const close = onlyOnce(async () => {
    server.off('upgrade', upgrade);
    clearInterval(heart);
    hub.close();
    await Promise.all(Array.from(hub.connections, (connection) => connection.close()));
  });
  return {
    get clients() {
      return hub.connections.size;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** However often it is called, it happens once. */
function onlyOnce(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

/** Answers in HTTP, as there is no WebSocket yet. */
function refuse(socket: Duplex, status: number, message: string): void {
  socket.on('error', () => {});
  const body = `${message}\n`;
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: text/plain; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(status === 401 ? ['WWW-Authenticate: Bearer'] : []),
      '',
      body,
    ].join('\r\n'),
  );
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server is not listening');
  return `${inAddress(address.address)}:${address.port}`;
}

/** The clients of a server, and the events of the project that they hear. */
class Hub {
  readonly connections: Set<Connection> = new Set();
  readonly #limit: number;
  readonly #stops: readonly Unsubscribe[];

  /** @param limit - Bytes that may wait for a client. */
  constructor(vizprompt: VizPrompt, limit: number) {
    this.#limit = limit;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of an object
    const names = Object.keys(EVENT_KINDS) as (keyof VizPromptEvents)[];
    this.#stops = names.map((name) => this.#listen(vizprompt, name));
  }

  #listen(vizprompt: VizPrompt, name: keyof VizPromptEvents): Unsubscribe {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is of the events of this name
    const kind = EVENT_KINDS[name] as EventKind<unknown>;
    const event = wireName(name);
    return vizprompt.on(name, (payload) => {
      const written = kind.write(payload);
      let message: OutgoingMessage | undefined;
      let first: OutgoingMessage | undefined;
      for (const connection of this.connections) {
        const { subscriptions } = connection;
        if (!subscriptions.want(event, written)) {
          if (name !== 'flow:created' || !subscriptions.awaits(written)) continue;
          first ??= outgoingMessage({ event: 'flow_updated', data: written.data }, this.#limit);
          connection.send(first);
          continue;
        }
        // Made once, and shared by all who hear it.
        message ??= outgoingMessage({ event, data: written.data }, this.#limit);
        connection.send(message);
      }
    });
  }

  /** Hears no more events. */
  close(): void {
    for (const stop of this.#stops) stop();
  }
}

/** @throws PeerError if `ws` is not installed. */
async function loadWs(): Promise<typeof Ws> {
  try {
    return await import('ws');
  } catch (error) {
    throw toPeerError(error, 'ws');
  }
}

/** The name of the protocol, which a client that brings a token as a subprotocol must offer too. */
const PROTOCOL = 'vizprompt.v1';

const TOKEN_PREFIX = 'token.';

/** The refusal of a connection: an HTTP status, and the fix. */
interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** Decides who may connect, before anything is upgraded. */
type Handshake = (request: IncomingMessage) => Refusal | undefined;

/** Checks the name that was asked for, then the page that asks, then the token. */
function createHandshake({
  host = '127.0.0.1',
  token,
  allowedHosts = [...LOCAL_HOSTS, inAddress(host)],
  allowedOrigins = [],
}: ServeWebSocketOptions): Handshake {
  const refusalOf = createRequestCheck({ allowedHosts, allowedOrigins });
  const isToken = token === undefined ? undefined : createTokenCheck(token);
  return ({ headers }) => {
    const refusal = refusalOf(headers);
    if (refusal) return refusal;
    const given =
      bearerToken(headers.authorization) ?? tokenIn(headers['sec-websocket-protocol'] ?? '');
    if (!isToken || isToken(given)) return undefined;
    const way = `Authorization: Bearer TOKEN, or the subprotocols '${PROTOCOL}' and 'token.TOKEN'`;
    return { status: 401, message: `the token is missing or wrong: send it as ${way}` };
  };
}

/** Browsers cannot send headers, but name subprotocols. */
function tokenIn(protocols: string): string | undefined {
  const names = protocols.split(',').map((name) => name.trim());
  const given = names.find((name) => name.startsWith(TOKEN_PREFIX));
  if (given === undefined) return undefined;
  try {
    return decodeURIComponent(given.slice(TOKEN_PREFIX.length));
  } catch {
    return undefined;
  }
}
