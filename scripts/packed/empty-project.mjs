import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * An empty project with one package of ours, and those of ours that it depends on, installed by npm from their
 * tarballs. The versions of others are those of our lockfile, so that they are in the cache of npm.
 *
 * @returns Its folder, and the optional packages that are not there.
 */
export function makeProject(folder, packed, packages) {
  const project = join(folder, 'projects', packed.name);
  const own = closureOf(packed, packages);
  const dependencies = Object.fromEntries(own.map((one) => [one.name, `file:${one.tarball}`]));
  const missing = missingPeers(own);
  mkdirSync(project, { recursive: true });
  write(join(project, 'package.json'), { private: true, dependencies });
  write(join(project, 'package-lock.json'), lockWithout(missing, dependencies));
  const options = [
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  execFileSync('npm', ['install', ...options], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  linkCompiled(project);
  return { folder: project, missing };
}

/** Runs a script of this folder in a project, as if it lay there; it prints a list of problems as JSON. */
export function runIn({ folder }, script, given) {
  cpSync(fileURLToPath(new URL(script, import.meta.url)), join(folder, script));
  const output = execFileSync(process.execPath, [script, JSON.stringify(given)], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(output.slice(output.trimEnd().lastIndexOf('\n') + 1));
}

/** A package and all of ours that it depends on. */
function closureOf(packed, packages) {
  const names = new Set([packed.name]);
  for (const name of names) {
    for (const dependency of Object.keys(packages.get(name).manifest.dependencies ?? {})) {
      if (packages.has(dependency)) names.add(dependency);
    }
  }
  return [...names].map((name) => packages.get(name));
}

/** Optional packages of some of ours that none of them brings along. */
function missingPeers(own) {
  const brought = new Set(
    own.flatMap(({ manifest: { dependencies, optionalDependencies } }) =>
      Object.keys({ ...dependencies, ...optionalDependencies }),
    ),
  );
  const named = own.flatMap(({ manifest }) => Object.keys(manifest.peerDependencies ?? {}));
  return [...new Set(named)].filter((name) => !brought.has(name));
}

/** Our lockfile, as that of another project. npm takes out of it what that does not need. */
function lockWithout(missing, dependencies) {
  const { packages, ...facts } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const kept = Object.entries(packages).filter(
    ([path, entry]) =>
      path.startsWith('node_modules/') &&
      !entry.link &&
      !missing.some((name) => path === `node_modules/${name}`),
  );
  return {
    ...facts,
    name: 'empty',
    packages: { '': { dependencies }, ...Object.fromEntries(kept) },
  };
}

/** better-sqlite3 was compiled here once, which takes minutes. */
function linkCompiled(project) {
  const target = join(project, 'node_modules/better-sqlite3');
  if (!existsSync(target)) return;
  rmSync(target, { recursive: true });
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(resolve('node_modules/better-sqlite3'), target, 'junction');
}

function write(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
