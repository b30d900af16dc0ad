import type { Logger } from '@vizprompt/providers';
import { servingProblem } from '@vizprompt/providers/serving';
import { VizPromptError } from '../errors.ts';

/** The limits of one client; they protect the rest of the server. */
export interface WebSocketLimits {
  /** Clients at once; more are refused with HTTP 503. Default: 1,000. */
  readonly maxClients?: number | undefined;
  /** Clients at once from one address; more are refused with HTTP 503. Default: half of `maxClients`. */
  readonly maxClientsPerAddress?: number | undefined;
  /**
   * The largest message of a client in bytes. A larger one is answered with an error; one of more than
   * twice of it is not even read, and ends the connection. Default: 1,048,576 (1 MiB).
   */
  readonly maxMessageBytes?: number | undefined;
  /**
   * How much may wait to be sent to a client, in bytes. One who lets more gather, as it does not read, is
   * dropped. default: 1,048,576 (1 MiB).
   */
  readonly maxBufferedBytes?: number | undefined;
  /**
   * Messages a second in the long run; twice as many may come at once. One of more than 64 KiB counts
   * for several. Further ones are answered with an error. Default: 100.
   */
  readonly maxMessagesPerSecond?: number | undefined;
  /** `chat`, `build` and the like that run at once for a client. Default: 8. */
  readonly maxLongActions?: number | undefined;
  /** Subscriptions of a client. Default: 256. */
  readonly maxSubscriptions?: number | undefined;
}

/** Options of {@link attachWebSocket}, and of {@link serveWebSocket} among others. */
export interface WebSocketOptions {
  /** The path of the address. Default: `/`. */
  readonly path?: string | undefined;
  /**
   * The token that clients send, at least 16 characters: as `Authorization: Bearer …`, or from a browser as
   * the subprotocol `token.` followed by the token, percent-encoded. Default: none, which is for servers
   * that listen on 127.0.0.1 alone.
   */
  readonly token?: string | undefined;
  /**
   * Names that requests may be for (`Host`), without port. Default: `localhost`, `127.0.0.1`, `[::1]`,
   * and the `host`. Others are refused: a page in a browser could have made them lead here.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Origins of other pages that may connect, such as `https://app.example`; `null` is that of pages
   * from files. Default: none but pages of the same host and port, with a `token` too.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** The limits of a client. */
  readonly limits?: WebSocketLimits | undefined;
  /** How often clients are pinged, in milliseconds; one that is silent until the next is dropped. Default: 30,000. */
  readonly pingMs?: number | undefined;
  /** How long `close` and a dropped client wait for the other side, in milliseconds. Default: 2,000. */
  readonly closeTimeoutMs?: number | undefined;
  /** Receives actions that failed for no fault of the client. Default: says nothing. */
  readonly logger?: Logger | undefined;
}

/** Options of {@link serveWebSocket}. */
export interface ServeWebSocketOptions extends WebSocketOptions {
  /** Where it listens. Default: 8080; 0: one that is free. */
  readonly port?: number | undefined;
  /** Default: `127.0.0.1`. Any other needs a `token`, and `allowedHosts` if it means all addresses. */
  readonly host?: string | undefined;
}

/** All limits. */
export type Limits = {
  readonly [Name in keyof WebSocketLimits]-?: Exclude<WebSocketLimits[Name], undefined>;
};

const LIMITS: Limits = {
  maxClients: 1000,
  maxClientsPerAddress: 500,
  maxMessageBytes: 1024 * 1024,
  maxBufferedBytes: 1024 * 1024,
  maxMessagesPerSecond: 100,
  maxLongActions: 8,
  maxSubscriptions: 256,
};

const OPTIONS: readonly (keyof ServeWebSocketOptions)[] = [
  'port',
  'host',
  'path',
  'token',
  'allowedHosts',
  'allowedOrigins',
  'limits',
  'pingMs',
  'closeTimeoutMs',
  'logger',
];

/**
 * Refuses options that make no sense, and mistyped ones, which would leave a default in force unnoticed.
 *
 * @throws VizPromptError with the code `invalid-input`, which names the option.
 */
export function checkOptions(options: ServeWebSocketOptions): void {
  const { limits = {}, path, pingMs, closeTimeoutMs } = options;
  checkKeys('option', options, OPTIONS);
  checkKeys('limit', limits, Object.keys(LIMITS));
  for (const [name, value] of Object.entries({ ...limits, pingMs, closeTimeoutMs })) {
    if (value === undefined || (Number.isSafeInteger(value) && value > 0)) continue;
    throw invalid(`${name} is ${value}: it must be a whole number above 0`);
  }
  if (path !== undefined && !path.startsWith('/')) {
    throw invalid(`the path '${path}' must begin with /`);
  }
  const problem = servingProblem(options);
  if (problem !== undefined) throw invalid(problem);
}

/** Returns the limits that are given, and the defaults of the others. */
export function allLimits(given: WebSocketLimits = {}): Limits {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const half = Math.ceil((given.maxClients ?? LIMITS.maxClients) / 2);
  return { ...LIMITS, maxClientsPerAddress: half, ...Object.fromEntries(set) };
}

function checkKeys(what: string, given: object, known: readonly string[]): void {
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    throw invalid(`the WebSocket server has no ${what} '${key}': there are ${known.join(', ')}`);
  }
}

function invalid(message: string): VizPromptError {
  return new VizPromptError('invalid-input', message);
}
