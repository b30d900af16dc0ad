import { isAbsolute, posix, relative, resolve, sep, win32 } from 'node:path';
import { isStorable } from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';

/** The longest path, as Linux has it; other systems take less. */
const MAX_PATH = 4096;

/** Returns the absolute path of a workspace. */
export function workspacePath(path: string | undefined): string {
  assertPath(path ?? '.', 'workspace');
  const plain = withoutNamespace(path ?? '.');
  return foreignPath(plain) ?? resolve(plain);
}

/** A drive, a network share, or a folder of Linux as Windows sees it, which some programs write with slashes. */
const WINDOWS = /^(?:[a-z]:[\\/]|\\\\|\/\/wsl(?:\$|\.localhost)\/)/i;

const SHARED = /^\\\\wsl(?:\$|\.localhost)\\[^\\]+(\\.*)?$/is;

/** `\\?\C:\app`, `\\?\UNC\server\share`: programs in Rust name files so. */
const NAMESPACE = /^[\\/]{2}[?.][\\/](?:(UNC)[\\/]|(?=[a-z]:[\\/]))/i;

/** Returns a path of Windows without the prefix that turns off how names are read. */
function withoutNamespace(path: string): string {
  return path.replace(NAMESPACE, (_, share?: string) => (share === undefined ? '' : '\\\\'));
}

/** Returns an absolute path of another system than this one, which a log may name, in its plain form. */
function foreignPath(path: string): string | undefined {
  if (sep === '/' && WINDOWS.test(path)) {
    const plain = win32.normalize(path).replace(/(?<=[^:\\])\\$/, '');
    return linuxPath(plain) ?? plain.replace(SHARE, (name) => name.toLowerCase());
  }
  return sep === '\\' && /^\/(?![/\\])/.test(path) ? posix.normalize(path) : undefined;
}

/** A server and a share, whose names have no case. */
const SHARE = /^\\\\[^\\]+\\[^\\]+/;

/** Returns a folder of Linux, as Windows sees it, as Linux names it. */
function linuxPath(path: string): string | undefined {
  const [all, below = '\\'] = SHARED.exec(path) ?? [];
  return all === undefined ? undefined : below.replaceAll('\\', '/');
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
  const linux = linuxPath(path);
  if (linux === undefined) return [path];
  const [, tail = ''] = SHARED.exec(path) ?? [];
  const distribution =
    path
      .slice(0, path.length - tail.length)
      .split('\\')
      .at(-1) ?? '';
  const names = ['wsl$', 'wsl.localhost'].map((name) => `\\\\${name}\\${distribution}${tail}`);
  return [...new Set([path, ...names, linux])];
}

/**
 * Returns the absolute path of a file. An absolute one may lie anywhere, as agents also change what lies
 * elsewhere; a relative one stays in the workspace.
 *
 * @throws MemoryError `path-outside`.
 */
export function filePath(path: string, workspace: string): string {
  assertPath(path, 'path');
  const plain = withoutNamespace(path);
  const foreign = foreignPath(plain);
  if (foreign !== undefined) return foreign;
  if (foreignPath(workspace) !== undefined) return inForeign(plain, workspace);
  const absolute = resolve(workspace, plain);
  if (isAbsolute(plain) || isInside(absolute, workspace)) return absolute;
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
  const message =
    resolve(workspace, path) === workspace
      ? `${path} is the workspace ${workspace} itself: name a file in it`
      : `${path} lies outside the workspace ${workspace}`;
  return new MemoryError('path-outside', message, { context: { path, workspace } });
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
