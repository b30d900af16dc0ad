import { checkArgument } from '../input/check-input.ts';
import { OBJECT } from '../input/kinds.ts';

/** The names by which a machine calls itself, as they are in `Host` and in addresses. */
export const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The fewest characters of a token. */
const SHORTEST_TOKEN = 16;
const ALL_ADDRESSES = ['0.0.0.0', '::', '[::]', ''];

/** The clients that may reach a server, by its options. */
export interface ServedTo {
  /** The address that it listens on; absent where another program listens for it. */
  readonly host?: string | undefined;
  readonly token?: string | undefined;
  /** Names that requests may be for. */
  readonly allowedHosts?: readonly string[] | undefined;
}

/**
 * Why a server may not be served like this, in words: beyond this machine it needs a token, and on all
 * addresses the names that clients use.
 *
 * @returns `undefined` if nothing is wrong.
 */
export function servingProblem(served: ServedTo): string | undefined {
  checkArgument('the argument of servingProblem', served, OBJECT);
  const { host, token, allowedHosts } = served;
  if (token !== undefined && token.length < SHORTEST_TOKEN) {
    return `the token needs at least ${SHORTEST_TOKEN} characters`;
  }
  if (host === undefined) return undefined;
  if (!LOCAL_HOSTS.includes(inAddress(host)) && token === undefined) {
    return `serving on ${host}, beyond this machine, needs a token`;
  }
  if (ALL_ADDRESSES.includes(host) && allowedHosts === undefined) {
    return `serving on ${host} needs allowedHosts: the names that clients use`;
  }
  return undefined;
}

/** Returns a host as it is in an address: IPv6 in brackets. */
export function inAddress(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
