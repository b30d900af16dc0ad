import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project that the sample is. */
export const SAMPLE = '灯台';

/**
 * Makes the sample a project that may be written to; what was changed in it stays.
 *
 * @returns The folder that holds it.
 */
export async function sampleRoot(root = 'novel-search-data'): Promise<string> {
  const source = fileURLToPath(new URL('../novel', import.meta.url));
  await cp(source, join(root, SAMPLE), { recursive: true, force: false });
  return root;
}
