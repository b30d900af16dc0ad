import type { FileStore, Storage } from '@vizprompt/providers';
import { readOnlyError } from './project-lock.ts';

/**
 * A storage that shows files and lets nobody write: the index is made in memory, from the files, so
 * that not even a cache changes.
 */
export async function readOnlyStorage(files: Pick<FileStore, 'read' | 'list'>): Promise<Storage> {
  const { sqliteDatabase } = await import('@vizprompt/providers/node');
  const cache = sqliteDatabase({ path: ':memory:' });
  const refuse = async (): Promise<never> => {
    throw readOnlyError();
  };
  const close = (): Promise<void> => cache.close();
  return {
    specVersion: 1,
    files: {
      specVersion: 1,
      read: (key, options) => files.read(key, options),
      list: (prefix) => files.list(prefix),
      write: refuse,
      writeMany: refuse,
      append: refuse,
      delete: refuse,
      // Whoever writes nothing is in nobody's way.
      lock: async () => ({ lost: new AbortController().signal, release: async () => {} }),
    },
    database: cache,
    cache,
    close,
    [Symbol.asyncDispose]: close,
  };
}
