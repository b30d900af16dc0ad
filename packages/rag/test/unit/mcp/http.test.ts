import { request } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  serveNovelHttp,
  type NovelHttpServer,
  type ServeNovelHttpOptions,
} from '../../../src/mcp/index.ts';
import { call, openService } from '../../support/novel-service.ts';

const TOKEN = 'a token of some length';

async function serve(options: ServeNovelHttpOptions = {}): Promise<NovelHttpServer> {
  const { service } = await openService();
  const server = await serveNovelHttp(service, options);
  onTestFinished(() => server.close());
  return server;
}

async function connectTo(
  { url }: NovelHttpServer,
  mode: 'legacy' | 'auto',
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  onTestFinished(() => client.close());
  return client;
}

/** Returns the status of a request with headers that `fetch` does not set. */
async function statusOf(
  url: string,
  headers: Record<string, string>,
  path?: string,
): Promise<number> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    },
  });
  const target = new URL(path ?? '', url);
  return new Promise((resolve, reject) => {
    const accept = 'application/json, text/event-stream';
    const sent = { 'content-type': 'application/json', accept, ...headers };
    request(path === undefined ? url : target, { method: 'POST', headers: sent }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end(body);
  });
}

describe('a server on HTTP', () => {
  it.each(['legacy', 'auto'] as const)('answers the official client (%s)', async (mode) => {
    const server = await serve();
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const client = await connectTo(server, mode);
    const told: number[] = [];
    const found = await client.callTool(
      { name: 'search_novel_content', arguments: { novelId: '灯台', query: '箱の鍵' } },
      { onprogress: ({ progress }) => told.push(progress) },
    );
    expect(found.structuredContent).toMatchObject({ hits: [{ file: 'contents/第10章.md' }] });
    expect(told.length).toBeGreaterThan(0);
    const others = await Promise.all([connectTo(server, mode), connectTo(server, mode)]);
    for (const other of others) {
      const listed = await call(other, 'list_novel_settings', { novelId: '灯台' });
      expect(listed.structuredContent).toMatchObject({ total: 2 });
    }
  });

  it('refuses names and pages that may have been made to lead here', async () => {
    const { url } = await serve();
    const { host, port } = new URL(url);
    expect(await statusOf(url, {})).toBe(200);
    expect(await statusOf(url, { host: `localhost:${port}` })).toBe(200);
    expect(await statusOf(url, { host: 'evil.example' })).toBe(421);
    expect(await statusOf(url, { host: `evil.example:${port}` })).toBe(421);
    expect(await statusOf(url, { host: `127.0.0.1.evil.example:${port}` })).toBe(421);
    expect(await statusOf(url, { host: `x@${host}` })).toBe(421);
    expect(await statusOf(url, { origin: 'http://localhost:1' })).toBe(403);
    expect(await statusOf(url, { origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf(url, { origin: 'null' })).toBe(403);
    expect(await statusOf(url, { origin: `http://${host}` })).toBe(200);
    expect(await statusOf(url, {}, '/other')).toBe(404);
  });

  it('asks for its token', async () => {
    const server = await serve({ token: TOKEN });
    expect(await statusOf(server.url, {})).toBe(401);
    expect(await statusOf(server.url, { authorization: `Bearer ${TOKEN}x` })).toBe(401);
    expect(await statusOf(server.url, { authorization: TOKEN })).toBe(401);
    const authorization = `Bearer ${TOKEN}`;
    expect(await statusOf(server.url, { authorization, host: 'evil.example' })).toBe(421);
    const client = await connectTo(server, 'auto', { authorization });
    expect((await client.listTools()).tools).toHaveLength(11);
  });

  it('listens beyond this machine only with a token and names', async () => {
    const { service } = await openService();
    const invalid = expect.objectContaining({ code: 'invalid-input' });
    await expect(serveNovelHttp(service, { host: '0.0.0.0' })).rejects.toEqual(invalid);
    await expect(serveNovelHttp(service, { host: '::', token: TOKEN })).rejects.toEqual(invalid);
    await expect(serveNovelHttp(service, { token: 'short' })).rejects.toEqual(invalid);
    const server = await serve({ host: '0.0.0.0', token: TOKEN, allowedHosts: ['novels.example'] });
    const { port } = new URL(server.url);
    const here = `http://127.0.0.1:${port}/mcp`;
    const authorization = `Bearer ${TOKEN}`;
    expect(await statusOf(here, { authorization, host: `novels.example:${port}` })).toBe(200);
    expect(await statusOf(here, { authorization })).toBe(421);
  });

  it('ends what is in progress when it is closed, and frees the port', async () => {
    const server = await serve();
    const client = await connectTo(server, 'auto');
    await client.listTools();
    await server.close();
    await server.close();
    await expect(statusOf(server.url, {})).rejects.toThrow(/ECONNREFUSED/);
  });
});
