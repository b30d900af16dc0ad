import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileStore, messageOf, StorageError } from '@vizprompt/providers';
import { hasCode, isOwnFolderSound, makeFolders } from '@vizprompt/providers/internal';
import { defaultCacheFolder } from '../dictionary/dictionary-file.ts';
import { IndexingError } from '../errors.ts';

/** Which index of a project is meant. */
export interface IndexPlaceOptions {
  /** The real path of the project. */
  readonly root: string;
  /** The folder of this index in that of all indexes of the project. Default: it is there itself. */
  readonly name?: string | undefined;
  /** The cache folder of this user. Default: that of the dictionary. */
  readonly cache?: string | undefined;
}

/**
 * Returns the default folder of an index: `.vizprompt/rag` of its project, which git ignores, or,
 * where that cannot be written, in the cache folder of this user. Both are made. Where neither can be
 * written, that of the project if it is there, to be read.
 *
 * @throws IndexingError if neither can be written, or `.vizprompt` leads elsewhere.
 */
export function indexPlace({
  root,
  name = '.',
  cache = defaultCacheFolder(),
}: IndexPlaceOptions): string {
  const place = join(ownFolder(root), 'rag', name);
  if (!isOwnFolderSound(ownFolder(root))) throw notOurs(ownFolder(root));
  try {
    makeOwnFolder(root);
    for (const folder of [ownFolder(root), join(ownFolder(root), 'rag'), place]) {
      if (existsSync(folder)) accessSync(folder, constants.W_OK);
    }
    return place;
  } catch (cause) {
    if (hasCode(cause, 'EACCES', 'EPERM', 'EROFS')) {
      return cachePlace({ root, name, cache }, place, cause);
    }
    // The index that is there can be read.
    if (hasCode(cause, 'ENOSPC', 'EDQUOT') && existsSync(place)) return place;
    throw unwritable(`${place} (${messageOf(cause)}): let it be written`, cause, { folder: place });
  }
}

/** Checks whether an index is in its project. */
export function isIn(root: string, indexFolder: string): boolean {
  return indexFolder.startsWith(ownFolder(root));
}

/**
 * Makes `.vizprompt` in a project, which git ignores from then on.
 *
 * @throws what the file system says.
 */
export function makeOwnFolder(root: string): void {
  makeFolders(ownFolder(root));
  const ignore = join(ownFolder(root), '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
}

function ownFolder(root: string): string {
  return join(root, '.vizprompt');
}

/** All who ask for a project by another path mean the same index. */
function cachePlace(
  { root, name, cache }: IndexPlaceOptions & { readonly name: string; readonly cache: string },
  place: string,
  whyNot: unknown,
): string {
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const folder = join(cache, 'rag', hash, name);
  try {
    // It holds the texts of the project, whose folder may be closed to others.
    makeFolders(folder, 0o700);
    accessSync(folder, constants.W_OK);
    return folder;
  } catch (cause) {
    // Nothing can be written anywhere, but an index that is there can be read.
    if (existsSync(place)) return place;
    const places = `${ownFolder(root)} (${messageOf(whyNot)}) nor in ${folder} (${messageOf(cause)})`;
    throw unwritable(`${places}: let one of them be written, set XDG_CACHE_HOME`, cause, {
      folder: ownFolder(root),
    });
  }
}

/** Returns the error of an index that would be written to another place. */
function notOurs(folder: string): IndexingError {
  const message =
    `no index can be made in ${folder}: it, or something in it, is a link (symbolic or hard) or no plain ` +
    'file. Remove it, or name another indexFolder';
  return new IndexingError(message, { context: { folder } });
}

function unwritable(places: string, cause: unknown, context: object): IndexingError {
  const message = `no index can be made in ${places}, or name another indexFolder`;
  return new IndexingError(message, { cause, context: { ...context } });
}

/** A caller that waits longer than this is notified. */
const PATIENCE_MS = 100;
/** The longest time that timers can wait. */
const LONGEST_MS = 2 ** 31 - 1;

/** Where the lock of a project is. */
interface LockPlace {
  readonly project: string;
  /** The folder of its index. */
  readonly folder: string;
  /** Shared with other machines. Absent: the lock is in the folder. */
  readonly locks: Pick<FileStore, 'lock'> | undefined;
}

/**
 * Does work while no other caller, in this process or another, holds the lock of a project. When its
 * holder dies, it is free at once.
 *
 * @param onWait - Called if another caller holds it.
 */
export async function withProjectLock<T>(
  { project, folder, locks }: LockPlace,
  signal: AbortSignal,
  onWait: () => void,
  work: () => Promise<T>,
): Promise<T> {
  if (locks) {
    const name = createHash('sha256').update(project).digest('hex').slice(0, 32);
    return holding(locks, `rag-${name}`, signal, onWait, work);
  }
  // Opened each time, as another process may have deleted the folder with all that is in it.
  mkdirSync(folder, { recursive: true });
  const { localFileStore } = await import('@vizprompt/providers/node');
  const store = await localFileStore(folder);
  try {
    return await holding(store, 'project', signal, onWait, work);
  } finally {
    await store.close();
  }
}

async function holding<T>(
  store: Pick<FileStore, 'lock'>,
  name: string,
  signal: AbortSignal,
  onWait: () => void,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await store
    .lock(name, { timeoutMs: PATIENCE_MS, signal })
    .catch((error: unknown) => {
      if (!StorageError.isInstance(error) || error.code !== 'lock-timeout') throw error;
      onWait();
      return store.lock(name, { timeoutMs: LONGEST_MS, signal });
    });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
