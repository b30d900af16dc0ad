import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type HeldLock, type LockOptions, StorageError } from '@vizprompt/providers';
import type { ClosableFileStore } from '@vizprompt/providers/node';
import { RagError } from '../../errors.ts';

/** How often the files of the locks may be deleted while one of them is waited for. */
const ATTEMPTS = 5;

/**
 * The locks of an index. Their code is loaded with the first one: a process that only searches
 * needs none.
 */
export class IndexLocks {
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
