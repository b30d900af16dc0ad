import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { assertKey } from '../storage/file-key.ts';
import { StorageError } from '../storage/storage-error.ts';
import { isMissing } from './file-error.ts';

/**
 * The path of a key, symbolic links resolved.
 *
 * @param root - The store's folder, itself without symbolic links.
 * @throws StorageError with the code `invalid-key`, or `outside-root` if a link leads out.
 */
export function keyPath(root: string, key: string): string {
  assertKey(key);
  const path = join(root, ...key.split('/'));
  const folder = existingFolder(dirname(path));
  assertInside(root, folder, key);
  return isSymbolicLink(path) ? linkTarget(root, path, key) : path;
}

/** The real path of a folder, or of the nearest one above it that exists. */
function existingFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch (error) {
    if (!isMissing(error) || dirname(folder) === folder) throw error;
    return existingFolder(dirname(folder));
  }
}

function isSymbolicLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/**
 * Where a link inside the store leads.
 *
 * @throws StorageError with the code `outside-root` if that is not inside the store.
 */
export function linkTarget(root: string, path: string, key: string): string {
  let target: string;
  try {
    target = realpathSync.native(path);
  } catch (cause) {
    throw new StorageError('outside-root', `'${key}' is a symbolic link that leads nowhere`, {
      cause,
      context: { key },
    });
  }
  assertInside(root, target, key);
  return target;
}

function assertInside(root: string, path: string, key: string): void {
  if (path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)) return;
  throw new StorageError(
    'outside-root',
    `'${key}' leads out of the store through a symbolic link`,
    {
      context: { key },
    },
  );
}
