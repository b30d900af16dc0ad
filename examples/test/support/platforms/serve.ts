import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A request that a platform received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** An answer of a platform, in JSON. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

/** A server of this process, on a free port. */
export interface Served {
  readonly server: Server;
  readonly url: string;
  close(): Promise<void>;
}

/** Serves until it is closed. */
async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Served> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    server,
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Serves an API in JSON. */
export function serveApi(answer: (request: Received) => Answer): Promise<Served> {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = request;
    const [path = '/'] = url.split('?');
    const given = answer({ method, path, headers, body: await text(request) });
    const { status = 200, json } = given;
    response.writeHead(status, { 'content-type': 'application/json', ...given.headers });
    response.end(json === undefined ? '' : JSON.stringify(json));
  };
  return serve((request, response) => {
    // A client that goes away in the middle of its request.
    handle(request, response).catch(() => response.destroy());
  });
}

/** Checks whether JSON is an object, and returns its fields. */
export function fieldsOf(body: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(body);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
