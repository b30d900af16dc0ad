import { StorageError, type HeldLock, type LockOptions } from '@vizprompt/providers';
import type { ClosableFileStore } from '@vizprompt/providers/node';

/**
 * The locks of an index. What they need is loaded with the first one: a process that only searches
 * needs none.
 */
export class IndexLocks {
  readonly #folder: string;
  #store: Promise<ClosableFileStore> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws StorageError with the code `lock-timeout`. */
  async lock(name: string, options: LockOptions): Promise<HeldLock> {
    try {
      return await (await this.#open()).lock(name, options);
    } catch (error) {
      if (!StorageError.isInstance(error) || error.code !== 'io') throw error;
      // Somebody deleted the folder of the index, and the files of the locks with it.
      await this.close();
      return (await this.#open()).lock(name, options);
    }
  }

  async close(): Promise<void> {
    const store = this.#store;
    this.#store = undefined;
    await (await store)?.close();
  }

  #open(): Promise<ClosableFileStore> {
    this.#store ??= openStore(this.#folder);
    return this.#store;
  }
}

async function openStore(folder: string): Promise<ClosableFileStore> {
  const { localFileStore } = await import('@vizprompt/providers/node');
  return localFileStore(folder);
}
