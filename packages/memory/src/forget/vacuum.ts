import { setTimeout as sleep } from 'node:timers/promises';
import { StorageError } from '@vizprompt/providers';
import type { MemoryContext } from '../store/memory-context.ts';

/** How long readers of other processes are waited for. */
const TIMEOUT_MS = 10_000;

const TABLES = ['memory_sessions', 'memory_events', 'memory_blobs', 'memory_workspaces'];

/**
 * Writes the database anew without what was deleted, forgotten or replaced: nothing of it is left in the
 * file, its free pages or its write-ahead log.
 */
export async function vacuum({ database, index }: MemoryContext): Promise<void> {
  await index.optimize();
  if (database.dialect === 'postgres') {
    for (const table of TABLES) await database.execute(`VACUUM FULL ${table}`);
    return;
  }
  await database.execute('VACUUM');
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const [row] = await database.query<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)');
    if (row?.busy !== 1) return;
    if (performance.now() > deadline) {
      throw new StorageError(
        'busy',
        `the write-ahead log still holds old content: another process has been reading for more than ` +
          `${TIMEOUT_MS} ms`,
      );
    }
    await sleep(25);
  }
}
