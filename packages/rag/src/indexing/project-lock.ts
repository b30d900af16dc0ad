import { mkdirSync } from 'node:fs';
import { StorageError } from '@vizprompt/providers';

/** Whoever waits longer than this is told so. */
const PATIENCE_MS = 100;
/** The longest time that timers can wait. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Does work while nobody else, in this process or another, holds the lock of a project. When its
 * holder dies, it is free at once.
 *
 * @param onWait - Called if somebody else holds it.
 */
export async function withProjectLock<T>(
  folder: string,
  signal: AbortSignal,
  onWait: () => void,
  work: () => Promise<T>,
): Promise<T> {
  // Opened anew each time: somebody may have deleted the folder with all that is in it.
  mkdirSync(folder, { recursive: true });
  const { localFileStore } = await import('@vizprompt/providers/node');
  const store = await localFileStore(folder);
  try {
    const lock = await store
      .lock('project', { timeoutMs: PATIENCE_MS, signal })
      .catch((error: unknown) => {
        if (!StorageError.isInstance(error) || error.code !== 'lock-timeout') throw error;
        onWait();
        return store.lock('project', { timeoutMs: LONGEST_MS, signal });
      });
    try {
      return await work();
    } finally {
      await lock.release();
    }
  } finally {
    await store.close();
  }
}
