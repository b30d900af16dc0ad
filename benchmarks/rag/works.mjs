// The works that a run of the benchmark indexes: files in a folder, and a list of them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The first works that together have so many chunks. */
export async function readWorks(folder, chunks) {
  const works = JSON.parse(await readFile(join(folder, 'works.json'), 'utf8'));
  let sum = 0;
  return works.filter((work) => {
    const isWanted = sum < chunks;
    sum += work.chunks;
    return isWanted;
  });
}

export const textOf = (folder, { file }) => readFile(join(folder, 'works', file), 'utf8');
