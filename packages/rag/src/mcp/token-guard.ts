import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Whether a request may go on; if not, it has been answered. */
export type RequestGuard = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Lets requests through that bring the token; how long it takes tells nothing about it. */
export function tokenGuard(token: string): RequestGuard {
  const expected = digest(`Bearer ${token}`);
  return ({ headers }, response) => {
    const given = (headers.authorization ?? '').replace(/^bearer /i, 'Bearer ');
    if (timingSafeEqual(digest(given), expected)) return true;
    const message = 'the token is missing or wrong: send it as Authorization: Bearer TOKEN';
    response
      .writeHead(401, { 'WWW-Authenticate': 'Bearer', 'Content-Type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_001, message }, id: null }));
    return false;
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
