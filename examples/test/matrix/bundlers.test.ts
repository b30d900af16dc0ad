// An app of all packages is built by each bundler, with better-sqlite3 as the only external, and what was built runs in
// a folder with nothing else.
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { EXPECTED, writeApp } from './support/app.ts';
import { startPackedRegistry, type PackedRegistry } from './support/packed-registry.ts';
import { run } from './support/run.ts';

const BUNDLERS = {
  '@rollup/plugin-commonjs': '^28.0.0',
  '@rollup/plugin-json': '^6.1.0',
  '@rollup/plugin-node-resolve': '^16.0.0',
  bun: '^1.3.0',
  esbuild: '^0.28.0',
  next: '^16.0.0',
  react: '^19.0.0',
  'react-dom': '^19.0.0',
  rollup: '^4.0.0',
  vite: '^7.0.0',
  webpack: '^5.100.0',
};
const LIMIT_MS = 1_200_000;

let place: string;
let app: string;
let dictionary: string;
let registry: PackedRegistry;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'vizprompt-bundlers-'));
  mkdirSync(join(place, 'tarballs'));
  registry = await startPackedRegistry(join(place, 'tarballs'));
  app = join(place, 'app');
  writeApp(app, BUNDLERS);
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...options, `--registry=${registry.url}`], { cwd: app });
  // Its package installs the binary by a script.
  await run(process.execPath, ['node_modules/bun/install.js'], { cwd: app });
  linkSqlite(app);
  dictionary = join(place, 'ipadic.bin');
  const compile = `import('@vizprompt/rag').then((rag) => rag.compactAnalyzer({ dictionary: process.argv[1] }))`;
  await run(process.execPath, ['-e', compile, dictionary], { cwd: app });
}, LIMIT_MS);
afterAll(async () => {
  await registry.close();
  await rm(place, { recursive: true, force: true });
});

/** The one that is built for this Node. */
function linkSqlite(folder: string): void {
  const target = fileURLToPath(new URL('../../../node_modules/better-sqlite3', import.meta.url));
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  const link = join(folder, 'node_modules/better-sqlite3');
  if (folder === app) cpSync(target, link, { recursive: true, force: true });
  else symlinkSync(target, link, 'junction');
}

/** Runs what was built where there is nothing else. */
async function outputOf(built: string, entry: string): Promise<unknown> {
  const folder = await temporaryFolder();
  cpSync(join(app, built), folder, { recursive: true });
  linkSqlite(folder);
  const printed = await run(process.execPath, [join(folder, entry)], {
    cwd: folder,
    env: { VIZPROMPT_DICTIONARY: dictionary },
  });
  return JSON.parse(printed);
}

function write(file: string, text: string): void {
  mkdirSync(join(app, file, '..'), { recursive: true });
  writeFileSync(join(app, file), text);
}

const node = (...args: readonly string[]): Promise<string> =>
  run(process.execPath, args, { cwd: app, env: { NEXT_TELEMETRY_DISABLED: '1' } });

describe('an app of all packages', () => {
  it('runs as it is', { timeout: LIMIT_MS }, async () => {
    const env = { VIZPROMPT_DICTIONARY: dictionary };
    const printed = await run(process.execPath, ['main.mjs'], { cwd: app, env });
    expect(JSON.parse(printed)).toEqual(EXPECTED);
  });

  it('is built by esbuild as CommonJS', { timeout: LIMIT_MS }, async () => {
    const options = ['--bundle', '--platform=node', '--external:better-sqlite3'];
    await run(
      'node_modules/.bin/esbuild',
      ['main.mjs', ...options, '--outfile=out/esbuild/a.cjs'],
      {
        cwd: app,
      },
    );
    expect(await outputOf('out/esbuild', 'a.cjs')).toEqual(EXPECTED);
  });

  it('is built by esbuild as a module', { timeout: LIMIT_MS }, async () => {
    const banner = `import { createRequire as r } from 'node:module'; const require = r(import.meta.url);`;
    const options = ['--bundle', '--platform=node', '--format=esm', '--external:better-sqlite3'];
    await run(
      'node_modules/.bin/esbuild',
      ['main.mjs', ...options, `--banner:js=${banner}`, '--outfile=out/module/a.mjs'],
      { cwd: app },
    );
    expect(await outputOf('out/module', 'a.mjs')).toEqual(EXPECTED);
  });

  it('is built by webpack', { timeout: LIMIT_MS }, async () => {
    write(
      'webpack.mjs',
      `import webpack from 'webpack';
webpack({
  mode: 'production', target: 'node', entry: './main.mjs', experiments: { outputModule: true },
  output: { path: process.cwd() + '/out/webpack', filename: 'a.mjs', module: true, chunkFormat: 'module' },
  externals: { 'better-sqlite3': 'import better-sqlite3' },
}, (error, stats) => {
  if (error || stats.hasErrors()) { console.error(error ?? stats.toString({ all: false, errors: true })); process.exit(1); }
});`,
    );
    await node('webpack.mjs');
    expect(await outputOf('out/webpack', 'a.mjs')).toEqual(EXPECTED);
  });

  it('is built by rollup', { timeout: LIMIT_MS }, async () => {
    write(
      'rollup.config.mjs',
      `import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import { nodeResolve } from '@rollup/plugin-node-resolve';
export default {
  input: 'main.mjs', external: ['better-sqlite3'],
  output: { dir: 'out/rollup', format: 'esm', entryFileNames: 'a.mjs' },
  plugins: [nodeResolve({ preferBuiltins: true, exportConditions: ['node'] }), commonjs(), json()],
};`,
    );
    await run('node_modules/.bin/rollup', ['--config', '--silent'], { cwd: app });
    expect(await outputOf('out/rollup', 'a.mjs')).toEqual(EXPECTED);
  });

  it('is built by Vite for servers', { timeout: LIMIT_MS }, async () => {
    write(
      'vite.config.mjs',
      `export default {
  build: { ssr: 'main.mjs', outDir: 'out/vite', rollupOptions: { external: ['better-sqlite3'], output: { entryFileNames: 'a.mjs' } } },
  ssr: { noExternal: true },
};`,
    );
    await run('node_modules/.bin/vite', ['build', '--logLevel', 'error'], { cwd: app });
    expect(await outputOf('out/vite', 'a.mjs')).toEqual(EXPECTED);
  });

  it('is built by Bun', { timeout: LIMIT_MS }, async () => {
    const options = ['--target=node', '--external', 'better-sqlite3'];
    await run(
      'node_modules/.bin/bun',
      ['build', 'main.mjs', ...options, '--outfile=out/bun/a.mjs'],
      {
        cwd: app,
      },
    );
    expect(await outputOf('out/bun', 'a.mjs')).toEqual(EXPECTED);
  });

  it('is built by Next as a server of its own', { timeout: LIMIT_MS }, async () => {
    write('next.config.mjs', `export default { output: 'standalone' };`);
    write(
      'app/layout.js',
      `export default function Layout({ children }) { return <html><body>{children}</body></html>; }`,
    );
    write(
      'app/api/smoke/route.js',
      `import { smoke } from '../../../smoke.mjs';
export const dynamic = 'force-dynamic';
export async function GET() { return Response.json(await smoke()); }`,
    );
    await node('node_modules/next/dist/bin/next', 'build');
    const folder = await temporaryFolder();
    cpSync(join(app, '.next/standalone'), folder, { recursive: true });
    expect(readdirSync(folder)).toContain('server.js');
    const port = await freePort();
    const server = spawn(process.execPath, ['server.js'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        HOSTNAME: '127.0.0.1',
        PORT: String(port),
        VIZPROMPT_DICTIONARY: dictionary,
      },
    });
    onTestFinished(() => void server.kill());
    await new Promise<void>((resolve, reject) => {
      server.stdout.on('data', (text: Buffer) => {
        if (text.includes('Ready')) resolve();
      });
      server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    });
    const response = await fetch(`http://127.0.0.1:${port}/api/smoke`);
    expect(await response.json()).toEqual(EXPECTED);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('there is no port');
  return address.port;
}
