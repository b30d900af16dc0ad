import { statSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError, type HeldLock, type LockOptions } from '@vizprompt/providers';
import type { ClosableFileStore } from '@vizprompt/providers/node';
import { IndexingError, RagError } from '../../errors.ts';
import type { IndexFolder } from './index-folder.ts';

/** The files of an index, which one writes at a time and which begin again where they are damaged. */
export class LockedIndex {
  readonly folder: IndexFolder;
  readonly #title: string;
  readonly #lockTimeoutMs: number;
  readonly #locks: IndexLocks;

  /** @param title - Names the index, for the error about the wait. */
  constructor(folder: IndexFolder, title: string, lockTimeoutMs: number) {
    this.folder = folder;
    this.#title = title;
    this.#lockTimeoutMs = lockTimeoutMs;
    this.#locks = new IndexLocks(folder.path);
  }

  /** Does what reads the index; if it meets damage, the index begins again and the call fails. */
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

/** How often the files of the locks may be deleted while one of them is waited for. */
const ATTEMPTS = 5;

/**
 * The locks of an index. Their code is loaded with the first one: a process that only searches
 * needs none.
 */
class IndexLocks {
  readonly #folder: string;
  /** Which files the locks were when they were taken first, by their names. */
  readonly #files = new Map<string, string>();
  #isClosed = false;
  #store: Promise<ClosableFileStore> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws StorageError with the code `lock-timeout`. */
  async lock(name: string, options: LockOptions): Promise<HeldLock> {
    for (let attempt = 1; ; attempt++) {
      const store = await this.#open();
      try {
        const held = await store.lock(name, options);
        if (this.#isThere(name)) return held;
        await held.release();
      } catch (error) {
        if (attempt === ATTEMPTS || !isGone(error)) throw error;
      }
      await this.#forget(store);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const store = await this.#store;
    if (store) await this.#forget(store);
  }

  /**
   * Checks whether the file that was locked is the one that others lock: the folder of the index may have been deleted,
   * and the files of the locks with it.
   */
  #isThere(name: string): boolean {
    const path = join(this.#folder, '.vizprompt', 'locks', `${name}.lock`);
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    // File systems use numbers again.
    const file = stat ? `${stat.ino}-${stat.birthtimeNs}` : '';
    const known = this.#files.get(name) ?? file;
    this.#files.set(name, known);
    return known === file;
  }

  async #forget(store: ClosableFileStore): Promise<void> {
    // Another task may have done so already.
    if ((await this.#store) !== store) return;
    this.#store = undefined;
    this.#files.clear();
    await store.close();
  }

  #open(): Promise<ClosableFileStore> {
    if (this.#isClosed) throw new RagError('closed', `the index in ${this.#folder} is closed`);
    this.#store ??= openStore(this.#folder);
    return this.#store;
  }
}

function isGone(error: unknown): boolean {
  return StorageError.isInstance(error) && (error.code === 'io' || error.code === 'closed');
}

async function openStore(folder: string): Promise<ClosableFileStore> {
  const { localFileStore } = await import('@vizprompt/providers/node');
  return localFileStore(folder);
}
