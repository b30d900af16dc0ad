import { createHash, timingSafeEqual } from 'node:crypto';
import { checkArgument } from '../input/check-input.ts';
import { TEXT } from '../input/kinds.ts';

/** Whom a server answers. */
export interface AllowedRequests {
  /** Names that requests may be for, without port. */
  readonly allowedHosts: readonly string[];
  /** Origins of other pages that may ask; a name without scheme and port means all of its pages. */
  readonly allowedOrigins: readonly string[];
}

/** The headers that say for whom a request is, and which page sends it. */
export interface RequestOrigin {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

/** Why a request is refused. */
export interface RequestRefusal {
  readonly status: 403 | 421;
  readonly code: 'host-not-allowed' | 'origin-not-allowed';
  /** The problem, and the fix. */
  readonly message: string;
}

/**
 * Creates the check that all servers of the SDK make first: a request must be for one of the names, so
 * that no page can make its own name lead here, and come from no page, one of the same host and port, or
 * one that is allowed.
 */
export function createRequestCheck({
  allowedHosts,
  allowedOrigins,
}: AllowedRequests): (request: RequestOrigin) => RequestRefusal | undefined {
  const hosts = new Set(allowedHosts.map((name) => name.toLowerCase()));
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
  return ({ host = '', origin }) => {
    const name = hostName(host);
    if (!HOST.test(host) || !hosts.has(name)) {
      const message = `this server does not answer for '${name}': add it to allowedHosts`;
      return { status: 421, code: 'host-not-allowed', message };
    }
    if (origin === undefined || isSameHost(origin, host) || isAllowed(origins, origin)) {
      return undefined;
    }
    const message = `pages of ${origin} may not use this server: add it to allowedOrigins`;
    return { status: 403, code: 'origin-not-allowed', message };
  };
}

/** The parts of the address of a request that its checks read. */
interface RequestAddress {
  readonly host: string;
  readonly pathname: string;
}

/**
 * Returns the address of a request. Servers pass on a `Host` that no URL may have, such as `xn--a`: its parts are empty, and
 * no server answers for such a name.
 */
export function addressOf(url: string): RequestAddress {
  return URL.canParse(url) ? new URL(url) : { host: '', pathname: '' };
}

/** A name or an address, and perhaps a port. */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s/@\\?#:[\]]+)(?::\d{0,5})?$/i;

function isAllowed(origins: ReadonlySet<string>, origin: string): boolean {
  if (origins.has(origin.toLowerCase())) return true;
  return URL.canParse(origin) && origins.has(new URL(origin).hostname);
}

/** The headers of every answer for browsers: no page of another origin may show or embed it. */
export const SERVING_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Returns the name in a `Host` header, in lower case and without its port. */
export function hostName(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}

/**
 * Checks whether a page comes from the host and port that it asks. Schemes are not compared: a proxy in front
 * may speak another.
 *
 * @param origin - The `Origin` header.
 * @param host - The `Host` header.
 */
export function isSameHost(origin: string, host: string): boolean {
  const asked = `http://${host}`;
  if (!URL.canParse(origin) || !URL.canParse(asked)) return false;
  return new URL(origin).host === new URL(asked).host;
}

/** Checks whether what a client brought is the token. */
export type TokenCheck = (given: string | undefined) => boolean;

/** Compares with a token; how long it takes reveals nothing about it. */
export function createTokenCheck(token: string): TokenCheck {
  checkArgument('the token of createTokenCheck', token, TEXT);
  const expected = digest(token);
  return (given) => timingSafeEqual(digest(given ?? ''), expected) && given !== undefined;
}

/** Returns the token after `Bearer` in an `Authorization` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer (.*)$/is.exec(authorization)?.[1];
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
