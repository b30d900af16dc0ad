import type { FileStore, Storage, TypedEvents } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import type { ProjectProblem, VizPromptEvents } from '../events.ts';
import type { ProjectIndex } from '../index/project-index.ts';
import { refresh } from '../index/refresh.ts';
import type { ProjectLimits } from '../limits.ts';
import type { ProjectConfig } from './config.ts';
import { KnownVersions } from './known-versions.ts';
import { OwnWrites } from './own-writes.ts';
import { readOnlyError, type ProjectLock } from './project-lock.ts';

/** What everything that works on a project is given. */
export interface ProjectParts {
  readonly storage: Storage;
  readonly index: ProjectIndex;
  readonly config: ProjectConfig;
  readonly events: TypedEvents<VizPromptEvents>;
  readonly clock: () => Date;
  readonly createId: () => string;
  readonly lock: ProjectLock;
  readonly isReadOnly: boolean;
  /** How many edits can be undone. */
  readonly undoSteps: number;
  readonly limits: ProjectLimits;
}

/** An open project: its parts, and the order in which they are written. */
export class Project {
  readonly storage: Storage;
  readonly files: FileStore;
  readonly index: ProjectIndex;
  readonly config: ProjectConfig;
  readonly events: TypedEvents<VizPromptEvents>;
  readonly clock: () => Date;
  readonly createId: () => string;
  readonly isReadOnly: boolean;
  readonly undoSteps: number;
  readonly limits: ProjectLimits;
  /** What this process last saw of flows and nodes. */
  readonly known: KnownVersions = new KnownVersions();
  /** Who watches the project must know what is not the work of others. */
  readonly ownWrites: OwnWrites = new OwnWrites();
  /** What came with the folder and was set aside. */
  readonly setAside: ProjectProblem[] = [];
  /** What is on its way, each as what ends it before the project is closed. */
  readonly underWay: Set<() => Promise<unknown>> = new Set();
  readonly #lock: ProjectLock;
  /** A write failed half-way: the index may not know what the files hold. */
  #isDoubtful = false;
  #isClosed = false;

  constructor(parts: ProjectParts) {
    this.storage = parts.storage;
    this.files = parts.storage.files;
    this.index = parts.index;
    this.config = parts.config;
    this.events = parts.events;
    this.clock = parts.clock;
    this.createId = parts.createId;
    this.isReadOnly = parts.isReadOnly;
    this.undoSteps = parts.undoSteps;
    this.limits = parts.limits;
    this.#lock = parts.lock;
  }

  /** Reports what came with the folder and was set aside. */
  noteSetAside(problem: ProjectProblem): void {
    this.setAside.push(problem);
    this.events.emit('problem:found', problem);
  }

  /** @throws VizPromptError with the code `closed`. */
  assertOpen(): void {
    if (this.#isClosed) throw new VizPromptError('closed', 'the project is closed');
  }

  /** @throws VizPromptError with the code `read-only` or `closed`. */
  assertWritable(): void {
    this.assertOpen();
    if (this.isReadOnly) throw readOnlyError();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#lock.close();
  }

  /**
   * Runs `work` while nobody else writes to the project, in this process or another.
   *
   * @throws VizPromptError with the code `locked` if somebody else keeps it for too long, or
   * `read-only`.
   */
  async write<T>(work: () => Promise<T>): Promise<T> {
    this.assertWritable();
    const lock = await this.#lock.take();
    const end = this.ownWrites.begin();
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
      end();
      await lock.release();
    }
  }
}
