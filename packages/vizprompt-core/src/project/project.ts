import { StorageError, type FileStore, type Storage, type TypedEvents } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import type { VizPromptEvents } from '../events.ts';
import type { ProjectIndex } from '../index/project-index.ts';
import { refresh } from '../index/refresh.ts';
import type { ProjectConfig } from './config.ts';

/** What everything that works on a project is given. */
export interface ProjectParts {
  readonly storage: Storage;
  readonly index: ProjectIndex;
  readonly config: ProjectConfig;
  readonly events: TypedEvents<VizPromptEvents>;
  readonly clock: () => Date;
  readonly createId: () => string;
  readonly lockTimeoutMs: number;
}

/** The name of the lock that every write takes. */
const LOCK = 'vizprompt-project';

/** An open project: its parts, and the order in which they are written. */
export class Project {
  readonly files: FileStore;
  readonly index: ProjectIndex;
  readonly config: ProjectConfig;
  readonly events: TypedEvents<VizPromptEvents>;
  readonly clock: () => Date;
  readonly createId: () => string;
  readonly #lockTimeoutMs: number;
  /** A write failed half-way: the index may not know what the files hold. */
  #isDoubtful = false;
  #isClosed = false;

  constructor(parts: ProjectParts) {
    this.files = parts.storage.files;
    this.index = parts.index;
    this.config = parts.config;
    this.events = parts.events;
    this.clock = parts.clock;
    this.createId = parts.createId;
    this.#lockTimeoutMs = parts.lockTimeoutMs;
  }

  /** @throws VizPromptError with the code `closed`. */
  assertOpen(): void {
    if (this.#isClosed) throw new VizPromptError('closed', 'the project is closed');
  }

  close(): void {
    this.#isClosed = true;
  }

  /**
   * Runs `work` while nobody else writes to the project, in this process or another.
   *
   * @throws VizPromptError with the code `locked` if somebody else keeps it for too long.
   */
  async write<T>(work: () => Promise<T>): Promise<T> {
    this.assertOpen();
    const lock = await this.#lock();
    try {
      if (this.#isDoubtful) await refresh(this);
      this.#isDoubtful = true;
      const result = await work();
      this.#isDoubtful = false;
      return result;
    } catch (error) {
      if (VizPromptError.isInstance(error)) this.#isDoubtful = false;
      throw error;
    } finally {
      await lock.release();
    }
  }

  async #lock(): Promise<{ release(): Promise<void> }> {
    try {
      return await this.files.lock(LOCK, { timeoutMs: this.#lockTimeoutMs });
    } catch (error) {
      if (!StorageError.isInstance(error) || error.code !== 'lock-timeout') throw error;
      throw new VizPromptError(
        'locked',
        `another process has been writing to the project for more than ${this.#lockTimeoutMs} ms`,
        { cause: error },
      );
    }
  }
}
