import { existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RESERVED_SEGMENT } from '../storage/file-key.ts';
import { assertVersion, checkChanges } from '../storage/file-changes.ts';
import type { FileStore } from '../storage/file-store.ts';
import { StorageError } from '../storage/storage-error.ts';
import { decodeText, encodeContent } from '../storage/text.ts';
import { lockFolder } from '../sqlite/sqlite-lock.ts';
import {
  applyBatch,
  commitBatch,
  journalNames,
  prepareBatch,
  recoverBatches,
  type BatchChange,
} from './batch-journal.ts';
import {
  inParallel,
  makeFolder,
  removeFile,
  renameOver,
  syncFolder,
  writeTemp,
} from './durable.ts';
import { guardFile, isMissing } from './file-error.ts';
import { nextChangeTime, versionOf } from './file-version.ts';
import { keyPath } from './key-paths.ts';
import { listFiles } from './list-files.ts';

/** A {@link FileStore} that is closed on its own. */
export interface ClosableFileStore extends FileStore {
  close(): Promise<void>;
}

/**
 * Files in a folder. What the store needs for itself lies in `.vizprompt/` there, which git
 * ignores.
 *
 * @param folder - Made when missing. Batches that a crash left unfinished are finished first.
 */
export async function localFileStore(folder: string): Promise<ClosableFileStore> {
  const root = await guardFile('open', folder, async () => {
    mkdirSync(folder, { recursive: true });
    return realpathSync.native(folder);
  });
  const own = await guardFile('open', folder, () => ownFolder(root));
  const batches = join(own, 'batches');
  const locks = lockFolder(join(own, 'locks'));
  const commits = lockFolder(own);
  let closed = false;

  /** Runs `work` while no other process changes a file of this store. */
  async function commit<T>(work: () => Promise<T>): Promise<T> {
    assertOpen();
    const lock = await commits.lock('commit');
    try {
      if (journalNames(batches).length > 0) await recoverBatches(root, batches);
      return await work();
    } finally {
      await lock.release();
    }
  }

  function assertOpen(): void {
    if (closed) throw new StorageError('closed', `the file store ${root} is closed`);
  }

  async function alter(key: string, action: string, work: () => Promise<void>): Promise<void> {
    await guardFile(action, key, () => commit(work));
    await guardFile(action, key, () => syncFolder(dirname(keyPath(root, key))));
  }

  if (journalNames(batches).length > 0) await commit(async () => undefined);

  return {
    specVersion: 1,

    async read(key) {
      assertOpen();
      return guardFile('read', key, async () => {
        try {
          const file = await open(keyPath(root, key), 'r');
          try {
            const version = versionOf(await file.stat({ bigint: true }));
            const data = await file.readFile();
            return {
              data,
              version,
              get text() {
                return decodeText(key, data);
              },
            };
          } finally {
            await file.close();
          }
        } catch (error) {
          if (isMissing(error)) return null;
          throw error;
        }
      });
    },

    async write(key, content, condition = {}) {
      assertOpen();
      const data = encodeContent(key, content);
      const path = keyPath(root, key);
      const temp = await guardFile('write', key, () =>
        writeTemp(dirname(path), data, { sync: true }),
      );
      try {
        await alter(key, 'write', async () => {
          assertVersion(key, currentVersion(path), condition);
          await renameOver(temp.path, path);
        });
      } catch (error) {
        await removeFile(temp.path);
        throw error;
      }
      return { version: temp.version };
    },

    async writeMany(changes) {
      assertOpen();
      const checked = checkChanges(changes);
      if (checked.length === 0) return [];
      return guardFile('write', `${changes.length} files`, async () => {
        const batch = checked.map(({ key, content }): BatchChange => {
          return { key, data: content, changeTime: nextChangeTime() };
        });
        const pending = await prepareBatch(batches, batch);
        return commit(async () => {
          try {
            await inParallel(checked, async (change) => {
              assertVersion(change.key, currentVersion(keyPath(root, change.key)), change);
            });
          } catch (error) {
            await removeFile(pending);
            throw error;
          }
          return applyBatch(root, await commitBatch(batches, pending), batch);
        });
      });
    },

    async append(key, content) {
      assertOpen();
      const data = encodeContent(key, content);
      let version = '';
      await alter(key, 'append to', async () => {
        const path = keyPath(root, key);
        await makeFolder(dirname(path));
        const file = await open(path, 'a');
        try {
          await file.appendFile(data);
          await file.datasync();
          version = versionOf(await file.stat({ bigint: true }));
        } finally {
          await file.close();
        }
      });
      return { version };
    },

    async delete(key, condition = {}) {
      assertOpen();
      const path = keyPath(root, key);
      if (!statSync(dirname(path), { throwIfNoEntry: false })) {
        assertVersion(key, currentVersion(path), condition);
        return false;
      }
      let existed = false;
      await alter(key, 'delete', async () => {
        assertVersion(key, currentVersion(path), condition);
        existed = await removeFile(path);
      });
      return existed;
    },

    async *list(prefix) {
      assertOpen();
      yield* listFiles(root, prefix);
    },

    async lock(name, options) {
      assertOpen();
      return locks.lock(name, options);
    },

    async close() {
      closed = true;
      await locks.close();
      await commits.close();
    },
  };
}

/** The folder that belongs to the store itself; git is told to leave it alone. */
async function ownFolder(root: string): Promise<string> {
  const own = join(root, RESERVED_SEGMENT);
  await makeFolder(own);
  const ignore = join(own, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  return own;
}

/** The version of a file, `null` if there is none. */
function currentVersion(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() ? versionOf(stats) : null;
}
