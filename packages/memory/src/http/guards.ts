import { createTokenCheck, LOCAL_HOSTS } from '@vizprompt/providers/serving';
import { bearerToken, createRequestCheck } from '@vizprompt/providers/serving/internal';
import type { MiddlewareHandler } from 'hono';
import { problemResponse } from './problem.ts';

/**
 * Lets requests through that are for one of the names, and that no page sent, or one of the same host and
 * port, or an allowed one.
 */
export function requestGuard(
  allowedHosts: readonly string[] = LOCAL_HOSTS,
  allowedOrigins: readonly string[] = [],
): MiddlewareHandler {
  const refusalOf = createRequestCheck({ allowedHosts, allowedOrigins });
  return async ({ req }, next) => {
    // An address in the first line of a request stands above the header.
    const { host } = new URL(req.url);
    const named = refusalOf({ host: req.header('host') ?? host });
    const refusal = named ?? refusalOf({ host, origin: req.header('origin') });
    if (!refusal) return next();
    return problemResponse(refusal.status, refusal.code, refusal.message);
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
