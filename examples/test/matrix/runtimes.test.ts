// The packages as they would be published, in each runtime and by each package manager: a program that works, or an
// error with the command that helps. docs/guides/deploy.md says the same in a table.
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPECTED, writeApp } from './support/app.ts';
import { startPackedRegistry, type PackedRegistry } from './support/packed-registry.ts';
import { ProgramError, run } from './support/run.ts';

const LIMIT_MS = 1_200_000;
const PLATFORM = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** Where the binary of a runtime is in its package, and how it runs a file. */
interface Runtime {
  readonly package: string;
  readonly binary: string;
  readonly args: readonly string[];
}

const nodeOf = (version: string): Runtime => ({
  package: `node-${PLATFORM}@${version}`,
  binary: `node_modules/node-${PLATFORM}/bin/node`,
  args: [],
});

const RUNTIMES = {
  'Node 20.19': nodeOf('20.19.0'),
  'Node 22': nodeOf('22'),
  'Node 24': nodeOf('24'),
  'Node 26': nodeOf('26'),
  Bun: {
    package: `@oven/bun-${PLATFORM}`,
    binary: `node_modules/@oven/bun-${PLATFORM}/bin/bun`,
    args: [],
  },
  Deno: {
    package: `@deno/${PLATFORM}-glibc`,
    binary: `node_modules/@deno/${PLATFORM}-glibc/deno`,
    args: ['run', '--allow-all'],
  },
} satisfies Readonly<Record<string, Runtime>>;

let place: string;
let registry: PackedRegistry;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'vizprompt-runtimes-'));
  mkdirSync(join(place, 'tarballs'));
  registry = await startPackedRegistry(join(place, 'tarballs'));
}, LIMIT_MS);
afterAll(async () => {
  await registry.close();
  await rm(place, { recursive: true, force: true });
});

/** Downloads a runtime once, and returns its binary. */
async function binaryOf({ package: name, binary }: Runtime): Promise<string> {
  const folder = join(place, `runtime-${name.replaceAll(/\W/g, '-')}`);
  const path = join(folder, binary);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    await run('npm', ['install', '--prefix', folder, '--force', name], { cwd: folder });
    chmodSync(path, 0o755);
  }
  return path;
}

/** Runs the program, and returns what it printed: what it found, or its error. */
async function outputOf(
  binary: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<unknown> {
  const printed = await run(binary, [...args, 'main.mjs'], options).catch((error: unknown) => {
    if (error instanceof ProgramError) return error.output;
    throw error;
  });
  // A process that was ended by a signal printed nothing.
  const line = printed.split('\n').find((each) => each.startsWith('{'));
  return line === undefined ? { printed } : JSON.parse(line);
}

/** Installs the app with scripts left out, by a package manager that runs on a Node. */
async function install(
  folder: string,
  node: string,
  manager: keyof typeof MANAGERS,
): Promise<void> {
  writeApp(folder);
  const { package: name, entry, env, args } = MANAGERS[manager];
  const home = join(place, `manager-${manager}`);
  if (!existsSync(home)) {
    mkdirSync(home);
    await run('npm', ['install', '--prefix', home, '--force', name], { cwd: home });
  }
  const path = `${join(node, '..')}${delimiter}${process.env['PATH']}`;
  const options = {
    cwd: folder,
    env: { PATH: path, npm_config_registry: registry.url, ...env(registry.url) },
  };
  await run(node, [join(home, entry), ...args], options);
}

const MANAGERS = {
  npm: {
    package: 'npm@10',
    entry: 'node_modules/npm/bin/npm-cli.js',
    args: ['install', '--ignore-scripts', '--no-audit', '--no-fund'],
    env: () => ({}),
  },
  pnpm: {
    package: 'pnpm@10',
    entry: 'node_modules/pnpm/bin/pnpm.cjs',
    args: ['install', '--ignore-scripts', '--no-frozen-lockfile'],
    env: (url: string) => ({ npm_config_registry: url }),
  },
  yarn: {
    package: '@yarnpkg/cli-dist@4',
    entry: 'node_modules/@yarnpkg/cli-dist/bin/yarn.js',
    args: ['install', '--mode=skip-build', '--no-immutable'],
    env: (url: string) => ({
      YARN_NPM_REGISTRY_SERVER: url,
      YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
      YARN_NODE_LINKER: 'node-modules',
      YARN_ENABLE_TELEMETRY: '0',
    }),
  },
} as const;

describe.each(Object.entries(RUNTIMES))('%s', (name, runtime) => {
  it('runs an app without any script of its packages', { timeout: LIMIT_MS }, async () => {
    const binary = await binaryOf(runtime);
    const isOldest = name === 'Node 20.19';
    const folder = join(place, `app-${name.replaceAll(/\W/g, '-')}`);
    const installer = name.startsWith('Node') ? binary : process.execPath;
    await install(folder, installer, 'npm');
    const found = await outputOf(binary, runtime.args, { cwd: folder });
    // The oldest has no SQLite inside, and the binary of version 12 comes by a script.
    const notBuilt = {
      code: 'no-sqlite',
      message: expect.stringContaining('npm rebuild better-sqlite3'),
    };
    expect(found).toEqual(isOldest ? notBuilt : EXPECTED);
  });
});

describe.each(['pnpm', 'yarn'] as const)('%s', (manager) => {
  it('installs what works on Node 24', { timeout: LIMIT_MS }, async () => {
    const binary = await binaryOf(RUNTIMES['Node 24']);
    const folder = join(place, `app-${manager}-24`);
    await install(folder, binary, manager);
    expect(await outputOf(binary, [], { cwd: folder })).toEqual(EXPECTED);
  });

  it('installs what says how to go on, on Node 20.19', { timeout: LIMIT_MS }, async () => {
    const binary = await binaryOf(RUNTIMES['Node 20.19']);
    const folder = join(place, `app-${manager}-20`);
    await install(folder, binary, manager);
    expect(await outputOf(binary, [], { cwd: folder })).toEqual({
      code: 'no-sqlite',
      message: expect.stringMatching(/npm (?:install better-sqlite3@12|rebuild better-sqlite3)$/),
    });
  });
});
