import { existsSync, lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESERVED_SEGMENT } from '../storage/file-store.ts';
import { StorageError } from '../storage/storage-error.ts';
import { makeFolder } from './durable.ts';

/**
 * Makes the folder that belongs to the store itself; git ignores it.
 *
 * @param root - The store's folder, itself without symbolic links.
 * @throws StorageError with the code `outside-root` if it, or something in it, is not a plain folder or file:
 * what is written there would be written elsewhere.
 */
export async function makeOwnFolder(root: string): Promise<string> {
  const own = join(root, RESERVED_SEGMENT);
  const strange = strangerIn(own);
  if (strange !== undefined) {
    const name = strange.slice(root.length + 1);
    const message =
      `cannot open ${root}: '${name}' is a link (symbolic or hard) or no plain file, so that what is ` +
      'written there would be written elsewhere. Remove it, then open again';
    throw new StorageError('outside-root', message, { context: { path: strange } });
  }
  await makeFolder(own);
  const ignore = join(own, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  return own;
}

/** Checks whether the folder of a store holds nothing but plain folders and files. */
export function isOwnFolderSound(own: string): boolean {
  return strangerIn(own) === undefined;
}

/** Databases and locks are written in place, and so under every name that they have. */
function hasOtherName(file: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats !== undefined && stats.nlink > 1;
}

/** Returns the first path that is neither a plain folder nor a plain file; Windows' junctions are links. */
function strangerIn(folder: string): string | undefined {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (!stats.isDirectory()) return folder;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const strange = strangerIn(path);
      if (strange !== undefined) return strange;
    } else if (!entry.isFile() || hasOtherName(path)) return path;
  }
  return undefined;
}
