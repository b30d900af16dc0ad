// An app of all packages as one file, by Node and by Bun, in a folder that also has the files of the packages. There
// `process.execPath` is the app: what would start a program of its own would start the app again, without an end.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXPECTED, writeApp } from './support/app.ts';
import { install } from './support/managers.ts';
import { type Packed, servePacked } from './support/packed.ts';
import { outputOf } from './support/program.ts';
import { run } from './support/run.ts';
import { binaryOf, RUNTIMES } from './support/runtimes.ts';

const timeout = 1_200_000;
const INDEXER = 'node_modules/@vizprompt/rag/dist/vizprompt-rag-indexer.js';
/** The place in the binary of Node that says that there is an app. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

let packed: Packed;
let app: string;
let node: string;
beforeAll(async () => {
  packed = await servePacked();
  const { place, registry } = packed;
  app = join(place, 'app');
  writeApp(app, { esbuild: '^0.28.0', postject: '^1.0.0-alpha.6' });
  node = await binaryOf(RUNTIMES['Node 24'], place);
  await install(app, { manager: 'npm', node, registry, place });
  mkdirSync(join(app, 'out'));
  cpSync(join(app, INDEXER), join(app, 'out/vizprompt-rag-indexer.js'));
}, timeout);
afterAll(() => packed[Symbol.asyncDispose](), timeout);

it('runs as a single executable of Node', { timeout }, async () => {
  const bundle = ['--bundle', '--platform=node', '--external:better-sqlite3'];
  const bin = (name: string): string => join(app, 'node_modules/.bin', name);
  await run(bin('esbuild'), ['main.mjs', ...bundle, '--outfile=out/app.cjs'], { cwd: app });
  const config = { main: 'out/app.cjs', output: 'out/app.blob' };
  writeFileSync(join(app, 'sea.json'), JSON.stringify(config));
  await run(node, ['--experimental-sea-config', 'sea.json'], { cwd: app });
  const executable = join(app, 'out/node-app');
  cpSync(node, executable);
  const inject = [executable, 'NODE_SEA_BLOB', 'out/app.blob', '--sentinel-fuse', FUSE];
  await run(bin('postject'), inject, { cwd: app });
  expect(await outputOf(executable, [], { cwd: app })).toEqual(EXPECTED);
});

it('runs as a single executable of Bun', { timeout }, async () => {
  const bun = await binaryOf(RUNTIMES.Bun, packed.place);
  const options = ['--compile', '--external', 'better-sqlite3', '--outfile', 'out/bun-app'];
  await run(bun, ['build', 'main.mjs', ...options], { cwd: app });
  expect(await outputOf(join(app, 'out/bun-app'), [], { cwd: app })).toEqual(EXPECTED);
});
