import { readFileSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { messageOf } from '../errors.ts';
import { guardFile, guardFileNow } from '../storage/file-error.ts';
import { StorageError } from '../storage/storage-error.ts';
import {
  inParallel,
  inSlices,
  makeFoldersDurably,
  removeAtOnce,
  removeFile,
  renameAtOnce,
  renameOver,
  SMALL_BYTES,
  statOf,
  syncFiles,
  writeSmallTemp,
  writeTemp,
  type WrittenTemp,
} from './durable.ts';
import {
  type BatchChange,
  emptyJournal,
  firstPreamble,
  FULL_BYTES,
  journalSeal,
  type JournalSeal,
  lastOfEach,
  NO_SEAL,
  readJournal,
  wipeJournal,
  writeJournal,
} from './journal-file.ts';
import { journalKey } from './journal-key.ts';
import type { Place, StoreFolder } from './key-paths.ts';
import { type SetAsideBatch, setAside, trimSetAside } from './set-aside.ts';

/**
 * Writes many files with one point of durability: a batch goes into a journal first and is durable
 * once that is on the disk; then its files, written before next to their places, are renamed, without
 * waiting for the disk. Only a checkpoint waits for them, for those of many batches together, and
 * empties the journal.
 *
 * A process that finds batches of another process of this user in the journal finishes them first, whether that
 * process is dead or only slower. Batches that this user did not write on this machine are never
 * finished. All methods are called under the commit lock.
 */
export class BatchJournal {
  readonly #store: StoreFolder;
  readonly #journal: string;
  readonly #onSetAside: (batch: SetAsideBatch) => void;
  #seal: JournalSeal | undefined;
  /** The preamble of the first batch, while the journal is this process's own. */
  #own: Buffer | undefined;
  #end = 0;
  /** Files of the batches in the journal; they may not be on the disk yet. */
  readonly #paths = new Set<string>();

  constructor(store: StoreFolder, journal: string, onSetAside: (batch: SetAsideBatch) => void) {
    this.#store = store;
    this.#journal = journal;
    this.#onSetAside = onSetAside;
  }

  /** Checks whether batches of this process wait for a checkpoint. */
  get isWaiting(): boolean {
    return this.#own !== undefined;
  }

  /**
   * Finishes the batches of other processes, and those of this one that it could not finish.
   *
   * @throws StorageError if that is not possible; the journal stays as it is.
   */
  async takeOver(): Promise<void> {
    const first = firstPreamble(this.#journal);
    if (first && this.#own?.equals(first)) return;
    this.#forget();
    if (!first) return;
    const found = readJournal(this.#journal, await this.#sealOfStore());
    const changes = lastOfEach(found.own);
    // Another store of the same folder may have other places.
    const isPlain = changes.every(({ key }) => this.#store.isPlace(key));
    if (!isPlain) {
      const all = readJournal(this.#journal, NO_SEAL);
      return this.#leaveForeign(all.foreign ?? [], all.rest);
    }
    try {
      await finish(this.#store, changes);
    } catch (cause) {
      throw new StorageError(
        'io',
        `an unfinished batch of files must be finished before anything else is written, but: ` +
          `${messageOf(cause)}. Clear the way for it, then write or open again`,
        { cause, context: contextOf(cause) },
      );
    }
    // Its writer may have left all of them to the system.
    await syncFiles(
      this.#store.root,
      changes.map(({ key }) => this.#store.place(key)),
    );
    if (found.foreign) await this.#leaveForeign(found.foreign, found.rest);
    else emptyJournal(this.#journal);
  }

  /**
   * Does not apply batches that this user did not write on this machine: their author may have
   * meant any harm. Those that have reached their files already, such as those of another user who shares
   * the folder, are only brought to the disk.
   */
  async #leaveForeign(foreign: readonly BatchChange[] | 'unreadable', rest: Buffer): Promise<void> {
    const changes = foreign === 'unreadable' ? [] : lastOfEach(foreign);
    const paths = foreign === 'unreadable' ? undefined : placedPaths(this.#store, changes);
    if (paths) {
      await syncFiles(this.#store.root, paths);
      return emptyJournal(this.#journal);
    }
    const path = await setAside(dirname(this.#journal), rest);
    emptyJournal(this.#journal);
    this.#onSetAside({ path, keys: changes.map(({ key }) => key) });
  }

  async #sealOfStore(): Promise<JournalSeal> {
    const { root } = this.#store;
    return (this.#seal ??= journalSeal(await journalKey(root), root));
  }

  /**
   * Writes a batch. A failure before it is in the journal undoes it. A failure after that leaves it
   * in the journal, to be finished by {@link takeOver}.
   *
   * @returns The new versions, `null` for deleted files.
   */
  async write(changes: readonly PlacedChange[]): Promise<readonly (string | null)[]> {
    const staged = await stageAll(this.#store, changes);
    await this.#commit(changes, staged);
    try {
      await placeAll(staged);
    } catch (cause) {
      this.#forget();
      await discardAll(staged);
      throw new StorageError(
        'io',
        `${messageOf(cause)}. The batch of ${changes.length} files is kept in the journal: the next ` +
          'write, or the next opening of the store, finishes it',
        { cause, context: contextOf(cause) },
      );
    }
    for (const { path } of staged) this.#paths.add(path);
    if (this.#end > FULL_BYTES) await this.checkpoint();
    return staged.map(({ temp }) => temp?.version ?? null);
  }

  /** Waits until all files are on the disk, and empties the journal. */
  async checkpoint(): Promise<void> {
    if (!this.#own) return;
    await syncFiles(this.#store.root, [...this.#paths]);
    emptyJournal(this.#journal);
    this.#forget();
  }

  /** Overwrites what the journal still holds of batches that are done, and deletes what is set aside of this user. */
  async wipe(): Promise<void> {
    await this.checkpoint();
    await wipeJournal(this.#journal);
    await trimSetAside(dirname(this.#journal), await this.#sealOfStore());
  }

  /** From here on the batch is durable. */
  async #commit(changes: readonly BatchChange[], staged: readonly StagedChange[]): Promise<void> {
    try {
      const seal = await this.#sealOfStore();
      const place = { seal, offset: this.#end };
      const { preamble, end } = await writeJournal(this.#journal, changes, place);
      this.#own ??= preamble;
      this.#end = end;
    } catch (error) {
      await discardAll(staged);
      throw error;
    }
  }

  #forget(): void {
    this.#own = undefined;
    this.#end = 0;
    this.#paths.clear();
  }
}

/**
 * True if a change did not reach its file, or only in part. A file that was written since stays
 * as it is; a folder in its place is in its way.
 */
export function isUnfinished(path: string, { data, changeTime }: BatchChange): boolean {
  const stats = statOf(path);
  if (!stats?.isFile()) return data !== null;
  if (Number(stats.mtimeNs) / 1e6 > changeTime * 1000 + 0.01) return false;
  return data === null || Buffer.compare(data, readFileSync(path)) !== 0;
}

/** Returns the paths of changes that have all reached their files; `undefined` if one did not. */
function placedPaths(
  store: StoreFolder,
  changes: readonly BatchChange[],
): readonly string[] | undefined {
  try {
    const places = changes.map((change) => ({ path: store.place(change.key), change }));
    const isPlaced = places.every(({ path, change }) => !isUnfinished(path, change));
    return isPlaced ? places.map(({ path }) => path) : undefined;
  } catch {
    // A key of no place of this store was never written by it.
    return undefined;
  }
}

/** Repeats the end of a batch that may have been made in part: first what goes, then what comes. */
async function finish(store: StoreFolder, changes: readonly BatchChange[]): Promise<void> {
  const placed = changes.map((change) => ({ ...change, ...store.placeNow(change.key) }));
  const open = placed.filter((change) => isUnfinished(change.path, change));
  await placeAll(
    await stageAll(
      store,
      open.filter(({ data }) => data === null),
    ),
  );
  const staged = await stageAll(
    store,
    open.filter(({ data }) => data !== null),
  );
  try {
    await placeAll(staged);
  } catch (error) {
    await discardAll(staged);
    throw error;
  }
}

function contextOf(error: unknown): Readonly<Record<string, unknown>> {
  return StorageError.isInstance(error) ? error.context : {};
}

/** A change with the path of its file and what is there, as {@link StoreFolder.placeNow} returns them. */
export interface PlacedChange extends BatchChange, Place {}

/** A change that needs nothing but a rename, or to be deleted. */
interface StagedChange {
  readonly key: string;
  readonly path: string;
  /** The new content, complete and in the right folder; `null` to delete. */
  readonly temp: WrittenTemp | null;
}

/**
 * Does all of a batch that can fail for want of space, rights or a folder, without touching a file:
 * makes folders, durably, and writes temporary files, without waiting for the disk. If any of that fails,
 * nothing remains of it but empty folders.
 *
 * @returns One for each change, in their order.
 */
async function stageAll(
  { root }: StoreFolder,
  changes: readonly PlacedChange[],
): Promise<readonly StagedChange[]> {
  refuseFilesInFiles(changes);
  const staged: StagedChange[] = changes.map(({ key, path }) => ({ key, path, temp: null }));
  const writes = [...changes.entries()].filter(([, { data }]) => data !== null);
  const folders = new Set<string>();
  const large: (readonly [number, PlacedChange])[] = [];
  try {
    for (const [, { key, path, stats }] of writes) {
      if (stats?.isDirectory()) throw cannotWrite(key, 'there is a folder of this name');
      const folder = dirname(path);
      if (folders.has(folder)) continue;
      refuseFileAsFolder(root, folder, key);
      folders.add(folder);
    }
    await makeFoldersDurably(folders);
    await inSlices(writes, ([index, change]) => {
      const { key, path, data, changeTime } = change;
      if (data === null || data.length > SMALL_BYTES) {
        large.push([index, change]);
        return;
      }
      const temp = guardFileNow('write', key, () =>
        writeSmallTemp(dirname(path), data, changeTime),
      );
      staged[index] = { key, path, temp };
    });
    await inParallel(large, async ([index, change]) => {
      const { key, path, data, changeTime } = change;
      const options = { sync: false, changeTime };
      const temp = await guardFile('write', key, () =>
        writeTemp(dirname(path), data ?? new Uint8Array(), options),
      );
      staged[index] = { key, path, temp };
    });
    return staged;
  } catch (error) {
    await discardAll(staged);
    throw error;
  }
}

/** Puts changes in their places, without waiting for the disk. */
async function placeAll(staged: readonly StagedChange[]): Promise<void> {
  const held: StagedChange[] = [];
  await inSlices(staged, (change) => {
    const { key, path, temp } = change;
    guardFileNow(temp ? 'write' : 'delete', key, () => {
      if (!temp) removeAtOnce(path);
      else if (!renameAtOnce(temp.path, path)) held.push(change);
    });
  });
  await inParallel(held, ({ key, path, temp }) =>
    guardFile('write', key, async () => {
      if (temp) await renameOver(temp.path, path);
    }),
  );
}

/** Deletes the temporary files of changes that were not put in their places. */
async function discardAll(staged: readonly StagedChange[]): Promise<void> {
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

function cannotWrite(key: string, why: string): StorageError {
  return new StorageError('io', `cannot write '${key}': ${why}`, { context: { key } });
}
