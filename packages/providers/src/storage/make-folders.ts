import { isError } from '../errors.ts';
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are missing. `mkdir` of Node with `recursive` never ends where a
 * file system takes no folders and says so by ENOENT, as `/proc` does.
 *
 * @param mode - The rights of the folders that are made, less those that the umask takes. Default: 0o777.
 * @returns The first folder that was made; `undefined` if all were there.
 * @throws the error of the file system.
 */
export function makeFolders(folder: string, mode?: number): string | undefined {
  const failure = tryMake(folder, mode);
  if (failure === undefined) return folder;
  if (isFolder(folder)) return undefined;
  const above = dirname(folder);
  if (!isNothingThere(failure) || above === folder || isFolder(above)) throw failure;
  const first = makeFolders(above, mode);
  const again = tryMake(folder, mode);
  // Another may have made it, or what is above it, meanwhile.
  if (again !== undefined && !isFolder(folder)) throw again;
  return first ?? folder;
}

function tryMake(folder: string, mode: number | undefined): unknown {
  try {
    mkdirSync(folder, { mode });
    return undefined;
  } catch (error) {
    return error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function isNothingThere(error: unknown): boolean {
  return isError(error) && 'code' in error && error.code === 'ENOENT';
}
