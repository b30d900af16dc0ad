import {
  testDatabase,
  testFileStore,
  testStorage,
  testTextIndex,
} from '@vizprompt/providers/testing';
import { describe, it } from 'vitest';
import type { StorageSubject } from './subjects.ts';

const runner = { describe, it };

/**
 * Declares the tests of all contracts of a storage.
 *
 * @param open - Opens the storage of most tests.
 * @param openNew - Opens a storage for a test that closes it. Default: `open`.
 */
export function declareStorageSuites(
  name: string,
  open: () => Promise<StorageSubject>,
  openNew: () => Promise<StorageSubject> = open,
): void {
  testStorage({
    name,
    runner,
    open: async () => {
      const { storage, close } = await openNew();
      return { subject: storage, close };
    },
  });

  testFileStore({
    name,
    runner,
    open: async () => {
      const { storage, reopen, close } = await open();
      const another = async (): Promise<typeof storage.files> => (await reopen()).files;
      return { subject: { files: storage.files, another }, close };
    },
  });

  testDatabase({
    name,
    runner,
    open: async () => {
      const { storage, close } = await open();
      return { subject: storage.database, close };
    },
  });

  testTextIndex({
    name,
    runner,
    open: async () => {
      const { storage, close } = await open();
      return { subject: storage.cache, close };
    },
  });
}
