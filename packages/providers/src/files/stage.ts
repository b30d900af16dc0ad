import { dirname, relative, sep } from 'node:path';
import { StorageError } from '../storage/storage-error.ts';
import { inParallel, removeFile, renameOver, writeTemp, type WrittenTemp } from './durable.ts';
import { guardFile } from '../storage/file-error.ts';
import type { BatchChange } from './journal-file.ts';
import type { StoreFolder } from './key-paths.ts';
import { statOf } from './stat.ts';

/** A change with the path of its file, as {@link StoreFolder.place} returns it. */
export interface PlacedChange extends BatchChange {
  readonly path: string;
}

/** A change that needs nothing but a rename, or to be deleted. */
export interface StagedChange {
  readonly key: string;
  readonly path: string;
  /** The new content, complete and in the right folder; `null` to delete. */
  readonly temp: WrittenTemp | null;
}

/**
 * Does all of a batch that can fail for want of space, rights or a folder, without touching a file:
 * makes folders and writes temporary files, without waiting for the disk. If any of that fails,
 * nothing remains of it but empty folders.
 *
 * @returns One for each change, in their order.
 */
export async function stageAll(
  { root }: StoreFolder,
  changes: readonly PlacedChange[],
): Promise<readonly StagedChange[]> {
  refuseFilesInFiles(changes);
  const staged: StagedChange[] = changes.map(({ key, path }) => ({ key, path, temp: null }));
  const writes = [...changes.entries()].filter(([, { data }]) => data !== null);
  const folders = new Set<string>();
  try {
    await inParallel(writes, async ([, { key, path }]) => {
      const folder = dirname(path);
      if (!folders.has(folder)) refuseFileAsFolder(root, folder, key);
      folders.add(folder);
    });
    await inParallel(writes, async ([index, { key, path, data, changeTime }]) => {
      const options = { sync: false, changeTime };
      const temp = await guardFile('write', key, () =>
        writeTemp(dirname(path), data ?? new Uint8Array(), options),
      );
      staged[index] = { key, path, temp };
      refuseFolderAsFile(path, key);
    });
    return staged;
  } catch (error) {
    await discardAll(staged);
    throw error;
  }
}

/** Puts changes in their places, without waiting for the disk. */
export async function placeAll(staged: readonly StagedChange[]): Promise<void> {
  await inParallel(staged, ({ key, path, temp }) =>
    guardFile(temp ? 'write' : 'delete', key, async () => {
      if (temp) await renameOver(temp.path, path);
      else await removeFile(path);
    }),
  );
}

/** Deletes the temporary files of changes that were not put in their places. */
export async function discardAll(staged: readonly StagedChange[]): Promise<void> {
  await inParallel(staged, async ({ temp }) => {
    if (temp) await removeFile(temp.path);
  });
}

/** No file system holds a file `a` next to a file `a/b`. */
function refuseFilesInFiles(changes: readonly BatchChange[]): void {
  const written = new Set(changes.filter(({ data }) => data !== null).map(({ key }) => key));
  for (const key of written) {
    for (let end = key.indexOf('/'); end >= 0; end = key.indexOf('/', end + 1)) {
      const above = key.slice(0, end);
      if (written.has(above)) throw cannotWrite(key, `the same batch makes '${above}' a file`);
    }
  }
}

/** Looks at the nearest of the folders above a file that exists. */
function refuseFileAsFolder(root: string, folder: string, key: string): void {
  const stats = statOf(folder);
  if (stats?.isDirectory()) return;
  if (!stats) return refuseFileAsFolder(root, dirname(folder), key);
  const above = relative(root, folder).split(sep).join('/');
  throw cannotWrite(key, `'${above}' is a file and no folder`);
}

function refuseFolderAsFile(path: string, key: string): void {
  if (statOf(path)?.isDirectory()) {
    throw cannotWrite(key, 'there is a folder of this name');
  }
}

function cannotWrite(key: string, why: string): StorageError {
  return new StorageError('io', `cannot write '${key}': ${why}`, { context: { key } });
}
