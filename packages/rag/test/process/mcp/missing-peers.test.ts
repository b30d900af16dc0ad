import { once } from 'node:events';
import { expect, it } from 'vitest';
import { startChild } from '../../support/children.ts';

it('a missing package of the protocol is named, with the command that installs it', async () => {
  const child = startChild('without-mcp', []);
  const [messages] = await once(child, 'message');
  expect(messages).toEqual([
    expect.stringContaining('npm install @modelcontextprotocol/node'),
    expect.stringContaining('npm install @modelcontextprotocol/server'),
    expect.stringContaining('npm install @modelcontextprotocol/server'),
  ]);
});
