import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the kind and content of everything in a folder by its path, without the places that may change. */
export function contentOf(
  folder: string,
  mayChange: (path: string) => boolean,
): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (mayChange(path)) continue;
      if (entry.isDirectory()) {
        found.set(path, 'folder');
        walk(path);
      } else if (entry.isFile()) {
        const bytes = readFileSync(join(folder, path));
        found.set(path, createHash('sha256').update(bytes).digest('hex'));
      } else found.set(path, 'link');
    }
  };
  walk('');
  return found;
}
