import { realpathSync } from 'node:fs';
import { sep } from 'node:path';

/** Where a path of a file really is, symbolic links resolved; nothing if that is outside of `root`. */
export function realPathInside(root: string, path: string): string | undefined {
  const real = realpathSync.native(path);
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)
    ? real
    : undefined;
}
