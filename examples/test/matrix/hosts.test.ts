// The recipes of docs/guides/deploy.md as an app installs and runs them. Each answers by HTTP, keeps what it answered,
// and ends on its own when it is asked to.
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { freePort } from './support/free-port.ts';
import { install } from './support/managers.ts';
import { type Packed, servePacked } from './support/packed.ts';
import { run } from './support/run.ts';
import { binaryOf, RUNTIMES } from './support/runtimes.ts';

const timeout = 1_200_000;
const HOSTS = {
  '@hono/node-server': '^2.1.0',
  '@vizprompt/core': 'latest',
  '@vizprompt/providers': 'latest',
  esbuild: '^0.28.0',
  express: '^5.1.0',
  fastify: '^5.6.0',
  hono: '^4.10.0',
  pm2: '^6.0.0',
};

let packed: Packed;
let app: string;
let node: string;
beforeAll(async () => {
  packed = await servePacked();
  const { place, registry } = packed;
  // Others may run it, too.
  chmodSync(place, 0o755);
  app = join(place, 'app');
  mkdirSync(app);
  cpSync(fileURLToPath(new URL('hosts', import.meta.url)), app, { recursive: true });
  const manifest = { name: 'app', private: true, type: 'module', dependencies: HOSTS };
  writeFileSync(join(app, 'package.json'), JSON.stringify(manifest));
  node = await binaryOf(RUNTIMES['Node 24'], place);
  await install(app, { manager: 'npm', node, registry, place });
}, timeout);
afterAll(() => packed[Symbol.asyncDispose](), timeout);

interface Answer {
  readonly answer: string;
  readonly process: number;
}

async function ask(port: number, prompt: string): Promise<Answer> {
  const headers = { 'content-type': 'text/plain' };
  const url = `http://127.0.0.1:${port}/chat`;
  const response = await fetch(url, { method: 'POST', headers, body: prompt });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** Starts a server, and waits until each of its processes says that it is ready. */
async function startServer(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  processes = 1,
): Promise<ChildProcess> {
  const server = spawn(node, args, {
    cwd: app,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  await new Promise<void>((resolve, reject) => {
    let printed = '';
    server.stdout.on('data', (text: Buffer) => {
      printed += text.toString();
      if ([...printed.matchAll(/^(?:\S+ +\| )?ready/gm)].length >= processes) resolve();
    });
    server.once('exit', (code) => reject(new Error(`it ended with ${code}: ${printed}`)));
  });
  return server;
}

/** Returns the prompts that a project holds, read by a program of its own. */
async function promptsOf(folder: string): Promise<unknown> {
  const script = `import { VizPrompt } from '@vizprompt/core';
    const project = await VizPrompt.open(process.argv[1]);
    const hits = await project.searchNodes({});
    console.log(JSON.stringify(hits.map(({ title }) => title).toSorted()));
    await project.close();`;
  const args = ['--input-type=module', '-e', script, folder];
  return JSON.parse(await run(node, args, { cwd: app }));
}

it.each(['express', 'fastify', 'hono'])('%s', { timeout }, async (name) => {
  const [port, data] = [await freePort(), join(packed.place, `data-${name}`)];
  const server = await startServer([`${name}.mjs`], { PORT: String(port), DATA_FOLDER: data });
  expect(await ask(port, 'hello')).toMatchObject({ answer: 'You said: hello' });
  server.kill('SIGTERM');
  expect(await once(server, 'exit')).toEqual([0, null]);
  expect(await promptsOf(data)).toEqual(['hello']);
});

it('two processes of pm2 write one folder', { timeout }, async () => {
  const [port, data] = [await freePort(), join(packed.place, 'data-pm2')];
  const home = join(packed.place, 'pm2');
  const env = { PORT: String(port), DATA_FOLDER: data, PM2_HOME: home };
  const args = ['node_modules/pm2/bin/pm2-runtime', 'start', 'ecosystem.config.cjs'];
  const manager = await startServer(args, env, 2);
  const prompts = Array.from({ length: 12 }, (_, i) => `hello ${i}`);
  const answers = await Promise.all(prompts.map((prompt) => ask(port, prompt)));
  expect(answers.map(({ answer }) => answer)).toEqual(prompts.map((each) => `You said: ${each}`));
  expect(new Set(answers.map((each) => each.process)).size).toBe(2);
  manager.kill('SIGINT');
  await once(manager, 'exit');
  expect(await promptsOf(data)).toEqual(prompts.toSorted());
});

it(
  'a bundle on Lambda: the code cannot be written, and there is no home',
  { timeout },
  async () => {
    const code = join(packed.place, 'lambda');
    const options = ['--bundle', '--platform=node', '--external:better-sqlite3'];
    const esbuild = join(app, 'node_modules/.bin/esbuild');
    await run(esbuild, ['lambda.mjs', ...options, `--outfile=${code}/index.cjs`], { cwd: app });
    chmodSync(code, 0o555);
    const data = join('/tmp', `vizprompt-lambda-${process.pid}`);
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const script = `require('./index.cjs').handler({ body: 'hello' }).then((found) => {
    let isReadOnly = false;
    try { require('node:fs').writeFileSync('written', ''); } catch { isReadOnly = true; }
    console.log(JSON.stringify({ ...found, isReadOnly }));
    process.exit();
  })`;
    const printed = await run(node, ['-e', script], {
      cwd: code,
      env: { DATA_FOLDER: data, HOME: '/nonexistent', XDG_CACHE_HOME: data },
      // Root may write everywhere.
      uid: process.getuid?.() === 0 ? 65_534 : undefined,
    });
    const found: { body: string } = JSON.parse(printed);
    expect(found).toMatchObject({ statusCode: 200, isReadOnly: true });
    expect(JSON.parse(found.body)).toMatchObject({ answer: 'You said: hello' });
  },
);
