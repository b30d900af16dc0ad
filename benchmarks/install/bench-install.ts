import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPackedRegistry } from '../../examples/test/matrix/support/packed-registry.ts';
import { run } from '../../examples/test/matrix/support/run.ts';
import { round, type BenchOptions, type Figures } from '../figures.ts';
import { sizeOfFolder } from './size-of-folder.ts';

const PACKAGES = ['providers', 'core', 'rag', 'memory', 'workflow', 'talktable', 'cli'];
/** Folders that are not called as their package. */
const FOLDERS = new Map([['core', 'vizprompt-core']]);
/** What npm is asked for: all, or no optional dependencies. */
const KINDS = [
  ['all', []],
  ['bare', ['--omit=optional']],
] as const;

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** What npm installs for each package alone, in an empty folder: packages, and the sizes of their files. */
export async function benchInstall({ log }: BenchOptions): Promise<Figures> {
  const place = await mkdtemp(join(tmpdir(), 'vizprompt-bench-install-'));
  const tarballs = join(place, 'tarballs');
  await mkdir(tarballs);
  await buildTypes(log);
  const registry = await startPackedRegistry(tarballs);
  const figures: Record<string, number> = {};
  try {
    for (const name of PACKAGES) {
      for (const [kind, flags] of KINDS) {
        log(`installing @vizprompt/${name}, ${kind} ...`);
        const folder = join(place, `${name}-${kind}`);
        const modules = await install(`@vizprompt/${name}`, folder, registry.url, flags);
        figures[`${name}_${kind}_packages`] = await countPackages(modules);
        figures[`${name}_${kind}_mb`] = round((await sizeOfFolder(modules)) / 1e6);
        figures[`${name}_own_mb`] = round(
          (await sizeOfFolder(join(modules, '@vizprompt', name))) / 1e6,
        );
      }
    }
    return figures;
  } finally {
    await registry.close();
    await rm(place, { recursive: true, force: true });
  }
}

/** Builds the types, which are published, too, unless a build has just made them. */
async function buildTypes(log: BenchOptions['log']): Promise<void> {
  const hasTypes = (name: string): boolean =>
    existsSync(join(REPOSITORY, 'packages', FOLDERS.get(name) ?? name, 'dist/index.d.ts'));
  if (PACKAGES.every(hasTypes)) return;
  log('building types ...');
  await run('npx', ['tsc', '-b', '--force', 'tsconfig.build.json'], { cwd: REPOSITORY });
}

/** Installs a package as the only one, and returns the folder of what came. */
async function install(
  name: string,
  folder: string,
  registry: string,
  flags: readonly string[],
): Promise<string> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const env = { npm_config_registry: registry };
  await run('npm', ['install', ...quiet, ...flags, name], { cwd: folder, env });
  return join(folder, 'node_modules');
}

/** Counts what npm noted, where what it left out is not. */
async function countPackages(modules: string): Promise<number> {
  const text = await readFile(join(modules, '.package-lock.json'), 'utf8');
  const { packages }: { packages: object } = JSON.parse(text);
  return Object.keys(packages).length;
}
