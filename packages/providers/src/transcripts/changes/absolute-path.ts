import { posix, win32 } from 'node:path';

/** Returns a path as seen from a folder. Both may be of another system than this one. */
export function absolutePath(path: string, cwd: string | undefined): string {
  if (posix.isAbsolute(path)) return posix.normalize(path);
  if (/^[a-z]:[\\/]|^\\\\/i.test(path)) return win32.normalize(path);
  if (cwd === undefined) return path;
  return posix.isAbsolute(cwd) ? posix.join(cwd, path) : win32.join(cwd, path);
}
