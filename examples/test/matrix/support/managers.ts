import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { PackedRegistry } from './packed-registry.ts';
import { run } from './run.ts';
import { binaryOf, RUNTIMES } from './runtimes.ts';

/** A package manager: how it installs without any script of a package, and how it starts a program. */
interface Manager {
  /** Package that npm installs to provide the manager, and the program in it. Without them: the runtime Bun. */
  readonly package?: string;
  readonly entry?: string;
  readonly install: readonly string[];
  /** Arguments that start Node where Node alone does not find the packages. */
  readonly start?: readonly string[];
  env(registry: string, place: string): Readonly<Record<string, string>>;
}

const yarn = (linker: 'node-modules' | 'pnp'): Manager => ({
  package: '@yarnpkg/cli-dist@4',
  entry: 'node_modules/@yarnpkg/cli-dist/bin/yarn.js',
  install: ['install', '--mode=skip-build', '--no-immutable'],
  ...(linker === 'pnp' && { start: ['node'] }),
  env: (url, place) => ({
    YARN_NPM_REGISTRY_SERVER: url,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_NODE_LINKER: linker,
    YARN_ENABLE_TELEMETRY: '0',
    // It takes nothing that was published today.
    YARN_NPM_MINIMAL_AGE_GATE: '0',
    // The packed content changes, its version does not.
    YARN_GLOBAL_FOLDER: join(place, 'yarn'),
  }),
});

export const MANAGERS = {
  npm: {
    package: 'npm@10',
    entry: 'node_modules/npm/bin/npm-cli.js',
    install: ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'],
    env: (url) => ({ npm_config_registry: url }),
  },
  pnpm: {
    package: 'pnpm@10',
    entry: 'node_modules/pnpm/bin/pnpm.cjs',
    install: ['install', '--ignore-scripts', '--no-frozen-lockfile'],
    env: (url, place) => ({
      npm_config_registry: url,
      npm_config_store_dir: join(place, 'pnpm-store'),
      npm_config_cache_dir: join(place, 'pnpm-cache'),
    }),
  },
  'yarn, node_modules': yarn('node-modules'),
  "yarn, Plug'n'Play": yarn('pnp'),
  bun: {
    install: ['install', '--ignore-scripts'],
    env: (url, place) => ({
      npm_config_registry: url,
      BUN_INSTALL_CACHE_DIR: join(place, 'bun-cache'),
    }),
  },
} satisfies Readonly<Record<string, Manager>>;

export type ManagerName = keyof typeof MANAGERS;

/** Options of {@link install}. */
export interface InstallOptions {
  readonly manager: ManagerName;
  /** The Node that runs the package manager, and afterwards the program. */
  readonly node: string;
  readonly registry: PackedRegistry;
  /** A folder for what is downloaded once. */
  readonly place: string;
}

/** Command that starts a program of an installation. */
export interface Installed {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Installs what the manifest of a folder names. */
export async function install(
  folder: string,
  { manager: name, node, registry, place }: InstallOptions,
): Promise<Installed> {
  const manager: Manager = MANAGERS[name];
  const own = await programOf(manager, node, place);
  const path = `${dirname(node)}${delimiter}${process.env['PATH']}`;
  const env = { PATH: path, ...manager.env(registry.url, place) };
  await run(own.command, [...own.args, ...manager.install], { cwd: folder, env });
  if (!manager.start) return { command: node, args: [], env };
  return { command: own.command, args: [...own.args, ...manager.start], env };
}

async function programOf(
  { package: name, entry }: Manager,
  node: string,
  place: string,
): Promise<{ readonly command: string; readonly args: readonly string[] }> {
  if (name === undefined || entry === undefined) {
    return { command: await binaryOf(RUNTIMES.Bun, place), args: [] };
  }
  const home = join(place, `manager-${name.replaceAll(/\W/g, '-')}`);
  if (!existsSync(home)) {
    mkdirSync(home);
    const args = ['install', '--prefix', home, '--force', '--prefer-offline', name];
    await run('npm', args, { cwd: home });
  }
  return { command: node, args: [join(home, entry)] };
}
