// An app of all packages is built by each bundler, with better-sqlite3 as the only external, and what was built runs in
// a folder with nothing else.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { EXPECTED, writeApp } from './support/app.ts';
import { askBuilt } from './support/ask-built.ts';
import { type Packed, servePacked } from './support/packed.ts';
import { wordFor } from './support/program.ts';
import { ResultTable } from './support/result-table.ts';
import { run } from './support/run.ts';

const BUNDLERS = {
  '@react-router/dev': '7.18.4',
  '@react-router/node': '7.18.4',
  '@react-router/serve': '7.18.4',
  '@rollup/plugin-commonjs': '^28.0.0',
  '@rollup/plugin-json': '^6.1.0',
  '@rollup/plugin-node-resolve': '^16.0.0',
  '@rspack/core': '^2.0.0',
  '@sveltejs/adapter-node': '^5.0.0',
  '@sveltejs/kit': '^2.0.0',
  '@sveltejs/vite-plugin-svelte': '^6.0.0',
  bun: '^1.3.0',
  esbuild: '^0.28.0',
  isbot: '^5.0.0',
  next: '^16.0.0',
  nuxt: '^4.0.0',
  parcel: '^2.16.0',
  react: '^19.0.0',
  'react-dom': '^19.0.0',
  'react-router': '7.18.4',
  rolldown: '^1.0.0',
  rollup: '^4.0.0',
  svelte: '^5.0.0',
  vite: '^7.0.0',
  webpack: '^5.100.0',
};
const LIMIT_MS = 1_200_000;
const table = new ResultTable('bundlers', ['bundler', 'builds', 'what was built runs']);

let app: string;
let dictionary: string;
let packed: Packed;
beforeAll(async () => {
  packed = await servePacked();
  const { place, registry } = packed;
  app = join(place, 'app');
  writeApp(app, BUNDLERS);
  // Packages of packages may ask for a newer Node than they need.
  const options = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--engine-strict=false',
  ];
  await run('npm', ['install', ...options, `--registry=${registry.url}`], { cwd: app });
  // Its package installs the binary by a script.
  await run(process.execPath, ['node_modules/bun/install.js'], { cwd: app });
  linkSqlite(app);
  dictionary = join(place, 'ipadic.bin');
  const compile = `import('@vizprompt/rag').then((rag) => rag.compactAnalyzer({ dictionary: process.argv[1] }))`;
  await run(process.execPath, ['-e', compile, dictionary], { cwd: app });
}, LIMIT_MS);
afterAll(() => packed[Symbol.asyncDispose](), LIMIT_MS);

/** The one that is built for this Node. */
function linkSqlite(folder: string): void {
  const target = fileURLToPath(new URL('../../../node_modules/better-sqlite3', import.meta.url));
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  const link = join(folder, 'node_modules/better-sqlite3');
  if (folder === app) cpSync(target, link, { recursive: true, force: true });
  else symlinkSync(target, link, 'junction');
}

const INDEXER = 'node_modules/@vizprompt/rag/dist/vizprompt-rag-indexer.js';

interface Ran {
  readonly output: unknown;
  /** The work that ran in its process for want of a program that could be started. */
  readonly inProcess: readonly string[];
}

/**
 * Runs what was built where there is nothing else.
 *
 * @param copied - Files of the app that are copied next to it.
 */
async function runBuilt(
  built: string,
  entry: string,
  copied: readonly string[] = [],
): Promise<Ran> {
  const folder = await temporaryFolder();
  cpSync(join(app, built), folder, { recursive: true });
  for (const file of copied) cpSync(join(app, file), join(folder, basename(file)));
  linkSqlite(folder);
  const warnings = join(folder, 'warnings.txt');
  const printed = await run(
    process.execPath,
    [`--redirect-warnings=${warnings}`, join(folder, entry)],
    { cwd: folder, env: { VIZPROMPT_DICTIONARY: dictionary } },
  );
  const warned = existsSync(warnings) ? readFileSync(warnings, 'utf8') : '';
  const inProcess = [...warned.matchAll(/@vizprompt\/rag: (\w+) runs in this process/g)];
  return { output: JSON.parse(printed), inProcess: inProcess.map(([, work]) => work ?? '') };
}

/** As the guide has it: a minifier may give a short name to something else. */
const BANNER =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Expected result of a bundle that runs alone. */
const ALONE: Ran = { output: EXPECTED, inProcess: ['indexing'] };

/** Runs what was built, and adds it to the table. */
async function tryBuilt(bundler: string, form: string, built: string, entry: string): Promise<Ran> {
  const ran = await runBuilt(built, entry);
  table.add(bundler, form, wordFor(ran.output));
  return ran;
}

function write(file: string, text: string): void {
  mkdirSync(join(app, file, '..'), { recursive: true });
  writeFileSync(join(app, file), text);
}

const node = (...args: readonly string[]): Promise<string> => {
  const env = { NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1' };
  return run(process.execPath, args, { cwd: app, env });
};

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
    expect(await tryBuilt('esbuild', 'CommonJS', 'out/esbuild', 'a.cjs')).toEqual(ALONE);
    expect(await runBuilt('out/esbuild', 'a.cjs', [INDEXER])).toEqual({
      output: EXPECTED,
      inProcess: [],
    });
  });

  it('is built by esbuild as a module', { timeout: LIMIT_MS }, async () => {
    const options = ['--bundle', '--platform=node', '--format=esm', '--external:better-sqlite3'];
    await run(
      'node_modules/.bin/esbuild',
      ['main.mjs', ...options, `--banner:js=${BANNER}`, '--outfile=out/module/a.mjs'],
      { cwd: app },
    );
    expect(await tryBuilt('esbuild', 'ES module', 'out/module', 'a.mjs')).toEqual(ALONE);
    expect(await runBuilt('out/module', 'a.mjs', [INDEXER])).toEqual({
      output: EXPECTED,
      inProcess: [],
    });
  });

  it(
    'is built by esbuild as minified modules that share files',
    { timeout: LIMIT_MS },
    async () => {
      const options = ['--bundle', '--splitting', '--minify', '--platform=node', '--format=esm'];
      const output = [
        '--external:better-sqlite3',
        '--out-extension:.js=.mjs',
        '--outdir=out/split',
      ];
      await run(
        'node_modules/.bin/esbuild',
        ['main.mjs', ...options, ...output, `--banner:js=${BANNER}`],
        { cwd: app },
      );
      expect(await tryBuilt('esbuild', 'ES modules, split', 'out/split', 'main.mjs')).toEqual(
        ALONE,
      );
    },
  );

  it.each([
    ['webpack 5', 'webpack', `import webpack from 'webpack';`],
    ['Rspack', 'rspack', `import { rspack as webpack } from '@rspack/core';`],
  ])('is built by %s', { timeout: LIMIT_MS }, async (bundler, name, header) => {
    // Anything but a missing optional package is a fault of ours; packages of others have their own.
    write(
      `${name}.mjs`,
      `${header}
webpack({
  mode: 'production', target: 'node', entry: './main.mjs', experiments: { outputModule: true },
  output: { path: process.cwd() + '/out/${name}', filename: 'a.mjs', module: true, chunkFormat: 'module' },
  externals: { 'better-sqlite3': 'import better-sqlite3' },
}, (error, stats) => {
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
  const isFault = ({ message, moduleName = '' }) =>
    moduleName.includes('@vizprompt') && !message.includes("Can't resolve");
  const faults = [...errors, ...warnings.filter(isFault)];
  if (error || faults.length > 0) { console.error(error ?? faults); process.exit(1); }
});`,
    );
    await node(`${name}.mjs`);
    // It writes the addresses of the modules where it ran, so that the program is found there as long as they exist.
    expect(await tryBuilt(bundler, 'ES module', `out/${name}`, 'a.mjs')).toMatchObject({
      output: EXPECTED,
    });
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
    expect(await tryBuilt('rollup', 'ES module', 'out/rollup', 'a.mjs')).toEqual(ALONE);
  });

  it('is built by Rolldown', { timeout: LIMIT_MS }, async () => {
    write(
      'rolldown.config.mjs',
      `export default {
  input: 'main.mjs', platform: 'node', external: ['better-sqlite3'],
  output: { dir: 'out/rolldown', entryFileNames: 'a.mjs' },
};`,
    );
    await run('node_modules/.bin/rolldown', ['--config'], { cwd: app });
    expect(await tryBuilt('Rolldown', 'ES module', 'out/rolldown', 'a.mjs')).toEqual(ALONE);
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
    expect(await tryBuilt('Vite, for servers', 'ES module', 'out/vite', 'a.mjs')).toEqual(ALONE);
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
    expect(await tryBuilt('Bun', 'ES module', 'out/bun', 'a.mjs')).toEqual(ALONE);
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
    const output = await askBuilt(folder, ['server.js'], dictionary);
    expect(output).toEqual(EXPECTED);
    table.add('Next', 'standalone server', wordFor(output));
  });

  it('is built by Nuxt as a server of its own', { timeout: LIMIT_MS }, async () => {
    write('nuxt/nuxt.config.mjs', `export default { compatibilityDate: '2026-01-01' };`);
    write('nuxt/app/app.vue', `<template><p>smoke</p></template>`);
    write(
      'nuxt/server/api/smoke.js',
      `import { smoke } from '../../../smoke.mjs';
export default defineEventHandler(() => smoke());`,
    );
    await node('node_modules/nuxt/bin/nuxt.mjs', 'build', 'nuxt');
    const folder = await temporaryFolder();
    cpSync(join(app, 'nuxt/.output'), folder, { recursive: true });
    const output = await askBuilt(folder, ['server/index.mjs'], dictionary);
    expect(output).toEqual(EXPECTED);
    table.add('Nuxt', 'server', wordFor(output));
  });

  it('is built by SvelteKit as a server of Node', { timeout: LIMIT_MS }, async () => {
    const at = (file: string): string => `svelte/${file}`;
    // Its dependencies stay outside of the bundle.
    const dependencies = { 'better-sqlite3': '*' };
    write(at('package.json'), JSON.stringify({ type: 'module', dependencies }));
    write(
      at('svelte.config.js'),
      `import adapter from '@sveltejs/adapter-node';
export default { kit: { adapter: adapter() } };`,
    );
    write(
      at('vite.config.js'),
      `import { sveltekit } from '@sveltejs/kit/vite';
export default { plugins: [sveltekit()] };`,
    );
    write(
      at('src/app.html'),
      `<html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>`,
    );
    write(
      at('src/routes/api/smoke/+server.js'),
      `import { smoke } from '../../../../../smoke.mjs';
export const GET = async () => Response.json(await smoke());`,
    );
    const vite = join(app, 'node_modules/.bin/vite');
    await run(vite, ['build', '--logLevel', 'error'], { cwd: join(app, 'svelte') });
    const folder = await temporaryFolder();
    cpSync(join(app, 'svelte/build'), folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    linkSqlite(folder);
    const output = await askBuilt(folder, ['index.js'], dictionary);
    expect(output).toEqual(EXPECTED);
    table.add('SvelteKit', 'server of Node', wordFor(output));
  });

  it('is built by React Router as a server', { timeout: LIMIT_MS }, async () => {
    const at = (file: string): string => `router/${file}`;
    const names = ['@react-router/node', '@react-router/serve', 'isbot', 'react', 'react-router'];
    const dependencies = Object.fromEntries(names.map((name) => [name, '*']));
    write(at('package.json'), JSON.stringify({ type: 'module', dependencies }));
    write(
      at('vite.config.js'),
      `import { reactRouter } from '@react-router/dev/vite';
export default { plugins: [reactRouter()] };`,
    );
    write(
      at('app/root.jsx'),
      `import { Outlet } from 'react-router';
export default () => <html><body><Outlet /></body></html>;`,
    );
    write(
      at('app/routes.js'),
      `export default [{ path: 'api/smoke', file: 'smoke.js', id: 'smoke' }];`,
    );
    write(
      at('app/smoke.js'),
      `import { smoke } from '../../smoke.mjs';
export const loader = async () => Response.json(await smoke());`,
    );
    const bin = join(app, 'node_modules/.bin');
    await run(join(bin, 'react-router'), ['build'], { cwd: join(app, 'router') });
    // The built server imports packages from next to it.
    const args = [join(bin, 'react-router-serve'), 'build/server/index.js'];
    const output = await askBuilt(join(app, 'router'), args, dictionary);
    expect(output).toEqual(EXPECTED);
    table.add('React Router', 'server, packages outside', wordFor(output));
  });

  it('is built by Parcel, with packages outside', { timeout: LIMIT_MS }, async () => {
    const target = {
      source: 'main.mjs',
      distDir: 'out',
      context: 'node',
      outputFormat: 'esmodule',
    };
    write('parcel/package.json', JSON.stringify({ type: 'module', targets: { app: target } }));
    for (const file of ['main.mjs', 'smoke.mjs'])
      cpSync(join(app, file), join(app, 'parcel', file));
    const parcel = join(app, 'node_modules/.bin/parcel');
    await run(parcel, ['build', '--no-cache', '--target=app'], { cwd: join(app, 'parcel') });
    const env = { VIZPROMPT_DICTIONARY: dictionary };
    const printed = await run(process.execPath, ['parcel/out/main.js'], { cwd: app, env });
    expect(JSON.parse(printed)).toEqual(EXPECTED);
    table.add('Parcel', 'ES module, packages outside', wordFor(JSON.parse(printed)));
  });

  it('runs where the README says so', () => {
    const { documented, found } = table.compare();
    expect(documented).toBe(found);
  });
});
