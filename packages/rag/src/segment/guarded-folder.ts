import { StorageError, type HeldLock, type LockOptions } from '@vizprompt/providers';
import { IndexingError } from '../errors.ts';
import type { IndexFolder } from './index-folder.ts';
import { IndexLocks } from './index-locks.ts';

/** The files of an index, which one writes at a time and which begin anew where they are damaged. */
export class GuardedFolder {
  readonly folder: IndexFolder;
  readonly #title: string;
  readonly #lockTimeoutMs: number;
  readonly #locks: IndexLocks;

  /** @param title - What the index is, for the error that says who is waited for. */
  constructor(folder: IndexFolder, title: string, lockTimeoutMs: number) {
    this.folder = folder;
    this.#title = title;
    this.#lockTimeoutMs = lockTimeoutMs;
    this.#locks = new IndexLocks(folder.path);
  }

  /** Does what reads the index; if it meets damage, the segment is left out and the call fails. */
  async checked<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (IndexingError.isInstance(error) && error.code === 'index-corrupt') {
        const { path } = error.context;
        const isOne = typeof path === 'string' && this.folder.leaveOut(path, error.message);
        if (!isOne) this.folder.discard(error.message);
      }
      throw error;
    }
  }

  /**
   * Does what writes the index, on the newest state of it.
   *
   * @throws IndexingError with the code `index-locked`.
   */
  async exclusively<T>(work: () => T): Promise<T> {
    const lock = await this.lock('index', { timeoutMs: this.#lockTimeoutMs });
    try {
      this.folder.refreshToWrite();
      return await this.checked(work);
    } finally {
      await lock.release();
    }
  }

  /** @throws IndexingError with the code `index-locked`. */
  async lock(name: string, options: LockOptions): Promise<HeldLock> {
    try {
      return await this.#locks.lock(name, options);
    } catch (error) {
      if (!StorageError.isInstance(error) || error.code !== 'lock-timeout') throw error;
      throw new IndexingError(
        `another process has been writing to ${this.#title} for more than ${options.timeoutMs} ms`,
        { cause: error },
        'index-locked',
      );
    }
  }

  async close(): Promise<void> {
    this.folder.close();
    await this.#locks.close();
  }
}
