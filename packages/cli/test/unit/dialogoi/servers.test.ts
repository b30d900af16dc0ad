import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeNovel } from '../../support/novel.ts';
import { Place } from '../../support/place.ts';

const question = {
  name: 'search_novel_content',
  arguments: { novelId: '灯台', query: '火を守ったのは誰？' },
};

describe('dialogoi mcp', () => {
  let place: Place;
  beforeEach(async () => {
    place = await Place.make();
    await writeNovel(place.cwd);
  });
  afterEach(() => place[Symbol.asyncDispose]());

  it('answers all that was asked before standard input ended', async () => {
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const messages = [
      { id: 1, method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: question },
      { id: 3, method: 'tools/list' },
    ];
    const input = messages.map((one) => JSON.stringify({ jsonrpc: '2.0', ...one })).join('\n');
    const run = await place.run('dialogoi', ['mcp'], { input });
    expect([run.code, run.stderr]).toEqual([0, '']);
    const answers = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number });
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([1, 2, 3]));
    expect(answers.find(({ id }) => id === 2)).toMatchObject({
      result: { structuredContent: { hits: [{ file: 'contents/01.md' }] } },
    });
    const nothing = await place.run('dialogoi', ['mcp'], { input: '' });
    expect(nothing).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('serves over HTTP, with a token', async () => {
    const token = 'a-token-of-some-length';
    const server = place.start('dialogoi', ['mcp', '--port', '0', '--token', token]);
    await server.shows(/^listening on .*\n/);
    const [address = ''] = /http:\S+/.exec(server.stdout) ?? [];
    expect((await fetch(address, { method: 'POST' })).status).toBe(401);
    const transport = new StreamableHTTPClientTransport(new URL(address), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const found = await client.callTool(question);
    expect(found.structuredContent).toMatchObject({ hits: [{ file: 'contents/01.md' }] });
    await client.close();
    expect(await server.end('SIGTERM')).toBe(0);
    await expect(fetch(address)).rejects.toThrow('fetch failed');
  });

  it('makes up a token where others than this machine may come', async () => {
    const server = place.start('dialogoi', ['mcp', '--host', '0.0.0.0', '--json']);
    await server.shows(/\}\n$/);
    const { url, token } = JSON.parse(server.stdout) as { url: string; token: string };
    const ask = (headers: Readonly<Record<string, string>>): Promise<Response> =>
      fetch(url.replace('0.0.0.0', '127.0.0.1'), { method: 'POST', headers });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: `Bearer ${token}` })).status).not.toBe(401);
    const origin = 'https://evil.example';
    expect((await ask({ authorization: `Bearer ${token}`, origin })).status).toBe(403);
    expect(await server.end('SIGINT')).toBe(0);
  });
});
