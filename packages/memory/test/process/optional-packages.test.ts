import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('is a store without optional packages, and names those that an entry needs', async () => {
  const program = fileURLToPath(new URL('../children/without-peers.mjs', import.meta.url));
  const child = fork(program, { execArgv: [] });
  const [message] = (await once(child, 'message')) as [object];
  const missing = (name: string): object => ({
    isPeerError: true,
    message: `the package '${name}' is missing: npm install ${name}`,
  });
  expect(message).toEqual({
    http: missing('hono'),
    mcp: missing('@modelcontextprotocol/server'),
    stdio: missing('@modelcontextprotocol/server'),
    session: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});
