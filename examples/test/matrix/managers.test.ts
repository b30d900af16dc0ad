// The packages as they would be published, by each package manager, without any script of a package.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPECTED, writeApp } from './support/app.ts';
import { install, type ManagerName, MANAGERS } from './support/managers.ts';
import { type Packed, servePacked } from './support/packed.ts';
import { NO_SQLITE, outputOf, wordFor } from './support/program.ts';
import { ResultTable } from './support/result-table.ts';
import { run } from './support/run.ts';
import { binaryOf, type RuntimeName, RUNTIMES } from './support/runtimes.ts';

const timeout = 1_200_000;
const table = new ResultTable('managers', ['installed by', 'Node 24', 'Node 20.19']);

let packed: Packed;
beforeAll(async () => {
  packed = await servePacked();
}, timeout);
afterAll(() => packed[Symbol.asyncDispose](), timeout);

async function installAndRun(
  folder: string,
  manager: ManagerName,
  runtime: RuntimeName,
  program = folder,
): Promise<unknown> {
  const { place, registry } = packed;
  const node = await binaryOf(RUNTIMES[runtime], place);
  const { command, args, env } = await install(folder, { manager, node, registry, place });
  return outputOf(command, args, { cwd: program, env });
}

const NAMES = Object.keys(MANAGERS) as ManagerName[];

it.each(NAMES)('%s installs an app', { timeout }, async (manager) => {
  const found: unknown[] = [];
  for (const runtime of ['Node 24', 'Node 20.19'] as const) {
    const folder = join(packed.place, `${manager}-${runtime}`.replaceAll(/\W/g, '-'));
    writeApp(folder);
    found.push(await installAndRun(folder, manager, runtime));
  }
  // Node 20 gets version 13 from most of them, or version 12 without its binary: neither can be loaded.
  expect(found).toEqual([EXPECTED, NO_SQLITE]);
  table.add(manager, ...found.map(wordFor));
});

describe('a workspace whose root has zod 3 and better-sqlite3 11', () => {
  it.each(['npm', 'pnpm', 'yarn, node_modules', 'bun'] as const)(
    'runs an app that %s installs',
    { timeout },
    async (manager) => {
      const root = join(packed.place, `workspace-${manager.replaceAll(/\W/g, '-')}`);
      const app = join(root, 'app');
      mkdirSync(root);
      const dependencies = { zod: '^3.25.0', 'better-sqlite3': '^11.10.0' };
      const manifest = { name: 'root', private: true, workspaces: ['app'], dependencies };
      writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
      writeFileSync(join(root, 'pnpm-workspace.yaml'), 'packages: [app]\n');
      writeApp(app);
      expect(await installAndRun(root, manager, 'Node 24', app)).toEqual(EXPECTED);
    },
  );
});

it('an app runs without optional packages, with a compiled dictionary', { timeout }, async () => {
  const folder = join(packed.place, 'npm-bare');
  writeApp(folder);
  writeFileSync(join(folder, '.npmrc'), 'omit=optional\n');
  expect(await installAndRun(folder, 'npm', 'Node 24')).toEqual({
    code: 'dictionary-failed',
    message: expect.stringContaining('Fix: npm install kuromoji'),
  });
  const VIZPROMPT_DICTIONARY = join(packed.place, 'ipadic.bin');
  const compile = `import('@vizprompt/rag').then((rag) => rag.compactAnalyzer())`;
  const cwd = fileURLToPath(new URL('../../..', import.meta.url));
  await run(process.execPath, ['-e', compile], { cwd, env: { VIZPROMPT_DICTIONARY } });
  const node = await binaryOf(RUNTIMES['Node 24'], packed.place);
  expect(await outputOf(node, [], { cwd: folder, env: { VIZPROMPT_DICTIONARY } })).toEqual(
    EXPECTED,
  );
});

it('the README says so', () => {
  const { documented, found } = table.compare();
  expect(documented).toBe(found);
});
