import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { foldersUpwards } from '../frame/paths.ts';

/** Returns the path of the memory in a folder. */
export function memoryIn(folder: string): string {
  return join(folder, 'ptta.db');
}

/** The path of the memory of this user. `@vizprompt/memory` has the same, and takes longer to load. */
export function defaultMemoryPath(home: string): string {
  return memoryIn(join(home, '.ptta'));
}

/**
 * Returns the nearest folder upwards with a memory, unless it is that of this user.
 *
 * @param own - The folder of this user's memory.
 */
export function projectMemory(cwd: string, own: string): string | undefined {
  const folder = foldersUpwards(cwd)
    .map((above) => join(above, '.ptta'))
    .find((one) => existsSync(memoryIn(one)));
  return folder === undefined || isSame(folder, own) ? undefined : folder;
}

/** The home folder may be reached through a link. */
function isSame(a: string, b: string): boolean {
  return a === b || (existsSync(b) && realpathSync(a) === realpathSync(b));
}
