import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/**
 * Returns the nearest folder upwards that holds something, as git looks for its own.
 *
 * @param from - Where to begin, itself included.
 * @param marks - Paths relative to a folder, one of which makes it the one: `.git`, `config/a.json`.
 * @returns An absolute path, or `undefined` where no folder up to the root has any.
 */
export function nearestFolder(from: string, marks: readonly string[]): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (marks.some((mark) => existsSync(join(folder, mark)))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Returns a folder and all above it, the nearest first. */
export function foldersUpwards(from: string): readonly string[] {
  const folders = [resolve(from)];
  for (;;) {
    const last = folders[folders.length - 1] ?? '';
    const parent = dirname(last);
    if (parent === last) return folders;
    folders.push(parent);
  }
}

/**
 * Returns a path that this process opens as the command means it. Where the command runs in the folder of the
 * process it stays as it was given, as messages show it.
 */
export function pathHere({ cwd }: { readonly cwd: string }, path: string): string {
  return isAbsolute(path) || cwd === process.cwd() ? path : resolve(cwd, path);
}
