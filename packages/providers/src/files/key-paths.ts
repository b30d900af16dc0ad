import { type BigIntStats, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { assertKey, keyProblem } from '../storage/file-store.ts';
import { StorageError } from '../storage/storage-error.ts';
import { isMissing } from '../storage/file-error.ts';
import { statOf } from './durable.ts';

/** Decides whether a key may be written, replaced or deleted. */
export type Writable = (key: string) => boolean;

/** The path of a key, symbolic links resolved. */
export interface Place {
  readonly path: string;
  /** The state of what is there; `undefined` if nothing is. */
  readonly stats: BigIntStats | undefined;
}

/** The folder of a store, and which of its keys may be written. */
export class StoreFolder {
  /** Without symbolic links. */
  readonly root: string;
  readonly #isWritable: Writable;

  constructor(root: string, isWritable: Writable = () => true) {
    this.root = root;
    this.#isWritable = isWritable;
  }

  /** Checks whether a key is one of the store's places. */
  isPlace(key: string): boolean {
    return keyProblem(key) === undefined && this.#isWritable(key);
  }

  /**
   * Returns the path at which a key is written or deleted, symbolic links resolved. Every change of a
   * store gets its path here, those of replayed batches included.
   *
   * @throws StorageError with the code `invalid-key`, also if the key is none of the store's places;
   * `outside-root` if a symbolic link leads out of them.
   */
  place(key: string): string {
    return this.placeNow(key).path;
  }

  /** Does what {@link place} does, and returns what is there, too. */
  placeNow(key: string): Place {
    assertKey(key);
    if (!this.#isWritable(key)) {
      const message = `cannot write ${JSON.stringify(key)}: it is none of the places of this store`;
      throw new StorageError('invalid-key', message, { context: { key } });
    }
    const found = pathNow(this.root, key);
    const real = realKey(this.root, found.path);
    if (isSameName(real, key) || this.#isWritable(real)) return found;
    const message = `'${key}' leads to '${real}' through a symbolic link, which is none of the places of this store`;
    throw new StorageError('outside-root', message, { context: { key } });
  }
}

/**
 * Returns the path at which a key is read, symbolic links resolved.
 *
 * @param root - The store's folder, itself without symbolic links.
 * @throws StorageError with the code `invalid-key`; `outside-root` if a link leads out of the store, or
 * to what no key of it names, such as `.git`.
 */
export function keyPath(root: string, key: string): string {
  assertKey(key);
  return pathNow(root, key).path;
}

/** Returns the path of a key that is valid, and what is there: one call of the system where no link is. */
function pathNow(root: string, key: string): Place {
  const path = plainPath(root, key);
  const stats = lstatOf(path);
  if (!stats?.isSymbolicLink()) return { path, stats };
  const target = linkTarget(root, path, key);
  return { path: target, stats: statOf(target) };
}

/**
 * Returns the path at which a key is read if the file itself is no link, symbolic links above it resolved.
 *
 * @throws StorageError as {@link keyPath} does for links above it.
 */
export function readPath(root: string, key: string): string {
  assertKey(key);
  return plainPath(root, key);
}

function plainPath(root: string, key: string): string {
  const path = join(root, ...key.split('/'));
  return assertInside(root, join(recentFolder(dirname(path), key), basename(path)), key);
}

/** Names of devices beyond those that no key may have: Windows drops what comes after a dot, and spaces before that. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;

/**
 * Refuses to write a file that would be lost in a device. Elsewhere it is a file as any other.
 *
 * @throws StorageError with the code `invalid-key`.
 */
export function assertNoDevice(key: string, platform: string = process.platform): void {
  if (platform !== 'win32' || typeof key !== 'string') return;
  const device = key.split('/').find((segment) => DEVICE.test(segment));
  if (device === undefined) return;
  const message = `${JSON.stringify(key)} cannot be written: '${device}' is a device of Windows`;
  throw new StorageError('invalid-key', message, { context: { key } });
}

/** The folders of files that are read or placed in a row, until the process waits for anything. */
const recent = new Map<string, string>();

function recentFolder(folder: string, key: string): string {
  const known = recent.get(folder);
  if (known !== undefined) return known;
  if (recent.size === 0) process.nextTick(() => recent.clear());
  const real = realFolder(folder, key);
  recent.set(folder, real);
  return real;
}

/** Returns the real path of a folder, some or all of which may be missing. */
function realFolder(folder: string, key: string): string {
  try {
    return realpathSync.native(folder);
  } catch (error) {
    if (!isMissing(error) || dirname(folder) === folder) throw error;
    if (isSymbolicLink(folder)) throw leadsNowhere(key, error);
    return join(realFolder(dirname(folder), key), basename(folder));
  }
}

function isSymbolicLink(path: string): boolean {
  return lstatOf(path)?.isSymbolicLink() ?? false;
}

function lstatOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Returns where a link inside the store leads.
 *
 * @throws StorageError with the code `outside-root` if that is not inside the store.
 */
export function linkTarget(root: string, path: string, key: string): string {
  let target: string;
  try {
    target = realpathSync.native(path);
  } catch (cause) {
    throw leadsNowhere(key, cause);
  }
  return assertInside(root, target, key);
}

function leadsNowhere(key: string, cause: unknown): StorageError {
  const message = `'${key}' is a symbolic link that leads nowhere`;
  return new StorageError('outside-root', message, { cause, context: { key } });
}

function assertInside(root: string, path: string, key: string): string {
  if (path !== root && !path.startsWith(root.endsWith(sep) ? root : root + sep)) {
    const message = `'${key}' leads out of the store through a symbolic link`;
    throw new StorageError('outside-root', message, { context: { key } });
  }
  const real = realKey(root, path);
  const problem = isSameName(real, key) ? undefined : keyProblem(real);
  if (problem === undefined) return path;
  const message = `'${key}' leads to '${real}' through a symbolic link: ${problem}`;
  throw new StorageError('outside-root', message, { context: { key } });
}

function realKey(root: string, path: string): string {
  const inside = root.endsWith(sep) ? root : root + sep;
  if (path.startsWith(inside)) return path.slice(inside.length).split(sep).join('/');
  return relative(root, path).split(sep).join('/');
}

/** A file system may write the letters of a name in another case, or composed in another way. */
function isSameName(a: string, b: string): boolean {
  return a === b || a.normalize('NFC').toLowerCase() === b.normalize('NFC').toLowerCase();
}
