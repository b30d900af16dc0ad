import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveNovelStdio } from '../../../src/mcp/index.ts';
import { temporaryFolder } from '../../support/search-index.ts';
import { call, NOVEL, openService, textOf, writeProjects } from '../../support/novel-service.ts';

const program = fileURLToPath(new URL('../../children/serve-mcp.mjs', import.meta.url));

async function projects(): Promise<string> {
  const root = join(temporaryFolder(), 'novels');
  await writeProjects(root, { 灯台: NOVEL });
  return root;
}

/** Returns the names of the files that a process has open. */
function openFiles(pid: number | undefined): string {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder)
    .map((name) => readlinkSync(join(folder, name)))
    .join('\n');
}

describe('a process that serves on stdio', () => {
  it.each(['legacy', 'auto'] as const)('answers the official client (%s)', async (mode) => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, await projects()],
      stderr: 'ignore',
    });
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const novelId = '灯台';
    const found = await call(client, 'search_novel_settings', {
      novelId,
      query: '櫂を漕ぐのは誰？',
    });
    expect(found.structuredContent).toMatchObject({ hits: [{ file: 'settings/人物.md' }] });
    const content = 'x'.repeat(1 << 20);
    const added = await call(client, 'add_novel_setting', { novelId, file: 'a.txt', content });
    expect(added.isError).not.toBe(true);
    const read = await call(client, 'get_novel_instructions', { novelId });
    expect(textOf(read)).toContain('一人称');
  });

  it('prints nothing but JSON-RPC, and ends when its input does', async () => {
    const child = spawn(process.execPath, [program, await projects()], { stdio: 'pipe' });
    onTestFinished(() => void child.kill('SIGKILL'));
    let [out, complaints] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    const clientInfo = { name: 'test', version: '1' };
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
      },
      { method: 'notifications/initialized' },
      {
        id: 2,
        method: 'tools/call',
        params: {
          name: 'search_novel_content',
          arguments: { novelId: '灯台', query: '箱の鍵' },
          _meta: { progressToken: 'p' },
        },
      },
      { id: 3, method: 'tools/call', params: { name: 'no_such_tool', arguments: {} } },
      { id: 4, method: 'no/such/method' },
    ];
    for (const message of messages) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    }
    child.stdin.write('this is no JSON\n');
    await expect.poll(() => out, { interval: 10 }).toMatch(/"id":2[,}]/);
    const exit = once(child, 'exit');
    child.stdin.end();
    expect(await exit).toEqual([0, null]);
    const answers = out
      .split('\n')
      .filter((line) => line !== '')
      .map(
        (line) =>
          JSON.parse(line) as {
            readonly jsonrpc: string;
            readonly id?: number;
            readonly method?: string;
          },
      );
    expect(answers.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(answers.flatMap(({ id }) => id ?? []).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
    expect(answers.some(({ method }) => method === 'notifications/progress')).toBe(true);
    expect(complaints).toContain('the client has hung up');
  });

  it('ends during the first index when its patience does, and the next one continues', async () => {
    const chapter = (at: number): string =>
      Array.from(
        { length: 200 },
        (_, line) => `第${at}章の${line}行目、嵐の夜に灯台の火を守ったのは灯であった。`,
      ).join('\n');
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`contents/${at}.md`, chapter(at)]),
    );
    const root = join(temporaryFolder(), 'novels');
    await writeProjects(root, { 長編: files });
    // It does not wait for clients that have hung up.
    const child = spawn(process.execPath, [program, root, '0'], { stdio: 'pipe' });
    onTestFinished(() => void child.kill('SIGKILL'));
    let [out, complaints] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    const send = (message: object): void => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    };
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    send({ id: 1, method: 'initialize', params });
    send({ method: 'notifications/initialized' });
    const search = { name: 'search_novel_content', arguments: { novelId: '長編', query: '嵐' } };
    send({ id: 2, method: 'tools/call', params: { ...search, _meta: { progressToken: 'p' } } });
    await expect.poll(() => out, { interval: 10 }).toMatch(/"progress":[1-9]/);
    const exit = once(child, 'exit');
    child.stdin.end();
    expect(await exit).toEqual([0, null]);
    expect(out).not.toMatch(/"id":2[,}]/);
    expect(complaints).toBe('the client has hung up\n');

    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, root],
      stderr: 'ignore',
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const found = await client.callTool(search, { timeout: 120_000 });
    expect(found.structuredContent).toMatchObject({
      total: expect.any(Number),
      hits: { length: 10 },
    });
    const { total } = found.structuredContent as { readonly total: number };
    expect(total).toBeGreaterThan(40);
  });

  it.skipIf(process.platform !== 'linux')(
    'gives an answer to a client that reads late',
    async () => {
      const root = join(temporaryFolder(), 'novels');
      const text = '長い文。\n'.repeat(200_000);
      await writeProjects(root, { 長編: { 'contents/1.txt': text } });
      const child = spawn(process.execPath, [program, root, '0'], { stdio: 'pipe' });
      onTestFinished(() => void child.kill('SIGKILL'));
      const uri = `dialogoi://novels/${encodeURIComponent('長編')}/contents/1.txt`;
      const clientInfo = { name: 'test', version: '1' };
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
      for (const message of [
        { id: 1, method: 'initialize', params },
        { method: 'notifications/initialized' },
        { id: 2, method: 'resources/read', params: { uri } },
      ]) {
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      }
      let out = '';
      child.stdout.setEncoding('utf8');
      while (!out.includes('長い文')) {
        await once(child.stdout, 'readable');
        out += child.stdout.read() ?? '';
      }
      await expect.poll(() => openFiles(child.pid)).toMatch(/vizprompt-[\w-]+ \(deleted\)/);
      child.stdin.end();
      // Its patience has ended once it says so.
      await once(child.stderr, 'data');
      const ended = once(child, 'close');
      child.stdout.on('data', (more: string) => (out += more));
      expect(await ended).toEqual([0, null]);
      const answer = out.split('\n').find((line) => /"id":2[,}]/.test(line)) ?? '';
      expect(JSON.parse(answer).result.contents[0].text === text).toBe(true);
    },
  );

  it.each(['input', 'output'] as const)('ends when its %s is gone', async (end) => {
    const { service } = await openService();
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const { closed } = await serveNovelStdio(service, streams);
    streams[end].destroy();
    await expect(closed).resolves.toBeUndefined();
  });
});
