import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { VizPrompt } from '@vizprompt/core';
import { attachWebSocket, serveWebSocket } from '@vizprompt/core/websocket';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';
import { connectTo, serveProject } from '../../support/websocket/serve-project.ts';

const TOKEN = 'a token/of some=length (and more) 鍵';
const OFFERED = `token.${encodeURIComponent(TOKEN).replaceAll('(', '%28').replaceAll(')', '%29')}`;

/** Returns the status of a server for a client that wants to connect: 101, or why not. */
async function statusOf(
  url: string,
  options: ClientOptions = {},
  protocols: string[] = [],
): Promise<{ status: number; body: string }> {
  const socket = new WebSocket(url, protocols, options);
  onTestFinished(() => socket.terminate());
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve({ status: 101, body: socket.protocol }));
    socket.once('unexpected-response', (_request, response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    socket.once('error', reject);
  });
}

describe('a server', () => {
  it('answers for its own names alone, and only pages from here', async () => {
    const { server } = await serveProject();
    const { port, host } = new URL(server.url);
    expect(server.url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/$/);
    const hosts: readonly [string, number][] = [
      [host, 101],
      [`LOCALHOST:${port}`, 101],
      ['[::1]', 101],
      [`evil.example:${port}`, 421],
      [`127.0.0.1.evil.example:${port}`, 421],
    ];
    for (const [name, status] of hosts) {
      const answer = await statusOf(server.url, { headers: { host: name } });
      expect([name, answer.status]).toEqual([name, status]);
    }
    const origins: readonly [string, number][] = [
      [`http://${host}`, 101],
      ['http://localhost:5173', 403],
      ['http://[::1]:1', 403],
      [`https://localhost:${port}`, 403],
      ['http://localhost', 403],
      ['http://evil.localhost', 403],
      ['chrome-extension://abc', 403],
      ['https://evil.example', 403],
      [`http://localhost.evil.example:${port}`, 403],
      ['http://evil.example/localhost', 403],
      ['null', 403],
      ['localhost', 403],
    ];
    for (const [origin, status] of origins) {
      const answer = await statusOf(server.url, { origin });
      const says = answer.body.includes('allowedOrigins');
      expect([origin, answer.status, says]).toEqual([origin, status, status === 403]);
    }
    // A page that renamed this machine says the same name twice.
    const renamed = {
      origin: `http://evil.example:${port}`,
      headers: { host: `evil.example:${port}` },
    };
    expect((await statusOf(server.url, renamed)).status).toBe(421);
    expect(server.clients).toBeLessThanOrEqual(7);
  });

  it('lets in the configured origins and hosts', async () => {
    const { server } = await serveProject({
      allowedHosts: ['viz.example'],
      allowedOrigins: ['https://app.example', 'null'],
    });
    const headers = { host: 'Viz.example' };
    for (const origin of ['https://app.example', 'null', 'https://viz.example']) {
      expect([origin, (await statusOf(server.url, { origin, headers })).status]).toEqual([
        origin,
        101,
      ]);
    }
    for (const origin of ['https://other.example', 'http://localhost']) {
      expect((await statusOf(server.url, { origin, headers })).status).toBe(403);
    }
    expect((await statusOf(server.url)).status).toBe(421);
  });

  it('asks for its token, as a header or a subprotocol', async () => {
    const { server } = await serveProject({ token: 'only-these-letters' });
    const { url } = server;
    const bearer = (token: string): ClientOptions => ({
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await statusOf(url)).toMatchObject({
      status: 401,
      body: expect.stringContaining('vizprompt.v1'),
    });
    for (const wrong of [
      '',
      'only-these-letter',
      'only-these-letters2',
      'Bearer only-these-letters',
    ]) {
      expect([wrong, (await statusOf(url, bearer(wrong))).status]).toEqual([wrong, 401]);
    }
    expect((await statusOf(url, bearer('only-these-letters'))).status).toBe(101);
    const offered = ['vizprompt.v1', 'token.only-these-letters'];
    expect(await statusOf(url, {}, offered)).toEqual({ status: 101, body: 'vizprompt.v1' });
    for (const wrong of ['token.', 'token.%', 'token.other', 'only-these-letters']) {
      expect([wrong, (await statusOf(url, {}, ['vizprompt.v1', wrong])).status]).toEqual([
        wrong,
        401,
      ]);
    }
    expect((await statusOf(`${url}?token=only-these-letters`)).status).toBe(401);
    // A token opens for no page what is closed to it: another program here could know it.
    const { host } = new URL(url);
    for (const [origin, status] of [
      [`http://${host}`, 101],
      ['http://localhost:5173', 403],
      ['https://localhost:1', 403],
      ['http://[::1]:1', 403],
      ['http://127.0.0.1', 403],
      ['null', 403],
    ] as const) {
      expect([origin, (await statusOf(url, { origin }, offered)).status]).toEqual([origin, status]);
      const { headers } = bearer('only-these-letters');
      expect([origin, (await statusOf(url, { origin, headers })).status]).toEqual([origin, status]);
    }
    const other = await serveProject({ token: TOKEN });
    expect((await statusOf(other.server.url, {}, ['vizprompt.v1', OFFERED])).status).toBe(101);
  });

  it('listens beyond this machine only with a token and names', async () => {
    const vizprompt = await VizPrompt.open({ storage: await inMemoryStorage() });
    onTestFinished(() => vizprompt.close());
    const token = 'a token of some length';
    const bad: readonly [object, RegExp][] = [
      [{ host: '0.0.0.0' }, /needs a token/],
      [{ host: '0.0.0.0', token }, /needs allowedHosts/],
      [{ token: 'short' }, /at least 16 characters/],
      [{ prot: 1 }, /no option 'prot'/],
      [{ limits: { maxClient: 1 } }, /no limit 'maxClient'/],
      [{ limits: { maxClients: 0 } }, /maxClients is 0/],
      [{ pingMs: -1 }, /pingMs is -1/],
      [{ path: 'x' }, /must begin with/],
      [{ port: 70_000 }, /'port' of serveWebSocket: expected a whole number from 0 to 65535/],
    ];
    for (const [options, message] of bad) {
      const started = serveWebSocket(vizprompt, { port: 0, ...options });
      await expect(started).rejects.toMatchObject({
        code: 'invalid-input',
        message: expect.stringMatching(message),
      });
    }
    await using server = await serveWebSocket(vizprompt, {
      port: 0,
      host: '0.0.0.0',
      token,
      allowedHosts: ['viz.example'],
    });
    const here = `ws://127.0.0.1:${new URL(server.url).port}/`;
    const headers = { host: 'viz.example', authorization: `Bearer ${token}` };
    expect((await statusOf(here, { headers })).status).toBe(101);
  });

  it('says so where its port is taken, and leaves nothing behind', async () => {
    const { server, vizprompt } = await serveProject();
    const port = Number(new URL(server.url).port);
    await expect(serveWebSocket(vizprompt, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('lets in half of them from one address, unless set', async () => {
    const { server } = await serveProject({ limits: { maxClients: 3 } });
    const first = await connectTo(server.url);
    await connectTo(server.url);
    expect(await statusOf(server.url)).toMatchObject({
      status: 503,
      body: expect.stringContaining('2 clients of this address'),
    });
    first.socket.close();
    await expect.poll(() => server.clients).toBe(1);
    expect((await statusOf(server.url)).status).toBe(101);
  });

  it('lets in a limited number of clients', async () => {
    const { server } = await serveProject({ limits: { maxClients: 2, maxClientsPerAddress: 2 } });
    const first = await connectTo(server.url);
    await connectTo(server.url);
    expect(await statusOf(server.url)).toMatchObject({
      status: 503,
      body: expect.stringContaining('2 clients'),
    });
    first.socket.close();
    await expect.poll(() => server.clients).toBe(1);
    expect((await statusOf(server.url)).status).toBe(101);
  });

  it('speaks no other protocol, and survives what is none', async () => {
    const { server } = await serveProject();
    const http = server.url.replace('ws:', 'http:');
    expect((await fetch(http)).status).toBe(426);
    expect((await statusOf(`${server.url}other`)).status).toBe(404);
    const { port } = new URL(server.url);
    for (const bytes of [
      '\0\0\0',
      'GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nHost: localhost\r\n\r\n',
    ]) {
      const socket = connectSocket(Number(port), '127.0.0.1');
      socket.on('error', () => {});
      socket.end(bytes);
      await once(socket.resume(), 'close');
    }
    expect((await (await connectTo(server.url)).ask('list_tags')).status).toBe('success');
  });
});

describe('a server of your own', () => {
  it('keeps what is not for the project', async () => {
    const vizprompt = await VizPrompt.open({ storage: await inMemoryStorage() });
    const own = createServer((_request, response) => response.end('own'));
    own.listen(0, '127.0.0.1');
    await once(own, 'listening');
    const { port } = own.address() as { readonly port: number };
    const attached = await attachWebSocket(vizprompt, own, { path: '/viz', closeTimeoutMs: 100 });
    const url = `ws://127.0.0.1:${port}/viz`;
    const client = await connectTo(url);
    expect(attached.clients).toBe(1);
    expect((await client.ask('list_tags')).status).toBe('success');
    expect((await statusOf(`ws://127.0.0.1:${port}/`)).status).toBe(404);
    await attached.close();
    expect(await client.closed).toEqual({ code: 1001, reason: 'the server closes' });
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('own');
    const again = await attachWebSocket(vizprompt, own, { path: '/viz' });
    expect((await (await connectTo(url)).ask('list_tags')).status).toBe('success');
    await again.close();
    own.close();
    await vizprompt.close();
  });
});
