import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Versions by the name of a package. */
export type Versions = Readonly<Record<string, string>>;

/**
 * The packages that a folder of benchmarks names in a `package.json` of its own. They are installed
 * when they are missing.
 *
 * @returns Their versions, or nothing if they are neither there nor to be had.
 */
export function installedPeers(folder: string, log: (line: string) => void): Versions | undefined {
  const { devDependencies = {} } = readPackage(folder);
  const wanted = Object.entries(devDependencies);
  const isInstalled = (): boolean =>
    wanted.every(([name, version]) => versionOf(folder, name) === version);
  if (isInstalled()) return devDependencies;
  const command = `npm ci --prefix ${relative(process.cwd(), folder)}`;
  log(`installing peers: ${command} ...`);
  try {
    const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    execFileSync('npm', ['ci', '--prefix', folder, ...options], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: withoutEngineStrict(process.env),
    });
  } catch {
    log(`not to be had; they are left out. Try by hand: ${command}`);
  }
  return isInstalled() ? devDependencies : undefined;
}

/** `npm run` passes its settings on; this one would outweigh the `.npmrc` of the folder. */
function withoutEngineStrict(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const entries = Object.entries(environment);
  return Object.fromEntries(entries.filter(([name]) => !/^npm_config_engine_strict$/i.test(name)));
}

/** The version of a package that is installed in a folder. */
export function versionOf(folder: string, name: string): string | undefined {
  const path = join(folder, 'node_modules', name);
  return existsSync(path) ? readPackage(path).version : undefined;
}

interface PackageFile {
  readonly version?: string;
  readonly devDependencies?: Versions;
}

function readPackage(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
}
