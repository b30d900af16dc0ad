import type { IncomingMessage, ServerResponse } from 'node:http';
import { createTokenCheck } from '@vizprompt/providers/serving';
import {
  bearerToken,
  createRequestCheck,
  type AllowedRequests,
} from '@vizprompt/providers/serving/internal';

/** Checks whether a request may continue; if not, it has been answered. */
export type RequestGuard = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Lets requests through that are for one of the names, and come from no page that is not allowed. */
export function requestGuard(allowed: AllowedRequests): RequestGuard {
  const refusalOf = createRequestCheck(allowed);
  return ({ headers }, response) => {
    const refusal = refusalOf(headers);
    if (refusal) refuse(response, refusal.status, refusal.message);
    return refusal === undefined;
  };
}

/** Lets requests through that bring the token; how long it takes reveals nothing about it. */
export function tokenGuard(token: string): RequestGuard {
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
export function refuse(response: ServerResponse, status: number, message: string): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_001, message }, id: null }));
}
