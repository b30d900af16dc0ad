import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type FileStore, StorageError } from '@vizprompt/providers';

/** A caller that waits longer than this is notified. */
const PATIENCE_MS = 100;
/** The longest time that timers can wait. */
const LONGEST_MS = 2 ** 31 - 1;

/** Where the lock of a project is. */
export interface LockPlace {
  readonly project: string;
  /** The folder of its index. */
  readonly folder: string;
  /** Shared with other machines. Absent: the lock is in the folder. */
  readonly locks: Pick<FileStore, 'lock'> | undefined;
}

/**
 * Does work while no other caller, in this process or another, holds the lock of a project. When its
 * holder dies, it is free at once.
 *
 * @param onWait - Called if another caller holds it.
 */
export async function withProjectLock<T>(
  { project, folder, locks }: LockPlace,
  signal: AbortSignal,
  onWait: () => void,
  work: () => Promise<T>,
): Promise<T> {
  if (locks) {
    const name = createHash('sha256').update(project).digest('hex').slice(0, 32);
    return holding(locks, `rag-${name}`, signal, onWait, work);
  }
  // Opened each time, as another process may have deleted the folder with all that is in it.
  mkdirSync(folder, { recursive: true });
  const { localFileStore } = await import('@vizprompt/providers/node');
  const store = await localFileStore(folder);
  try {
    return await holding(store, 'project', signal, onWait, work);
  } finally {
    await store.close();
  }
}

async function holding<T>(
  store: Pick<FileStore, 'lock'>,
  name: string,
  signal: AbortSignal,
  onWait: () => void,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await store
    .lock(name, { timeoutMs: PATIENCE_MS, signal })
    .catch((error: unknown) => {
      if (!StorageError.isInstance(error) || error.code !== 'lock-timeout') throw error;
      onWait();
      return store.lock(name, { timeoutMs: LONGEST_MS, signal });
    });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
