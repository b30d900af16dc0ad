import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { hasCode } from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';
import { filePath, isInside, outside } from '../model/paths.ts';

/** A file that the store may change. */
export interface ResolvedFile {
  /** As it was asked for, absolute. */
  readonly given: string;
  /** As it is recorded: the file itself, however many links lead to it. */
  readonly path: string;
  /** Where it lies, symbolic links followed. */
  readonly target: string;
  /** The given path is itself a symbolic link to the file. */
  readonly isLink: boolean;
}

/**
 * Returns the place of a file in a workspace. Symbolic links are followed, also to files that are not there yet.
 *
 * @throws MemoryError `path-outside`, also where a symbolic link leads out; `edit-conflict` for links that
 * lead in a circle.
 */
export async function resolveFile(path: string, workspace: string): Promise<ResolvedFile> {
  const given = filePath(path, workspace);
  if (!isInside(given, workspace) || given === workspace) throw outside(path, workspace);
  const target = await realPlace(given);
  const root = await realPlace(workspace);
  if (!isInside(target, root) || target === root) throw outside(path, workspace);
  const isLink = await lstat(given).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
  return { given, path: workspace + target.slice(root.length), target, isLink };
}

/**
 * Returns a file as it is recorded: where it is in the workspace, symbolic links followed. A path outside, or one that
 * cannot be resolved, is recorded as it is given.
 */
export async function recordedPath(given: string, workspace: string): Promise<string> {
  try {
    return (await resolveFile(given, workspace)).path;
  } catch {
    return given;
  }
}

/** How many links the system follows, about. */
const MAX_LINKS = 40;

/** Returns the real path of what is there, and of what is not there yet that of its folder. */
export async function realPlace(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (hasCode(error, 'ELOOP') || links > MAX_LINKS) throw circle(path, error);
    if (!isMissing(error) || dirname(path) === path) throw error;
    const folder = await realPlace(dirname(path), links);
    const place = join(folder, basename(path));
    // A link to a file that is not there yet: writing makes that one.
    const linked = await readlink(place).catch(() => undefined);
    return linked === undefined ? place : realPlace(resolve(folder, linked), links + 1);
  }
}

function circle(path: string, cause: unknown): MemoryError {
  return new MemoryError('edit-conflict', `cannot edit ${path}: its links lead in a circle`, {
    cause,
    context: { path },
  });
}

/** Checks whether an error says that there is no such file, and that there cannot be one in this place. */
function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG');
}
