import { isAbsolute, posix, relative, resolve, sep, win32 } from 'node:path';
import { isStorable } from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';

/** The longest path, as Linux has it; other systems take less. */
const MAX_PATH = 4096;

/** Returns the absolute path of a workspace. */
export function workspacePath(path: string | undefined): string {
  assertPath(path ?? '.', 'workspace');
  return foreignPath(path ?? '.') ?? resolve(path ?? '.');
}

const WINDOWS = /^(?:[a-z]:[\\/]|\\\\)/i;

const SHARED = /^\\\\wsl(?:\$|\.localhost)\\[^\\]+(\\.*)$/is;

/** Returns an absolute path of another system than this one, which a log may name, in its plain form. */
function foreignPath(path: string): string | undefined {
  if (sep === '/' && WINDOWS.test(path)) {
    const plain = win32.normalize(path).replace(/(?<=[^:\\])\\$/, '');
    // A folder of Linux, as Windows sees it.
    return SHARED.exec(plain)?.[1]?.replaceAll('\\', '/') ?? plain;
  }
  return sep === '\\' && /^\/(?![/\\])/.test(path) ? posix.normalize(path) : undefined;
}

const DRIVE = /^([a-z]):\\(.*)$/is;
const MOUNTED = /^\/mnt\/([a-z])(?:\/(.*))?$/s;

/** Returns a path, and how it is called on the other side of the Windows Subsystem for Linux. */
export function twinPaths(path: string): readonly string[] {
  const [, drive, rest = ''] = DRIVE.exec(path) ?? [];
  if (drive !== undefined) {
    const place = rest === '' ? '' : `/${rest.replaceAll('\\', '/')}`;
    const drives = [drive, drive.toUpperCase(), drive.toLowerCase()];
    const named = drives.map((letter) => `${letter}:\\${rest}`);
    return [...new Set([...named, `/mnt/${drive.toLowerCase()}${place}`])];
  }
  const [, letter, below = ''] = MOUNTED.exec(path) ?? [];
  if (letter !== undefined) {
    const tail = below.replaceAll('/', '\\');
    return [path, `${letter.toUpperCase()}:\\${tail}`, `${letter}:\\${tail}`];
  }
  return [path];
}

/**
 * Returns the absolute path of a file. An absolute one may lie anywhere, as agents also change what lies
 * elsewhere; a relative one stays in the workspace.
 *
 * @throws MemoryError `path-outside`.
 */
export function filePath(path: string, workspace: string): string {
  assertPath(path, 'path');
  const foreign = foreignPath(path);
  if (foreign !== undefined) return foreign;
  if (foreignPath(workspace) !== undefined) return inForeign(path, workspace);
  const absolute = resolve(workspace, path);
  if (isAbsolute(path) || isInside(absolute, workspace)) return absolute;
  throw outside(path, workspace);
}

/** Returns a relative path in a workspace of another system. */
function inForeign(path: string, workspace: string): string {
  if (isAbsolute(path)) return resolve(path);
  const { join } = sep === '/' ? win32 : posix;
  const absolute = join(workspace, path);
  if (isInside(absolute, workspace)) return absolute;
  throw outside(path, workspace);
}

/** Returns the error for a path that leads out of a workspace. */
export function outside(path: string, workspace: string): MemoryError {
  return new MemoryError('path-outside', `${path} lies outside the workspace ${workspace}`, {
    context: { path, workspace },
  });
}

/** Checks whether a path is in a folder, or is it. */
export function isInside(path: string, folder: string): boolean {
  const own = foreignPath(folder) === undefined ? sep : sep === '/' ? '\\' : '/';
  return path === folder || path.startsWith(folder.endsWith(own) ? folder : folder + own);
}

/** Returns the path as it is shown and searched: relative to the workspace where it is in it, with `/`. */
export function shownPath(path: string, workspace: string): string {
  const isForeign = foreignPath(workspace) !== undefined;
  const between = isForeign && sep === '/' ? win32.relative : relative;
  const shown = isInside(path, workspace) ? between(workspace, path) : path.replace(/^\/+/, '');
  return shown.replaceAll(isForeign ? /[\\/]/g : sep, '/');
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
