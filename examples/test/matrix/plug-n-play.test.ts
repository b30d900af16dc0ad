// Plug'n'Play of Yarn stores packages in zip files, and lets each import only what its manifest names: an app in a
// workspace, the commands, the programs that packages start, and the merge driver that git starts on its own.
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startFakeLLM } from '@vizprompt/providers/testing';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { EXPECTED, writeApp } from './support/app.ts';
import { install, type Installed } from './support/managers.ts';
import { type Packed, servePacked } from './support/packed.ts';
import { outputOf } from './support/program.ts';
import { ProgramError, run } from './support/run.ts';
import { binaryOf, RUNTIMES } from './support/runtimes.ts';

const timeout = 1_200_000;
const TOOLS = ['dialogoi', 'ptta', 'talktable', 'vizprompt'];

let packed: Packed;
let root: string;
let app: string;
let node: string;
let installed: Installed;
beforeAll(async () => {
  packed = await servePacked();
  const { place, registry } = packed;
  root = join(place, 'workspace');
  app = join(root, 'app');
  mkdirSync(root);
  // All packages may import the dependencies of the root; so it has none.
  const manifest = { name: 'root', private: true, workspaces: ['app'] };
  writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
  writeApp(app, { '@vizprompt/cli': 'latest' });
  node = await binaryOf(RUNTIMES['Node 24'], place);
  installed = await install(root, { manager: "yarn, Plug'n'Play", node, registry, place });
}, timeout);
afterAll(() => packed[Symbol.asyncDispose](), timeout);

/** An environment without a compiled dictionary, so that it is compiled by a program of its own. */
async function withoutCache(): Promise<Record<string, string>> {
  return { ...installed.env, XDG_CACHE_HOME: await temporaryFolder() };
}

/** Runs a command of the app as `yarn run` does. */
function yarnRun(...words: readonly string[]): Promise<string> {
  const args = [...installed.args.slice(0, -1), 'run', ...words];
  const env = { ...installed.env, OPENAI_API_KEY: 'none' };
  return run(installed.command, args, { cwd: app, env });
}

it('an app runs by `yarn node`', { timeout }, async () => {
  const options = { cwd: app, env: await withoutCache() };
  expect(await outputOf(installed.command, installed.args, options)).toEqual(EXPECTED);
});

it('an app runs by `node --require ./.pnp.cjs`', { timeout }, async () => {
  const loader = pathToFileURL(join(root, '.pnp.loader.mjs')).href;
  const flags = ['--require', join(root, '.pnp.cjs'), '--experimental-loader', loader];
  const options = { cwd: app, env: await withoutCache() };
  expect(await outputOf(node, flags, options)).toEqual(EXPECTED);
});

it.each(TOOLS)('%s starts', { timeout }, async (tool) => {
  expect(await yarnRun(tool, '--version')).toMatch(/^\d+\.\d+\.\d+/);
});

it(
  'a command finds the SDK of a model that it names, or says that it is missing',
  { timeout },
  async () => {
    const server = await startFakeLLM({ answer: 'hi' });
    onTestFinished(() => server.close());
    const folder = await temporaryFolder();
    await yarnRun('vizprompt', '--data', folder, 'init');
    const chat = (model: string): Promise<string> => {
      const words = ['--prompt', 'x', '--model', model, '--base-url', `${server.url}/v1`];
      return yarnRun('vizprompt', '--data', folder, 'chat', ...words);
    };
    expect(await chat('openai:x')).toContain('hi');
    const failure = await chat('ollama:x').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ProgramError);
    expect(failure).toMatchObject({ output: expect.stringContaining('npm install ollama') });
  },
);

it('git starts the merge driver', { timeout }, async () => {
  const folder = await temporaryFolder();
  await run('git', ['init', '--quiet'], { cwd: folder });
  await yarnRun('vizprompt', '--data', folder, 'init', '--git');
  const flows = readdirSync(join(folder, 'flows'), { recursive: true, encoding: 'utf8' });
  const flow = flows.find((name) => name.endsWith('.yaml')) ?? '';
  for (const side of ['base', 'ours', 'theirs']) {
    cpSync(join(folder, 'flows', flow), join(folder, side));
  }
  const key = ['config', 'merge.vizprompt-flow.driver'];
  const driver = (await run('git', key, { cwd: folder })).trim();
  const sides = { '%O': 'base', '%A': 'ours', '%B': 'theirs', '%P': 'flow.yaml' };
  const command = driver.replaceAll(/%[OABP]/g, (mark) => Reflect.get(sides, mark));
  expect(await run('sh', ['-c', command], { cwd: folder })).toBe('');
});
