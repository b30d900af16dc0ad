import { StorageError } from '@vizprompt/providers';
import { sweepAllBlobs } from '../store/blobs.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { NO_DATA, UNCLEARED } from '../store/stored-data.ts';

/**
 * Leaves no byte of what was deleted, forgotten or replaced: in the database, its text index, its free pages, its
 * write-ahead log and backups of migrations, in vectors, and in contents that a killed process has left. The files
 * of hooks have functions of their own, in `hook-files.ts`.
 *
 * @throws StorageError `busy` if another process reads all the time.
 */
export async function purge(
  context: Pick<MemoryContext, 'database' | 'tenant' | 'vectors'>,
): Promise<void> {
  const { database, vectors } = context;
  if (!database.purge) {
    throw new StorageError(
      'unsupported',
      "cannot purge the database of the memory: no method 'purge'. The data is deleted, but its bytes may remain",
    );
  }
  await database.execute(`UPDATE memory_events SET ${NO_DATA} WHERE ${UNCLEARED}`);
  await sweepAllBlobs(context);
  await database.purge();
  await vectors?.purge();
}
