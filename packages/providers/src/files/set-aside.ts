import { randomBytes } from 'node:crypto';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { guardFile, isMissing } from '../storage/file-error.ts';
import { type FileChange, RESERVED_SEGMENT } from '../storage/file-store.ts';
import { StorageError } from '../storage/storage-error.ts';
import { makeFolder, placeFile, removeFile } from './durable.ts';
import { type JournalSeal, lastOfEach, NO_SEAL, readJournal } from './journal-file.ts';
import { isOwnFolderSound } from './own-folder.ts';

/** Where batches go that were not finished, next to the journal. */
const SET_ASIDE = 'set-aside';
const FILE_NAME = /^batch-[0-9a-f]{12}\.journal$/;
const FILE_PATH = /^\.vizprompt\/set-aside\/batch-[0-9a-f]{12}\.journal$/;

/** Batches that were not finished, because it is not proved that this user wrote them on this machine. */
export interface SetAsideBatch {
  /** The file in the store's folder that holds them now, such as `.vizprompt/set-aside/batch-1f….journal`. */
  readonly path: string;
  /** The files that they would have changed; empty if that cannot be read. */
  readonly keys: readonly string[];
}

/**
 * Stores the bytes of batches next to the journal, durably.
 *
 * @param own - The store's own folder.
 * @returns The path of the file in the store's folder.
 */
export async function setAside(own: string, batches: Buffer): Promise<string> {
  const folder = join(own, SET_ASIDE);
  await makeFolder(folder);
  const name = `batch-${randomBytes(6).toString('hex')}.journal`;
  await placeFile(join(folder, name), batches);
  return `${basename(own)}/${SET_ASIDE}/${name}`;
}

/**
 * Deletes what is set aside of this user: batches with the seal, and what earlier versions kept after the last batch.
 * Batches without the seal may be the only copy of what another user wrote, and stay.
 */
export async function trimSetAside(own: string, seal: JournalSeal): Promise<void> {
  for (const path of filesIn(own)) {
    const { foreign, rest } = readJournal(path, seal);
    if (foreign === undefined) await removeFile(path);
    else if (rest.length < statSync(path).size) await placeFile(path, rest);
  }
}

/** Counts the files of batches that are set aside in the folder of a store; 0 if it has none. */
export function countSetAside(folder: string): number {
  return filesIn(join(folder, RESERVED_SEGMENT)).length;
}

function filesIn(own: string): string[] {
  const folder = join(own, SET_ASIDE);
  try {
    const names = readdirSync(folder).filter((name) => FILE_NAME.test(name));
    return names.map((name) => join(folder, name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

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
  if (!FILE_PATH.test(path) || !isOwnFolderSound(join(root, RESERVED_SEGMENT))) {
    const message = `${JSON.stringify(path)}: expected .vizprompt/set-aside/batch-ID.journal`;
    throw new StorageError('invalid-key', message, { context: { path } });
  }
  const { foreign = [] } = await guardFile('read', path, async () =>
    readJournal(join(root, path), NO_SEAL),
  );
  if (foreign === 'unreadable' || foreign.length === 0) {
    throw new StorageError('corrupt', `cannot read ${path}: it holds no batch`, {
      context: { path },
    });
  }
  return lastOfEach(foreign).map(({ key, data }) => ({ key, content: data }));
}
