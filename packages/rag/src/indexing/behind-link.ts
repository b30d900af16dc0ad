import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a name of a path below `root` is that of a symbolic link. */
export function isBehindLink(root: string, path: string): boolean {
  let place = root;
  return path.split('/').some((name) => {
    place = join(place, name);
    return lstatSync(place).isSymbolicLink();
  });
}
