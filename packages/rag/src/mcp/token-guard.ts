import type { IncomingMessage, ServerResponse } from 'node:http';
import { bearerToken, createTokenCheck } from '@vizprompt/providers/serving';

/** Whether a request may go on; if not, it has been answered. */
export type RequestGuard = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Lets requests through that bring the token; how long it takes tells nothing about it. */
export function tokenGuard(token: string): RequestGuard {
  const isToken = createTokenCheck(token);
  return ({ headers }, response) => {
    if (isToken(bearerToken(headers.authorization))) return true;
    const message = 'the token is missing or wrong: send it as Authorization: Bearer TOKEN';
    response
      .writeHead(401, { 'WWW-Authenticate': 'Bearer', 'Content-Type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_001, message }, id: null }));
    return false;
  };
}
