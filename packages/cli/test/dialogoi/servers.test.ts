import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { CACHE, Place } from '../support/place.ts';
import { binOf } from '../support/run.ts';
import { writeNovel } from './novel.ts';

const PATH = process.env['PATH'] ?? '';

interface Running {
  readonly child: ChildProcess;
  readonly streams: { stdout: string; stderr: string };
}

function start(place: Place, args: readonly string[]): Running {
  const env = { PATH, HOME: place.home, XDG_CACHE_HOME: CACHE, LANG: 'C.UTF-8' };
  const child = spawn(process.execPath, [binOf('dialogoi'), ...args], { cwd: place.cwd, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const streams = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (streams.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (streams.stderr += text));
  return { child, streams };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, 'exit') as Promise<[number | null]>;
  child.kill(signal);
  const [code] = await exit;
  return code;
}

const question = {
  name: 'search_novel_content',
  arguments: { novelId: '灯台', query: '火を守ったのは誰？' },
};

describe('dialogoi goes on', () => {
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
      const { child, streams } = start(place, ['mcp']);
      const clientInfo = { name: 'test', version: '1' };
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
      const messages = [
        { id: 1, method: 'initialize', params },
        { method: 'notifications/initialized' },
        { id: 2, method: 'tools/call', params: question },
      ];
      for (const message of messages) {
        child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      }
      child.stdin?.write('no JSON\n');
      await expect.poll(() => streams.stdout, { timeout: 30_000 }).toMatch(/"id":2[,}]/);
      const exit = once(child, 'exit');
      if (end === 'input') child.stdin?.end();
      else child.kill(end);
      expect(await exit).toEqual([0, null]);
      for (const line of streams.stdout.trim().split('\n')) {
        expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
      }
      expect(streams.stderr).toContain('contents/壊.md');
    }
  });

  it('as an MCP server over HTTP, with a token', async () => {
    const token = 'a-token-of-some-length';
    const { child, streams } = start(place, ['mcp', '--port', '0', '--token', token]);
    await expect.poll(() => streams.stdout, { timeout: 30_000 }).toMatch(/^listening on .*\n/);
    const [address = ''] = /http:\S+/.exec(streams.stdout) ?? [];
    expect((await fetch(address, { method: 'POST' })).status).toBe(401);
    const transport = new StreamableHTTPClientTransport(new URL(address), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const found = await client.callTool(question);
    expect(found.structuredContent).toMatchObject({ hits: [{ file: 'contents/01.md' }] });
    await client.close();
    expect(await stop(child, 'SIGTERM')).toBe(0);
    await expect(fetch(address)).rejects.toThrow();
  });

  it('while it watches, and follows the files', async () => {
    const { child, streams } = start(place, ['index', '--watch']);
    await expect.poll(() => streams.stdout, { timeout: 30_000 }).toContain('watching');
    await writeFile(join(root, 'contents/新.md'), '針は南を指した。');
    await rm(join(root, 'contents/10.md'));
    await expect
      .poll(() => streams.stdout, { timeout: 30_000 })
      .toContain('indexed 灯台/contents/新.md');
    await expect
      .poll(() => streams.stdout, { timeout: 30_000 })
      .toContain('removed 灯台/contents/10.md');
    expect(await stop(child, 'SIGINT')).toBe(0);
    expect(await place.json('dialogoi', ['index'])).toMatchObject({ indexed: 0, unchanged: 4 });
  });
});
