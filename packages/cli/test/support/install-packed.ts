import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../../../', import.meta.url));

/** Layer by layer. */
const FOLDERS = ['providers', 'vizprompt-core', 'rag', 'memory', 'workflow', 'talktable', 'cli'];

interface Manifest {
  readonly name: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/**
 * Installs the packed packages in a folder, as npm would, but for what others published: that is linked to
 * what the repository has. Each package sees the dependencies that it names, and no other.
 *
 * @param names - The folders of the packages. Default: all.
 */
export async function installPacked(
  folder: string,
  names: readonly string[] = FOLDERS,
): Promise<void> {
  const tarballs = join(folder, 'tarballs');
  await mkdir(tarballs, { recursive: true });
  const workspaces = names.map((name) => `--workspace=packages/${name}`);
  await run(
    'npm',
    ['pack', ...workspaces, '--pack-destination', tarballs, '--ignore-scripts', '--loglevel=error'],
    { cwd: repository },
  );
  for (const name of names) await extract(folder, tarballs, name);
}

async function extract(folder: string, tarballs: string, name: string): Promise<void> {
  const source = join(repository, 'packages', name);
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as Manifest;
  const prefix = manifest.name.replace('@', '').replace('/', '-');
  const tarball = (await readdir(tarballs)).find((file) => file.startsWith(`${prefix}-`));
  if (tarball === undefined) throw new Error(`npm pack made no tarball of ${manifest.name}`);
  const target = join(folder, 'node_modules', manifest.name);
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', join(tarballs, tarball), '-C', target, '--strip-components=1']);
  const names = Object.keys({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  });
  for (const dependency of names.filter((each) => !each.startsWith('@vizprompt/'))) {
    await link(source, dependency, join(target, 'node_modules', dependency));
  }
  for (const [command, file] of Object.entries(manifest.bin ?? {})) {
    await mkdir(join(folder, 'node_modules', '.bin'), { recursive: true });
    await symlink(join(target, file), join(folder, 'node_modules', '.bin', command));
  }
}

/** An optional peer that the repository does not have is left out, as it may be. */
async function link(source: string, dependency: string, target: string): Promise<void> {
  const found = createRequire(join(source, 'package.json'))
    .resolve.paths(dependency)
    ?.map((path) => join(path, dependency))
    .find((path) => existsSync(path));
  if (found === undefined) return;
  await mkdir(dirname(target), { recursive: true });
  await symlink(found, target);
}
