import { expect, it } from 'vitest';
import { isSingleExecutable } from '../../src/host-process.ts';

it('knows a program that is no single executable', () => {
  expect(isSingleExecutable()).toBe(false);
});

// Globals of the runtimes in a program of `bun build --compile` (1.4) and `deno compile` (2.9), and in a file.
it.each([
  [true, { Bun: { main: '/$bunfs/root/app' } }],
  [true, { Bun: { main: String.raw`B:\~BUN\root\app.exe` } }],
  [false, { Bun: { main: '/srv/app/main.ts' } }],
  [true, { Deno: { build: { standalone: true } } }],
  [false, { Deno: { build: { standalone: false } } }],
  [false, { Deno: { build: {} } }],
])('%j: %j', (expected, globals) => {
  expect(isSingleExecutable(globals)).toBe(expected);
});
