import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { assertLockName, NEVER } from '../concurrency/mutex.ts';
import { assertKey, RESERVED_SEGMENT, storedFile } from '../storage/file-store.ts';
import { StorageError } from '../storage/storage-error.ts';
import { journalKey } from './journal-key.ts';
import { isUnfinished } from './batch-journal.ts';
import { assertFileBytes, guardFile } from '../storage/file-error.ts';
import {
  type BatchChange,
  firstPreamble,
  journalSeal,
  type JournalSeal,
  lastOfEach,
  readJournal,
} from './journal-file.ts';
import { keyPath } from './key-paths.ts';
import { listFiles } from './list-files.ts';
import { type ClosableFileStore, readStored } from './local-file-store.ts';
import { isOwnFolderSound } from './own-folder.ts';
import { statOf } from './durable.ts';

/**
 * Files in a folder, to be read only: nothing is written there, not even what the store needs for
 * itself, so the folder may be one that cannot be written. A batch that is durable and not finished,
 * because its writer died, is seen as if it were, if this user wrote it on this machine. There are no locks, as nothing is written.
 *
 * @throws StorageError with the code `io` if there is no such folder.
 */
export async function readOnlyFileStore(folder: string): Promise<ClosableFileStore> {
  const root = await guardFile('open', folder, async () => realpathSync.native(folder));
  const seal = journalSeal(await journalKey(root), root);
  const own = join(root, RESERVED_SEGMENT);
  const batches = isOwnFolderSound(own) ? journalReader(join(own, 'batch.journal'), seal) : NONE;
  let isClosed = false;

  function assertOpen(): void {
    if (isClosed) throw new StorageError('closed', `the file store ${root} is closed`);
  }

  function unfinished(key: string, change?: BatchChange): BatchChange | undefined {
    return change && isUnfinished(keyPath(root, key), change) ? change : undefined;
  }

  async function close(): Promise<void> {
    isClosed = true;
  }

  async function refuse(): Promise<never> {
    assertOpen();
    throw new StorageError('unsupported', `the file store ${root} was opened to be read only`);
  }

  return {
    specVersion: 1,

    async read(key, options) {
      assertOpen();
      assertKey(key);
      return guardFile('read', key, async () => {
        const change = unfinished(key, batches().get(key));
        if (!change) return readStored(root, key, options);
        const { data } = change;
        if (data === null) return null;
        const { maxBytes = Infinity } = options ?? {};
        assertFileBytes(key, data.length, maxBytes);
        return storedFile(key, data, versionOfChange(change));
      });
    },

    async *list(prefix) {
      assertOpen();
      const open = [...batches()].filter(([key, change]) => unfinished(key, change));
      const changes = new Map(open);
      for await (const entry of listFiles(root, prefix, { sweep: false })) {
        if (!changes.has(entry.key)) yield entry;
      }
      for (const [key, change] of changes) {
        if (change.data === null || !key.startsWith(prefix)) continue;
        yield { key, size: change.data.length, version: versionOfChange(change) };
      }
    },

    write: refuse,
    writeMany: refuse,
    append: refuse,
    delete: refuse,

    async lock(name) {
      assertOpen();
      assertLockName(name);
      return { lost: NEVER, release: async () => {} };
    },

    close,
    [Symbol.asyncDispose]: close,
  };
}

const NO_CHANGES: ReadonlyMap<string, BatchChange> = new Map();
const NONE = (): ReadonlyMap<string, BatchChange> => NO_CHANGES;

/**
 * Returns the changes of durable batches by their keys, read again when the journal has changed. Most of them
 * have reached their files.
 */
function journalReader(journal: string, seal: JournalSeal): () => ReadonlyMap<string, BatchChange> {
  let known = '';
  let changes = NONE();
  return () => {
    const first = firstPreamble(journal);
    if (!first) return NONE();
    const mark = `${first.toString('hex')} ${statOf(journal)?.mtimeNs}`;
    if (mark === known) return changes;
    changes = new Map(
      lastOfEach(readJournal(journal, seal).own).map((change) => [change.key, change]),
    );
    known = mark;
    return changes;
  };
}

function versionOfChange({ changeTime, data }: BatchChange): string {
  return `journal-${changeTime}-${data?.length ?? 0}`;
}
