import type { SessionInfo } from '@vizprompt/memory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Place } from '../../support/place.ts';
import { startServer } from '../../support/start-server.ts';
import { placeWithSession } from '../../support/open-place.ts';

describe('the servers of ptta', () => {
  let place: Place;
  let session: SessionInfo;
  beforeAll(async () => {
    ({ place, session } = await placeWithSession());
    await place.run('ptta', ['log:user', '<b>認証</b>']);
  });
  afterAll(() => place[Symbol.asyncDispose]());

  it('serve the REST API, and stream what other processes log', async () => {
    await using server = await startServer(place, 'ptta', ['serve', '--port', '0']);
    const listed = await fetch(`${server.url}/api/sessions`);
    expect(await listed.json()).toMatchObject({ sessions: [{ id: session.id }] });
    const found = await fetch(`${server.url}/api/search?q=${encodeURIComponent('認証')}`);
    expect(await found.json()).toMatchObject({ hits: [{ event: { sequence: 1 } }] });
    expect((await fetch(`${server.url}/`)).status).toBe(404);

    const response = await fetch(`${server.url}/api/sessions/${session.id}/events`, {
      headers: { Accept: 'text/event-stream' },
    });
    await place.run('ptta', ['log:assistant', '実装しました']);
    let text = '';
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      if (text.includes('実装しました')) break;
    }
    expect(text).toContain('id: 1\n');
    expect(text).toContain('"type":"assistant_message"');
    expect(await server.stop('SIGINT')).toBe(0);
  });

  it('serve timelines to read, in which nothing of what was said runs', async () => {
    await using server = await startServer(place, 'ptta', ['web', '--port', '0']);
    const page = await fetch(`${server.url}/`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toContain('&lt;b&gt;認証&lt;/b&gt;');
    const one = await fetch(`${server.url}/sessions/${session.id}`);
    expect(await one.text()).toContain('Content-Security-Policy');
    const none = await fetch(`${server.url}/sessions/nope`);
    expect([none.status, await none.json()]).toMatchObject([404, { code: 'session-not-found' }]);
    const api = await fetch(`${server.url}/api/stats`);
    expect(await api.json()).toMatchObject({ sessions: 1 });
    expect(await server.stop()).toBe(0);
  });

  it('show one workspace only on request', async () => {
    const args = ['web', '--port', '0', '--workspace', '/elsewhere'];
    await using server = await startServer(place, 'ptta', args);
    expect(await (await fetch(`${server.url}/`)).text()).not.toContain('認証');
  });

  it('ask for a token where others can come, and refuse foreign pages and names', async () => {
    const open = await startServer(place, 'ptta', ['serve', '--port', '0', '--host', '0.0.0.0']);
    await using server = open;
    const url = server.url.replace('0.0.0.0', '127.0.0.1');
    expect((await fetch(`${url}/api/stats`)).status).toBe(401);
    const allowed = { headers: { Authorization: `Bearer ${server.token}` } };
    expect((await fetch(`${url}/api/stats`, allowed)).status).toBe(200);

    await using local = await startServer(place, 'ptta', ['serve', '--port', '0']);
    expect(local.token).toBeUndefined();
    const foreign = { headers: { Origin: 'https://evil.example' } };
    expect((await fetch(`${local.url}/api/stats`, foreign)).status).toBe(403);
  });

  it('over MCP answers all that was asked before standard input ended', async () => {
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const messages = [
      { id: 1, method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: { name: 'search', arguments: { query: '認証' } } },
    ];
    const input = messages.map((one) => JSON.stringify({ jsonrpc: '2.0', ...one })).join('\n');
    const run = await place.run('ptta', ['mcp'], { input });
    expect([run.code, run.stderr]).toEqual([0, '']);
    const answers = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number });
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([1, 2, 3]));
    expect(answers.find(({ id }) => id === 3)).toMatchObject({
      result: { structuredContent: { hits: [{}] } },
    });
    const nothing = await place.run('ptta', ['mcp'], { input: '' });
    expect(nothing).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('are refused for bad options, and for a port that is taken', async () => {
    await using server = await startServer(place, 'ptta', ['serve', '--port', '0']);
    const { port } = new URL(server.url);
    for (const [args, code, message] of [
      [['serve', '--port', port], 4, 'EADDRINUSE'],
      [['web', '--port', '65536'], 2, 'whole number from 0 to 65535'],
      [['serve', '--port', '0', '--token', 'short'], 2, 'at least 16 characters'],
      [['web', 'now'], 2, 'too many arguments'],
      [['mcp', '--port', '1'], 2, "unknown option '--port'"],
    ] as const) {
      const result = await place.run('ptta', args);
      expect(result.stderr).toContain(message);
      expect(result.code).toBe(code);
    }
  });
});
