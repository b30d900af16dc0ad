import { createHmac } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { RESERVED_SEGMENT } from '../storage/file-key.ts';
import type { FileChange } from '../storage/file-store.ts';
import { StorageError } from '../storage/storage-error.ts';
import { lastOfEach } from './batch-journal.ts';
import { guardFile } from '../storage/file-error.ts';
import { readJournal } from './journal-file.ts';
import { isOwnFolderSound } from './own-folder.ts';

const NAME = /^\.vizprompt\/set-aside\/batch-[0-9a-f]{12}\.journal$/;

/**
 * Reads the batches that a store set aside, for a user who knows that they are theirs; the last change of
 * each file counts.
 *
 * @param folder - The folder of the store.
 * @param path - Such as `.vizprompt/set-aside/batch-1f….journal`.
 * @throws StorageError with the code `invalid-key` for another path, `corrupt` for one that cannot be read.
 */
export async function readSetAside(folder: string, path: string): Promise<readonly FileChange[]> {
  const root = await guardFile('open', folder, async () => realpathSync.native(folder));
  if (!NAME.test(path) || !isOwnFolderSound(join(root, RESERVED_SEGMENT))) {
    const message = `${JSON.stringify(path)}: expected .vizprompt/set-aside/batch-ID.journal`;
    throw new StorageError('invalid-key', message, { context: { path } });
  }
  const { foreign = [] } = await guardFile('read', path, async () =>
    // Their owner does not matter here.
    readJournal(join(root, path), () => createHmac('sha256', '')),
  );
  if (foreign === 'unreadable' || foreign.length === 0) {
    throw new StorageError('corrupt', `cannot read ${path}: it holds no batch`, {
      context: { path },
    });
  }
  return lastOfEach(foreign).map(({ key, data }) => ({ key, content: data }));
}
