import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packs all packages into a folder, and unpacks them beside it to look inside. By name, layer by layer. */
export function packAll(folder) {
  const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8'));
  const tarballs = join(folder, 'tarballs');
  mkdirSync(tarballs);
  const output = execFileSync(
    'npm',
    [
      'pack',
      '--json',
      '--ignore-scripts',
      '--loglevel=error',
      '--pack-destination',
      tarballs,
    ].concat(workspaces.map((path) => `--workspace=${path}`)),
    { encoding: 'utf8', maxBuffer: 1 << 26, shell: process.platform === 'win32' },
  );
  const facts = new Map(Object.values(JSON.parse(output)).map((one) => [one.name, one]));
  return new Map(
    workspaces.map((path) => {
      const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
      const { name } = manifest;
      const { filename, size, unpackedSize, files } = facts.get(name);
      const tarball = join(
        tarballs,
        readdirSync(tarballs).find((file) => file === filename),
      );
      const unpacked = join(folder, 'unpacked', path);
      mkdirSync(unpacked, { recursive: true });
      execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
      const sizes = `${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked`;
      const paths = files.map((file) => file.path);
      return [name, { name, path, manifest, tarball, unpacked, paths, sizes }];
    }),
  );
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1000).toLocaleString('en-US')} kB`;
}
