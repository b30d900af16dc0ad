import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the sizes of all files below a folder together, in bytes. */
export async function sizeOfFolder(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await lstat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}
