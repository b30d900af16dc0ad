import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { filePath, isInside, outside } from '../workspace/paths.ts';

/** A file that the store may change. */
export interface ResolvedFile {
  /** As it is recorded. */
  readonly path: string;
  /** Where it lies, symbolic links followed. */
  readonly target: string;
}

/**
 * The place of a file in a workspace.
 *
 * @throws MemoryError `path-outside`, also where a symbolic link leads out.
 */
export async function resolveFile(given: string, workspace: string): Promise<ResolvedFile> {
  const path = filePath(given, workspace);
  if (!isInside(path, workspace) || path === workspace) throw outside(given, workspace);
  const target = await realPlace(path);
  if (!isInside(target, await realPlace(workspace))) throw outside(given, workspace);
  return { path, target };
}

/** The real path of what is there, and of what is not there yet that of its folder. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    return join(await realPlace(dirname(path)), basename(path));
  }
}

/** Whether an error says that there is no such file, and that there cannot be one in this place. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(codeOf(error));
}

/** The code of an error of the system, such as `ENOENT`, or `''`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
