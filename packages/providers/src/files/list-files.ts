import { readdirSync, statSync, type Dirent } from 'node:fs';
import { join, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type FileEntry, keyProblem } from '../storage/file-store.ts';
import { StorageError } from '../storage/storage-error.ts';
import { isMissing } from '../storage/file-error.ts';
import { keyPath, linkTarget } from './key-paths.ts';
import { isTempName, sweepTemp, versionOf } from './durable.ts';

/** After this much time of synchronous `stat` calls, the event loop gets a turn. */
const SLICE_MS = 3;

/** How files are listed. */
export interface ListFilesOptions {
  /** True if temporary files of dead writers are deleted on the way. Default: `true`. */
  readonly sweep?: boolean | undefined;
}

/**
 * Lists the files under a root whose keys begin with a prefix; see `FileStore.list`. The system
 * calls are synchronous, in slices of 3 ms: that is twice as fast as asynchronous ones for the many
 * small folders of a project.
 */
export async function* listFiles(
  root: string,
  prefix: string,
  { sweep = true }: ListFilesOptions = {},
): AsyncGenerator<FileEntry> {
  const first = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  if (first !== '' && !isReadable(root, first)) return;
  const folders = [first];
  let sliceEnd = performance.now() + SLICE_MS;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const dirent of readFolder(join(root, folder))) {
      const key = folder + dirent.name;
      if (isTempName(dirent.name)) {
        if (sweep) sweepTemp(join(root, key), dirent.name);
      } else if (dirent.isDirectory()) {
        const below = `${key}/`;
        const isOnTheWay = below.startsWith(prefix) || prefix.startsWith(below);
        if (isOnTheWay && keyProblem(key) === undefined) folders.push(below);
      } else if (key.startsWith(prefix) && keyProblem(key) === undefined) {
        const entry = entryOf(root, key, dirent);
        if (entry) yield entry;
      }
      if (performance.now() < sliceEnd) continue;
      await nextTurn();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
}

/** Checks whether what is in a folder may be read: it may be a link that leads elsewhere. */
function isReadable(root: string, folder: string): boolean {
  try {
    keyPath(root, `${folder}a`);
    return true;
  } catch (error) {
    if (StorageError.isInstance(error)) return false;
    throw error;
  }
}

function readFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function entryOf(root: string, key: string, dirent: Dirent): FileEntry | undefined {
  // The key is one of ours already: it needs no normalizing.
  const path = `${root}${sep}${key}`;
  try {
    const target = dirent.isSymbolicLink() ? linkTarget(root, path, key) : path;
    const stats = statSync(target, { bigint: true });
    if (!stats.isFile()) return undefined;
    return { key, size: Number(stats.size), version: versionOf(stats) };
  } catch {
    // It went away meanwhile, or is a link that `read` refuses too.
    return undefined;
  }
}
