import type { FileChange, FileStore, Storage, TypedEvents } from '@vizprompt/providers';
import { type ProjectProblem, VizPromptError } from '../errors.ts';
import type { VizPromptEvents } from '../events.ts';
import type { ProjectIndex } from '../index/project-index.ts';
import { refresh } from '../index/refresh.ts';
import type { ProjectLimits } from '../limits.ts';
import type { ProjectConfig } from './config.ts';
import { KnownVersions } from './known-versions.ts';
import { type ProjectLock, readOnlyError } from './project-lock.ts';

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
  readonly selfWrites: SelfWriteTracker = new SelfWriteTracker();
  /** What came with the folder and was set aside. */
  readonly setAside: ProjectProblem[] = [];
  /** Operations in progress, each as the function that ends it before the project is closed. */
  readonly pendingOperations: Set<() => Promise<unknown>> = new Set();
  readonly #lock: ProjectLock;
  /** A write failed half-way: the index may not know what the files hold. */
  #needsRefresh = false;
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

  /** Lists what is wrong with the files of the project, as they were when they were read. */
  async problems(): Promise<readonly ProjectProblem[]> {
    this.assertOpen();
    const { nodes, flows } = this.index;
    return [
      ...this.setAside,
      ...(await nodes.problems()),
      ...(await flows.problems()),
      ...(await flows.contradictions()),
    ];
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
    const end = this.selfWrites.begin();
    try {
      if (this.#needsRefresh) await refresh(this);
      this.#needsRefresh = true;
      const result = await work();
      this.#needsRefresh = false;
      return result;
    } catch (error) {
      if (VizPromptError.isInstance(error)) this.#needsRefresh = false;
      throw error;
    } finally {
      end();
      await lock.release();
    }
  }
}

/** Files that this process wrote, by their names: the version, or `null` if the file is gone. */
export type Ledger = Map<string, string | null>;

/** What this process itself writes, so that nobody takes it for the work of others. */
export class SelfWriteTracker {
  readonly #ledgers = new Set<Ledger>();
  #begun = 0;
  #ended = 0;

  /** How many writes have begun so far. */
  get begun(): number {
    return this.#begun;
  }

  get isUnderWay(): boolean {
    return this.#begun > this.#ended;
  }

  /** A write begins; what it gives back ends it. */
  begin(): () => void {
    this.#begun++;
    return () => void this.#ended++;
  }

  /** Notes what was written in every ledger that is kept. */
  note(changes: readonly Pick<FileChange, 'key'>[], versions: readonly (string | null)[]): void {
    for (const ledger of this.#ledgers) {
      for (const [at, { key }] of changes.entries()) ledger.set(key, versions[at] ?? null);
    }
  }

  /** Keeps a ledger from now on. */
  keep(): Ledger {
    const ledger: Ledger = new Map();
    this.#ledgers.add(ledger);
    return ledger;
  }

  drop(ledger: Ledger): void {
    this.#ledgers.delete(ledger);
  }
}
