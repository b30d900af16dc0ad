import { StorageError } from '@vizprompt/providers';
import type { MemoryContext } from '../store/memory-context.ts';

/**
 * Leaves no byte of what was deleted, forgotten or replaced: in the database, its text index, its free pages, its
 * write-ahead log and backups of migrations, and in vectors. The files that hooks keep: see `cleanHookFiles`.
 *
 * @throws StorageError `busy` if another process reads all the time.
 */
export async function purge({
  database,
  vectors,
}: Pick<MemoryContext, 'database' | 'vectors'>): Promise<void> {
  if (!database.purge) {
    throw new StorageError(
      'unsupported',
      "cannot purge the database of the memory: no method 'purge'. What was deleted is deleted, but its bytes may remain",
    );
  }
  await database.purge();
  await vectors?.purge();
}
