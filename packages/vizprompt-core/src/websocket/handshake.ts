import type { IncomingMessage } from 'node:http';
import { createTokenCheck, LOCAL_HOSTS } from '@vizprompt/providers/serving';
import { bearerToken, createRequestCheck, inAddress } from '@vizprompt/providers/serving/internal';
import type { ServeWebSocketOptions } from './options.ts';

/** The name of the protocol, which a client that brings a token as a subprotocol must offer too. */
export const PROTOCOL = 'vizprompt.v1';

const TOKEN_PREFIX = 'token.';

/** The refusal of a connection: an HTTP status, and the fix. */
interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** Decides who may connect, before anything is upgraded. */
export type Handshake = (request: IncomingMessage) => Refusal | undefined;

/** Checks the name that was asked for, then the page that asks, then the token. */
export function createHandshake({
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
