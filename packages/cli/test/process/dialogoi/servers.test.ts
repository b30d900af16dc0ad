import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Background } from '../../support/background.ts';
import { CACHE, Place } from '../../support/place.ts';
import { binOf } from '../../support/run.ts';
import { writeNovel } from '../../support/novel.ts';

const PATH = process.env['PATH'] ?? '';

const question = {
  name: 'search_novel_content',
  arguments: { novelId: '灯台', query: '火を守ったのは誰？' },
};

describe('dialogoi continues', () => {
  let place: Place;
  let root = '';
  beforeEach(async () => {
    place = await Place.make();
    root = await writeNovel(place.cwd);
  });
  afterEach(() => place[Symbol.asyncDispose]());

  it('as an MCP server on standard input and output, for the official client', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [binOf('dialogoi'), 'mcp', '--max-tokens', '300'],
      cwd: place.cwd,
      env: { PATH, HOME: place.home, XDG_CACHE_HOME: CACHE },
      stderr: 'ignore',
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools).toHaveLength(11);
    const found = await client.callTool(question);
    expect(found.structuredContent).toMatchObject({ hits: [{ file: 'contents/01.md' }] });
  });

  it('and prints nothing there but the protocol, and ends with its client or a signal', async () => {
    await writeFile(join(root, 'contents/壊.md'), Buffer.from([0x93, 0x94]));
    for (const end of ['input', 'SIGTERM', 'SIGINT'] as const) {
      const server = Background.start(place, 'dialogoi', ['mcp']);
      const clientInfo = { name: 'test', version: '1' };
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
      const messages = [
        { id: 1, method: 'initialize', params },
        { method: 'notifications/initialized' },
        { id: 2, method: 'tools/call', params: question },
      ];
      for (const message of messages) server.type(JSON.stringify({ jsonrpc: '2.0', ...message }));
      server.type('no JSON');
      await server.shows(/"id":2[,}]/);
      if (end === 'input') server.child.stdin?.end();
      expect(await server.end(end === 'input' ? undefined : end)).toBe(0);
      for (const line of server.stdout.trim().split('\n')) {
        expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
      }
      expect(server.stderr).toContain('contents/壊.md');
    }
  });

  it('while it watches, and follows the files', async () => {
    const watcher = Background.start(place, 'dialogoi', ['index', '--watch']);
    await watcher.shows('watching');
    await writeFile(join(root, 'contents/新.md'), '針は南を指した。');
    await rm(join(root, 'contents/10.md'));
    await watcher.shows('indexed 灯台/contents/新.md');
    await watcher.shows('removed 灯台/contents/10.md');
    expect(await watcher.end('SIGINT')).toBe(0);
    expect(await place.json('dialogoi', ['index'])).toMatchObject({ indexed: 0, unchanged: 4 });
  });
});
