import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Beside the folder of the repository. */
const SHARED = fileURLToPath(new URL('../../shared/data', import.meta.url));

/**
 * A file of inputs: in the folder that `--data` names, or else in `../shared/data`. Where there is none, a benchmark
 * makes its inputs, or leaves out what needs them.
 */
export function findData(name: string, folder: string = SHARED): string | undefined {
  const file = join(folder, name);
  return existsSync(file) ? file : undefined;
}
