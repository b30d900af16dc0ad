import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveMemoryStdio } from '../../../src/mcp/index.ts';
import { newStore, ON_POSTGRES, temporaryFolder } from '../../support/open-store.ts';
import { dataOf, WORKSPACE } from '../../support/mcp/connect-client.ts';

const program = fileURLToPath(new URL('../../children/serve-mcp.mjs', import.meta.url));

describe.skipIf(ON_POSTGRES)('a process that serves on stdio', () => {
  it.each(['legacy', 'auto'] as const)('answers the official client (%s)', async (mode) => {
    const path = join(await temporaryFolder(), 'memory.db');
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, path, WORKSPACE],
      stderr: 'ignore',
    });
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const { session_id } = await dataOf(client, 'session_start');
    const content = '認証 😀 مرحبا \0 '.repeat(20_000);
    const { event_id } = await dataOf(client, 'log', { type: 'user_message', data: { content } });
    const { hits } = await dataOf(client, 'search', { query: '認証' });
    expect(hits).toMatchObject([{ event_id, session_id }]);
    const { events } = await dataOf(client, 'get_events', {
      event_ids: [event_id],
      max_characters: 200_000,
    });
    expect(content.startsWith(events[0].data.content)).toBe(true);
    // Acknowledged events are there for other processes at once.
    const store = await newStore({ path });
    expect((await store.getEvent(event_id)).data).toEqual({ content });
  });

  it('prints nothing but JSON-RPC, and ends when its input does', async () => {
    const path = join(await temporaryFolder(), 'memory.db');
    const child = spawn(process.execPath, [program, path, WORKSPACE], { stdio: 'pipe' });
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
      { id: 2, method: 'tools/call', params: { name: 'list_sessions', arguments: {} } },
      { id: 3, method: 'tools/call', params: { name: 'no_such_tool', arguments: {} } },
      { id: 4, method: 'no/such/method' },
    ];
    for (const message of messages) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    }
    child.stdin.write('this is no JSON\n');
    await expect.poll(() => out).toMatch(/"id":2[,}]/);
    const exit = once(child, 'exit');
    child.stdin.end();
    expect(await exit).toEqual([0, null]);
    const answers = out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { readonly jsonrpc: string; readonly id?: number });
    expect(answers.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(answers.flatMap(({ id }) => id ?? []).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
    expect(complaints).toContain('the client has hung up');
  });

  it.each(['input', 'output'] as const)('ends when its %s is gone', async (end) => {
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const { closed } = await serveMemoryStdio(await newStore(), streams);
    streams[end].destroy();
    await expect(closed).resolves.toBeUndefined();
  });
});
