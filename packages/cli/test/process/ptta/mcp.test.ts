import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { MemoryEvent } from '@vizprompt/memory';
import { expect, it } from 'vitest';
import { placeWithSession, timelineOf } from '../../support/open-place.ts';
import { binOf } from '../../support/run.ts';

it('ptta serves MCP on standard input and output to the official client', async () => {
  const { place } = await placeWithSession();
  await using _ = place;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [binOf('ptta'), 'mcp'],
    cwd: place.cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: place.home },
    stderr: 'inherit',
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('recall');
  const data = { type: 'thinking', data: { content: 'MCPから' } };
  const logged = await client.callTool({ name: 'log', arguments: data });
  expect(logged.isError ?? false).toBe(false);
  await client.close();
  const last = (await timelineOf(place)).at(-1);
  expect(last satisfies MemoryEvent | undefined).toMatchObject({ data: { content: 'MCPから' } });
});
