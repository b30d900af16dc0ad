import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * Writes the files of a folder of folders once more, in the folder that is given: each next to its place and renamed, and
 * all of them on the disk at the end. A file system that has just lost many files is slow to make others: this shows
 * how slow.
 *
 * @returns Milliseconds.
 */
export function writeBare(from: string, to: string): number {
  let ms = 0;
  const timed = (work: () => void): void => {
    const start = performance.now();
    work();
    ms += performance.now() - start;
  };
  mkdirSync(to);
  for (const folder of readdirSync(from)) {
    const names = readdirSync(join(from, folder));
    const files = names.map((name) => ({ name, data: readFileSync(join(from, folder, name)) }));
    timed(() => {
      mkdirSync(join(to, folder));
      for (const { name, data } of files) writeNew(join(to, folder, name), data);
    });
  }
  timed(() => execFileSync('sync', process.platform === 'linux' ? ['-f', to] : []));
  return ms;
}

function writeNew(path: string, data: Uint8Array): void {
  const file = openSync(`${path}.new`, 'wx');
  writeSync(file, data);
  closeSync(file);
  renameSync(`${path}.new`, path);
}
