import { isAbsolute, resolve } from 'node:path';

/**
 * Returns a path that this process opens as the command means it. Where the command runs in the folder of the
 * process it stays as it was given, as messages show it.
 */
export function pathHere({ cwd }: { readonly cwd: string }, path: string): string {
  return isAbsolute(path) || cwd === process.cwd() ? path : resolve(cwd, path);
}
