import { expect, it } from 'vitest';
import { mayStartPrograms } from '../../src/host-process.ts';

/** The global `process` of Node where its permission model allows some scopes. */
const nodeWith = (...scopes: readonly string[]): object => ({
  process: { permission: { has: (scope: string) => scopes.includes(scope) } },
});

/** Globals of Deno where some programs may be started. */
const denoWith = (...commands: readonly string[]): object => ({
  process: { execPath: '/bin/deno' },
  Deno: {
    permissions: {
      querySync: ({ name, command }: Record<string, string>) => ({
        state: name === 'run' && commands.includes(command ?? '') ? 'granted' : 'prompt',
      }),
    },
  },
});

it.each([
  ['Node', true, { process: {} }],
  ['Node --permission', false, nodeWith('fs.read', 'fs.write')],
  ['Node --permission --allow-child-process', true, nodeWith('fs.read', 'child')],
  ['Deno', false, denoWith()],
  ['Deno --allow-run=git', false, denoWith('git')],
  ['Deno --allow-run=deno', true, denoWith('/bin/deno')],
])('%s: %s', (_, expected, globals) => {
  expect(mayStartPrograms(globals)).toBe(expected);
});

it('knows this process, which may', () => {
  expect(mayStartPrograms()).toBe(true);
});
