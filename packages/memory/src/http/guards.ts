import {
  bearerToken,
  createTokenCheck,
  hostName,
  isSameHost,
  LOCAL_HOSTS,
} from '@vizprompt/providers/serving';
import type { MiddlewareHandler } from 'hono';
import { problemResponse } from './problem.ts';

/** Lets requests through that are for one of the names: pages that renamed this machine are not. */
export function hostGuard(allowedHosts: readonly string[] = LOCAL_HOSTS): MiddlewareHandler {
  const names = new Set(allowedHosts.map((name) => name.toLowerCase()));
  return async ({ req }, next) => {
    const { hostname } = new URL(req.url);
    const given = req.header('host') ?? hostname;
    const name = hostName(given);
    if (names.has(name) && names.has(hostname)) return next();
    return problemResponse(
      421,
      'host-not-allowed',
      `this server does not answer for '${name}': add it to allowedHosts`,
    );
  };
}

/** Lets requests through that no page sent, or one of the same host and port, or an allowed one. */
export function originGuard(allowedOrigins: readonly string[]): MiddlewareHandler {
  const origins = new Set(allowedOrigins);
  return async ({ req }, next) => {
    const origin = req.header('origin');
    if (origin === undefined || origins.has(origin)) return next();
    if (isSameHost(origin, new URL(req.url).host)) return next();
    const detail = `pages of ${origin} may not use this server: add it to allowedOrigins`;
    return problemResponse(403, 'origin-not-allowed', detail);
  };
}

/** Lets requests through that bring the token; how long it takes tells nothing about it. */
export function tokenGuard(token: string): MiddlewareHandler {
  const isToken = createTokenCheck(token);
  return async ({ req }, next) => {
    if (isToken(bearerToken(req.header('authorization')))) return next();
    const detail = 'the token is missing or wrong: send it as Authorization: Bearer TOKEN';
    const headers = { 'WWW-Authenticate': 'Bearer' };
    return problemResponse(401, 'token-wrong', detail, { headers });
  };
}

/** Lets bodies through that say that they are JSON: a form of a foreign page cannot. */
export const jsonGuard: MiddlewareHandler = async ({ req }, next) => {
  const hasBody = req.method === 'POST' || req.method === 'PATCH';
  const type = (req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (!hasBody || type === 'application/json') return next();
  const detail = 'the body must be JSON: send it with Content-Type: application/json';
  return problemResponse(415, 'not-json', detail);
};
