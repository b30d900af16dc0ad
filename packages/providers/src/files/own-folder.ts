import { existsSync, lstatSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { guardFile } from '../storage/file-error.ts';
import { RESERVED_SEGMENT } from '../storage/file-store.ts';
import { makeFolders } from '../storage/make-folders.ts';
import { StorageError } from '../storage/storage-error.ts';
import { makeFolder } from './durable.ts';

/** The folder of a store. */
export interface OpenedFolder {
  /** Without symbolic links. */
  readonly root: string;
  /** The folder in it that belongs to the store itself. */
  readonly own: string;
  /** The folder of its locks. */
  readonly locks: string;
}

/**
 * Makes the folder of a store and the one that belongs to the store itself, where they are missing.
 *
 * @throws StorageError with the code `io` if one cannot be made or read; `outside-root` if the own folder, or something
 * in it, is not a plain folder or file.
 */
export async function openFolder(folder: string): Promise<OpenedFolder> {
  return guardFile('open', folder, async () => {
    makeFolders(folder);
    const root = realpathSync.native(folder);
    const own = await makeOwnFolder(root);
    return { root, own, locks: join(own, 'locks') };
  });
}

/**
 * Makes the folder that belongs to the store itself; git ignores it.
 *
 * @param root - The store's folder, itself without symbolic links.
 * @throws StorageError with the code `outside-root` if it, or something in it, is not a plain folder or file:
 * what is written there would be written elsewhere.
 */
async function makeOwnFolder(root: string): Promise<string> {
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
