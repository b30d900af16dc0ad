// The packages as they would be published, in each runtime and on each SQLite, installed without any script of a
// package: a program that works and passes the published suites, or an error with the command that helps.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXPECTED, writeApp } from './support/app.ts';
import { install } from './support/managers.ts';
import { type Packed, servePacked } from './support/packed.ts';
import { NO_SQLITE, outputOf, wordFor } from './support/program.ts';
import { ResultTable } from './support/result-table.ts';
import { binaryOf, type Runtime, RUNTIMES } from './support/runtimes.ts';

const timeout = 1_200_000;
const table = new ResultTable('runtimes', ['runtime', '`better-sqlite3`', '`node:sqlite`']);

/**
 * Choices that cannot open SQLite: better-sqlite3 is not built, or the runtime has no SQLite. The default fails if both
 * do.
 */
const LACKING: Readonly<Record<string, readonly string[]>> = {
  'Node 20.19': ['chosen', 'better', 'builtin'],
  'Node 22.14': ['builtin'],
};

/** Output of the published suites. */
const ALL_PASS = { passed: expect.toSatisfy((count: number) => count > 100), failed: [] };

let packed: Packed;
beforeAll(async () => {
  packed = await servePacked();
}, timeout);
afterAll(() => packed[Symbol.asyncDispose](), timeout);

async function installFor(
  name: string,
  runtime: Runtime,
): Promise<{ binary: string; cwd: string }> {
  const { place, registry } = packed;
  const binary = await binaryOf(runtime, place);
  const cwd = join(place, `app-${name.replaceAll(/\W/g, '-')}`);
  writeApp(cwd);
  // Bun and Deno take the better-sqlite3 of newer Nodes.
  const node = name.startsWith('Node') ? binary : await binaryOf(RUNTIMES['Node 24'], place);
  await install(cwd, { manager: 'npm', node, registry, place });
  return { binary, cwd };
}

it.each(Object.entries(RUNTIMES))('an app runs in %s', { timeout }, async (name, runtime) => {
  const { binary, cwd } = await installFor(name, runtime);
  const on = (VIZPROMPT_SQLITE: string, program?: string): Promise<unknown> =>
    outputOf(binary, runtime.args, { cwd, env: { VIZPROMPT_SQLITE } }, program);
  const found = {
    chosen: await on(''),
    better: await on('better-sqlite3'),
    builtin: await on('node:sqlite'),
  };
  const lacks = LACKING[name] ?? [];
  const expected = Object.keys(found).map((way) => [
    way,
    lacks.includes(way) ? NO_SQLITE : EXPECTED,
  ]);
  expect(found).toEqual(Object.fromEntries(expected));
  const drivers = [
    ['better', 'better-sqlite3'],
    ['builtin', 'node:sqlite'],
  ] as const;
  const usable = drivers.filter(([way]) => !lacks.includes(way));
  for (const [, driver] of usable) {
    expect(await on(driver, 'suites.mjs')).toEqual(ALL_PASS);
  }
  table.add(name, wordFor(found.better), wordFor(found.builtin));
});

it('an app runs in Node 20.19 once the script of better-sqlite3 has run', { timeout }, async () => {
  const { binary, cwd } = await installFor('Node 20.19', RUNTIMES['Node 20.19']);
  // The script would download the build that this repository already has.
  const built = new URL('../../../node_modules/better-sqlite3/build', import.meta.url);
  cpSync(fileURLToPath(built), join(cwd, 'node_modules/better-sqlite3/build'), { recursive: true });
  const found = await outputOf(binary, [], { cwd });
  expect(found).toEqual(EXPECTED);
  expect(await outputOf(binary, [], { cwd }, 'suites.mjs')).toEqual(ALL_PASS);
  table.add('Node 20.19, after `npm rebuild better-sqlite3`', wordFor(found), 'no: `no-sqlite`');
});

it('the README says so', () => {
  const { documented, found } = table.compare();
  expect(documented).toBe(found);
});
