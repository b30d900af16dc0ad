import { once } from 'node:events';
import { createServer, type RequestListener, type Server as HttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { SelfSigned } from './self-signed.ts';

/** A server of a test, which ends with it. */
export interface RunningServer {
  readonly port: number;
  /** The requested URLs, in order. */
  readonly asked: readonly string[];
}

/** Answers every chat of Chat Completions, with and without a stream. */
function answerChats(asked: string[]): RequestListener {
  return (request, response) => {
    asked.push(request.url ?? '');
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const delta = { index: 0, delta: { content: 'はい' }, finish_reason: 'stop' };
      response.end(`data: ${JSON.stringify({ choices: [delta] })}\n\ndata: [DONE]\n\n`);
    });
  };
}

/** Returns a model server over TLS, with a certificate that no authority knows. */
export async function startTlsModel({ key, cert }: SelfSigned): Promise<RunningServer> {
  const asked: string[] = [];
  const server = createTlsServer({ key, cert }, answerChats(asked));
  return { port: await listen(server), asked };
}

/** Returns a model server without TLS. */
export async function startPlainModel(): Promise<RunningServer> {
  const asked: string[] = [];
  return { port: await listen(createServer(answerChats(asked))), asked };
}

/**
 * Returns a proxy that opens tunnels (`CONNECT`) to this machine, whichever host is asked for, and refuses everyone without the
 * password.
 */
export async function startProxy(target: number, password?: string): Promise<RunningServer> {
  const asked: string[] = [];
  const server: HttpServer = createServer((_, response) => response.writeHead(501).end());
  server.on('connect', (request, socket: Socket) => {
    asked.push(request.url ?? '');
    const given = request.headers['proxy-authorization'] ?? '';
    const wanted = `Basic ${Buffer.from(password ?? '').toString('base64')}`;
    if (password !== undefined && given !== wanted) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const inner = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      inner.pipe(socket).pipe(inner);
    });
    for (const [one, other] of [
      [inner, socket],
      [socket, inner],
    ] as const) {
      one.on('error', () => other.destroy());
    }
  });
  return { port: await listen(server), asked };
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return (server.address() as AddressInfo).port;
}
