import {
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  openSync,
  readFile as readFileCallback,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { checkArgument, checkOptions } from '../input/check-input.ts';
import { FUNCTION, type Kinds, optional, TEXT } from '../input/kinds.ts';
import { loadSqlite } from '../sqlite/load-sqlite.ts';
import { lockFolder } from '../sqlite/sqlite-lock.ts';
import { assertFileBytes, guardFile, hasCode, isMissing } from '../storage/file-error.ts';
import {
  assertVersion,
  checkChanges,
  encodeContent,
  type FileStore,
  type ReadOptions,
  type StoredFile,
  storedFile,
  type WriteCondition,
} from '../storage/file-store.ts';
import { StorageError } from '../storage/storage-error.ts';
import { BatchJournal, type PlacedChange } from './batch-journal.ts';
import { assertNoDevice } from './device-names.ts';
import {
  flush,
  inSlices,
  nextChangeTime,
  placeFile,
  removeFile,
  SMALL_BYTES,
  statOf,
  syncFolder,
  versionOf,
} from './durable.ts';
import { firstPreamble } from './journal-file.ts';
import { keyPath, readPath, StoreFolder } from './key-paths.ts';
import { listFiles } from './list-files.ts';
import { openFolder } from './own-folder.ts';
import type { SetAsideBatch } from './set-aside.ts';

/** After this much time without a batch, its files are brought to the disk. */
const IDLE_MS = 500;

/** The most bytes of a file, and of a batch: a little less than Node reads at once. */
const MAX_FILE_BYTES = 2_000_000_000;

/** A {@link FileStore} that is closed on its own: by `close`, or at the end of the block by `await using`. */
export interface ClosableFileStore extends FileStore, AsyncDisposable {
  close(): Promise<void>;
}

/** Options of {@link localFileStore}. */
export interface LocalFileStoreOptions {
  /**
   * Decides which keys may be written or deleted, by whatever call, and by batches that are finished
   * after a crash. Others are refused with `invalid-key`. Default: all valid keys.
   */
  readonly isWritable?: ((key: string) => boolean) | undefined;
  /** Receives batches that were set aside instead of finished. Default: none. */
  readonly onSetAside?: ((batch: SetAsideBatch) => void) | undefined;
}

/** The kinds of these options. */
export const LOCAL_FILE_STORE_OPTIONS: Kinds<LocalFileStoreOptions> = {
  isWritable: optional(FUNCTION),
  onSetAside: optional(FUNCTION),
};

/**
 * Files in a folder. The store's own files are in `.vizprompt/` there, which git
 * ignores.
 *
 * A batch that a crash left unfinished is finished first, if this user wrote it on this machine. One that
 * came with the folder, as in a clone, is moved to `.vizprompt/set-aside/`.
 *
 * @param folder - Made when missing.
 * @throws StorageError with the code `io` if the folder cannot be made or read; `outside-root` if
 * `.vizprompt` or something in it is a symbolic link.
 * @throws StorageError with the code `no-sqlite` if neither better-sqlite3 nor `node:sqlite`, which its locks need, can
 * be used.
 *
 * @example
 * ```ts
 * await using files = await localFileStore('./cassettes');
 * const model = compose(openai({ model: 'gpt-5' }), replay({ store: files }));
 * ```
 */
export async function localFileStore(
  folder: string,
  settings: LocalFileStoreOptions = {},
): Promise<ClosableFileStore> {
  checkArgument('the folder of localFileStore', folder, TEXT);
  checkOptions('localFileStore', settings, LOCAL_FILE_STORE_OPTIONS);
  const { isWritable, onSetAside = () => {} } = settings;
  await loadSqlite();
  const { root, own, locks: locksFolder } = await openFolder(folder);
  const store = new StoreFolder(root, isWritable);
  const journalPath = join(own, 'batch.journal');
  const journal = new BatchJournal(store, journalPath, onSetAside);
  const locks = lockFolder(locksFolder);
  const commits = lockFolder(own);
  const commitsRunning = new Set<Promise<unknown>>();
  let checkpoint: NodeJS.Timeout | undefined;
  let isClosed = false;

  function assertOpen(): void {
    if (isClosed) throw new StorageError('closed', `the file store ${root} is closed`);
  }

  async function exclusively<T>(work: () => Promise<T>): Promise<T> {
    const lock = await commits.lock('commit');
    try {
      await journal.takeOver();
      return await work();
    } finally {
      await lock.release();
    }
  }

  /** Runs `work` while no other process changes a file of this store. */
  async function commit<T>(work: () => Promise<T>): Promise<T> {
    assertOpen();
    const running = exclusively(work);
    commitsRunning.add(running);
    try {
      return await running;
    } finally {
      commitsRunning.delete(running);
    }
  }

  /** Empties the journal as soon as nothing has been written for a moment. */
  function planCheckpoint(): void {
    clearTimeout(checkpoint);
    if (!journal.isWaiting || isClosed) return;
    checkpoint = setTimeout(() => {
      // A failure here is tried again by the next write, or by the next process that opens the store.
      commit(() => journal.checkpoint()).catch(() => undefined);
    }, IDLE_MS).unref();
  }

  /** Writes a complete file next to the old one, and puts it in its place under the commit lock. */
  async function replace(
    key: string,
    data: Uint8Array,
    condition: WriteCondition,
  ): Promise<{ version: string }> {
    const path = store.place(key);
    assertFileBytes(key, data.length, MAX_FILE_BYTES);
    return placeFile(path, data, {
      place: (move) =>
        commit(async () => {
          assertVersion(key, currentVersion(path), condition);
          await move();
        }),
    });
  }

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(checkpoint);
    try {
      await Promise.allSettled(commitsRunning);
      if (journal.isWaiting) await exclusively(() => journal.checkpoint());
    } finally {
      await locks.close();
      await commits.close();
    }
  }

  if (firstPreamble(journalPath)) {
    try {
      await guardFile('open', folder, () => commit(async () => undefined));
    } catch (error) {
      await commits.close();
      throw error;
    }
  }

  return {
    specVersion: 1,

    async read(key, options) {
      assertOpen();
      return guardFile('read', key, () => readStored(root, key, options));
    },

    async write(key, content, condition = {}) {
      assertOpen();
      assertNoDevice(key);
      const data = encodeContent(key, content);
      return guardFile('write', key, () => replace(key, data, condition));
    },

    async writeMany(changes) {
      assertOpen();
      const checked = checkChanges(changes);
      for (const { key, content } of checked) if (content !== null) assertNoDevice(key);
      const [first] = checked;
      if (!first) return [];
      if (checked.length === 1 && first.content !== null) {
        const data = first.content;
        return [
          (await guardFile('write', first.key, () => replace(first.key, data, first))).version,
        ];
      }
      const bytes = checked.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
      assertFileBytes(`${checked.length} files`, bytes, MAX_FILE_BYTES);
      const versions = await guardFile('write', `${checked.length} files`, () =>
        commit(async () => {
          const batch: PlacedChange[] = [];
          await inSlices(checked, (change) => {
            const { key, content: data } = change;
            const place = store.placeNow(key);
            const version = place.stats?.isFile() ? versionOf(place.stats) : null;
            assertVersion(key, version, { ifVersion: change.ifVersion });
            batch.push({ key, ...place, data, changeTime: nextChangeTime() });
          });
          return journal.write(batch);
        }),
      );
      planCheckpoint();
      return versions;
    },

    async append(key, content, { durable = true } = {}) {
      assertOpen();
      assertNoDevice(key);
      const data = encodeContent(key, content);
      return guardFile('append to', key, () =>
        commit(async () => {
          const path = store.place(key);
          const stats = statOf(path);
          assertFileBytes(key, Number(stats?.size ?? 0) + data.length, MAX_FILE_BYTES);
          if (!stats?.isFile()) return placeFile(path, data);
          // A file with another name elsewhere is written as a new one, which leaves the other as it is.
          if (stats.nlink > 1n) return placeFile(path, Buffer.concat([readFileSync(path), data]));
          return { version: await appendTo(path, data, durable) };
        }),
      );
    },

    async delete(key, condition = {}) {
      assertOpen();
      return guardFile('delete', key, async () => {
        const path = store.place(key);
        const existed = await commit(async () => {
          assertVersion(key, currentVersion(path), condition);
          // A batch that is applied again after a loss of power must not bring the file back.
          await journal.checkpoint();
          return removeFile(path);
        });
        if (existed) await syncFolder(dirname(path));
        return existed;
      });
    },

    list(prefix) {
      assertOpen();
      return listFiles(root, prefix);
    },

    async lock(name, options) {
      assertOpen();
      return locks.lock(name, options);
    },

    async purge() {
      assertOpen();
      await guardFile('purge', own, () => commit(() => journal.wipe()));
      // Listing deletes what writers that died left next to their files.
      for await (const _ of listFiles(root, '')) assertOpen();
    },

    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the version of a file, `null` if there is none. */
function currentVersion(path: string): string | null {
  const stats = statOf(path);
  return stats?.isFile() ? versionOf(stats) : null;
}

/** Adds to a file that exists; the new version. */
async function appendTo(path: string, data: Uint8Array, isDurable: boolean): Promise<string> {
  const file = openSync(path, 'a');
  try {
    writeFileSync(file, data);
    const now = nextChangeTime();
    futimesSync(file, now, now);
    if (isDurable) await flush(file);
    return versionOf(fstatSync(file, { bigint: true }));
  } finally {
    closeSync(file);
  }
}

const readFile = promisify(readFileCallback);

/** A pipe instead of a file is opened without waiting for its other end. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Refuses a symbolic link; absent on Windows. */
const NO_LINK: number | undefined = constants.O_NOFOLLOW;

/** Maximum number of bytes that Node reads from a file at once. */
const MAX_READ_BYTES = 2 ** 31 - 1;

/** Small files are read synchronously: that is ten times as fast as by way of a thread. */
export async function readStored(
  root: string,
  key: string,
  { maxBytes = Infinity }: ReadOptions = {},
): Promise<StoredFile | null> {
  let file: number;
  try {
    file = openKey(root, key);
  } catch (error) {
    if (isMissing(error) || hasCode(error, 'EISDIR')) return null;
    throw error;
  }
  try {
    const stats = fstatSync(file, { bigint: true });
    if (!stats.isFile()) return null;
    const size = Number(stats.size);
    assertFileBytes(key, size, Math.min(maxBytes, MAX_READ_BYTES));
    const data = size <= SMALL_BYTES ? readSmall(file, size) : await readFile(file);
    return storedFile(key, data, versionOf(stats));
  } finally {
    closeSync(file);
  }
}

/** Opens the file of a key. The system refuses a link instead of a file, which is then looked at. */
function openKey(root: string, key: string): number {
  if (NO_LINK === undefined) return openSync(keyPath(root, key), READ);
  try {
    return openSync(readPath(root, key), READ | NO_LINK);
  } catch (error) {
    if (!hasCode(error, 'ELOOP', 'EMLINK')) throw error;
    return openSync(keyPath(root, key), READ);
  }
}

/** Reads as many bytes as the file had when its version was taken: what was appended since is of the next one. */
function readSmall(file: number, size: number): Buffer {
  const data = Buffer.allocUnsafe(size);
  for (let end = 0; end < size;) {
    const count = readSync(file, data, end, size - end, end);
    if (count === 0) return data.subarray(0, end);
    end += count;
  }
  return data;
}
