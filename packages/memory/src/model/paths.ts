import { isAbsolute, relative, resolve, sep } from 'node:path';
import { isStorable } from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';

/** The longest path, as Linux has it; other systems take less. */
const MAX_PATH = 4096;

/** The absolute path of a workspace. */
export function workspacePath(path: string | undefined): string {
  assertPath(path ?? '.', 'workspace');
  return resolve(path ?? '.');
}

/**
 * The absolute path of a file. An absolute one may lie anywhere, as agents also change what lies
 * elsewhere; a relative one stays in the workspace.
 *
 * @throws MemoryError `path-outside`.
 */
export function filePath(path: string, workspace: string): string {
  assertPath(path, 'path');
  const absolute = resolve(workspace, path);
  if (isAbsolute(path) || isInside(absolute, workspace)) return absolute;
  throw outside(path, workspace);
}

/** The error for a path that leads out of a workspace. */
export function outside(path: string, workspace: string): MemoryError {
  return new MemoryError('path-outside', `${path} lies outside the workspace ${workspace}`, {
    context: { path, workspace },
  });
}

/** Whether a path lies in a folder, or is it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The path as it is shown and searched: relative to the workspace where it lies in it, with `/`. */
export function shownPath(path: string, workspace: string): string {
  const shown = isInside(path, workspace) ? relative(workspace, path) : path.replace(/^\/+/, '');
  return shown.replaceAll(sep, '/');
}

/** Returns the path for a reader: short in the workspace, whole elsewhere. */
export function placedPath(path: string, workspace: string): string {
  return isInside(path, workspace) ? shownPath(path, workspace) : path;
}

function assertPath(path: unknown, what: string): void {
  if (typeof path === 'string' && path !== '' && isStorable(path)) {
    if (path.length <= MAX_PATH) return;
    throw new MemoryError(
      'invalid-input',
      `the ${what} has ${path.length} characters: a path has at most ${MAX_PATH}`,
    );
  }
  const shown = typeof path === 'string' ? JSON.stringify(path.slice(0, 200)) : typeof path;
  throw new MemoryError(
    'invalid-input',
    `the ${what} is ${shown}: it must be a path, without NUL and lone surrogates`,
  );
}
