import { hostname } from 'node:os';
import { crc32 } from 'node:zlib';
import {
  createId,
  type FileChange,
  type FileStore,
  type HeldLock,
  type Storage,
  StorageError,
  type TypedEvents,
} from '@vizprompt/providers';
import { isJsonObject, LruMap } from '@vizprompt/providers/internal';
import { type ProjectProblem, VizPromptError } from '../errors.ts';
import type { VizPromptEvents } from '../events.ts';
import type { Flow, StoredFlow } from '../flow/flow.ts';
import { formatTime } from '../format/ids-and-times.ts';
import type { ProjectIndex } from '../index/project-index.ts';
import { refresh } from '../index/refresh.ts';
import type { ProjectLimits } from '../limits.ts';
import type { StoredNode } from '../node/node.ts';
import type { ProjectConfig } from './config.ts';

/** The parts that a project is opened with. */
export interface ProjectParts {
  readonly storage: Storage;
  readonly index: ProjectIndex;
  readonly config: ProjectConfig;
  readonly events: TypedEvents<VizPromptEvents>;
  readonly clock: () => Date;
  /** Default: UUIDs of version 7. */
  readonly createId?: (() => string) | undefined;
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
  /** The flows and nodes as this process last saw them. */
  readonly known: KnownVersions = new KnownVersions();
  /** The writes of this process, which a watch must not report as those of others. */
  readonly selfWrites: SelfWriteTracker = new SelfWriteTracker();
  /** Unfinished batches that came with the folder and were set aside. */
  readonly setAside: ProjectProblem[] = [];
  /** Operations in progress, each as the function that ends it before the project is closed. */
  readonly pendingOperations: Set<() => Promise<unknown>> = new Set();
  readonly #lock: ProjectLock;
  /** A write failed half-way: the index may differ from the files. */
  #needsRefresh = false;
  #isClosed = false;

  constructor(parts: ProjectParts) {
    this.storage = parts.storage;
    this.files = parts.storage.files;
    this.index = parts.index;
    this.config = parts.config;
    this.events = parts.events;
    this.clock = parts.clock;
    this.createId = parts.createId ?? (() => createId(this.clock().getTime()));
    this.isReadOnly = parts.isReadOnly;
    this.undoSteps = parts.undoSteps;
    this.limits = parts.limits;
    this.#lock = parts.lock;
  }

  /** Reports an unfinished batch that was set aside. */
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

  /**
   * Begins a call as soon as the module that it needs is loaded. A project that is being closed waits for the beginning,
   * as for that of a call whose module was there.
   *
   * @throws VizPromptError with the code `closed`.
   */
  async begin<M, T>(loading: Promise<M>, call: (module: M) => Promise<T>): Promise<T> {
    this.assertOpen();
    const begun = loading.then((module) => {
      this.assertOpen();
      return { result: call(module) };
    });
    const end = (): Promise<unknown> => begun.catch(() => undefined);
    this.pendingOperations.add(end);
    try {
      return await (
        await begun
      ).result;
    } finally {
      this.pendingOperations.delete(end);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#lock.close();
  }

  /**
   * Runs `work` while no other call writes to the project, in this process or another.
   *
   * @throws VizPromptError with the code `locked` if another process holds it for too long, or
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

/** Tracks the writes of this process, so that a watch distinguishes them from the writes of others. */
export class SelfWriteTracker {
  readonly #ledgers = new Set<Ledger>();
  #begun = 0;
  #ended = 0;

  /** How many writes have begun so far. */
  get begun(): number {
    return this.#begun;
  }

  get isPending(): boolean {
    return this.#begun > this.#ended;
  }

  /** Marks the begin of a write, and returns the function that marks its end. */
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

  /** Starts a ledger. */
  keep(): Ledger {
    const ledger: Ledger = new Map();
    this.#ledgers.add(ledger);
    return ledger;
  }

  drop(ledger: Ledger): void {
    this.#ledgers.delete(ledger);
  }
}

/** Nodes and connections of all cached flows together. */
const MAX_FLOW_PARTS = 200_000;
const MAX_FLOWS = 64;
const MAX_NODES = 2000;

/** The checksum of each field of a node. */
type NodeDigest = ReadonlyMap<string, number>;

/**
 * Flows and nodes as this process last saw them, by the version of their file, so that a conflict can say what has
 * changed since the version of the caller.
 */
export class KnownVersions {
  readonly #flows = new Map<string, Flow>();
  readonly #nodes = new LruMap<string, NodeDigest>(MAX_NODES);
  #flowParts = 0;

  rememberFlow(version: string, flow: Flow): void {
    if (this.#flows.has(version)) return;
    this.#flows.set(version, flow);
    this.#flowParts += sizeOf(flow);
    for (const [oldest, old] of this.#flows) {
      if (this.#flows.size <= MAX_FLOWS && this.#flowParts <= MAX_FLOW_PARTS) break;
      this.#flows.delete(oldest);
      this.#flowParts -= sizeOf(old);
    }
  }

  flow(version: string): Flow | undefined {
    return this.#flows.get(version);
  }

  rememberNode(node: StoredNode): void {
    this.#nodes.getOrCreate(node.version, () => digestOf(node));
  }

  /** Returns the names of the fields in which a node differs from what it was; `undefined`: not known. */
  changedFields(before: string | StoredNode, now: StoredNode): readonly string[] | undefined {
    const known = typeof before === 'string' ? this.#nodes.get(before) : digestOf(before);
    if (!known) return undefined;
    const current = digestOf(now);
    const names = new Set([...known.keys(), ...current.keys()]);
    return [...names].filter((name) => known.get(name) !== current.get(name));
  }
}

function sizeOf({ nodes, connections }: Pick<StoredFlow, 'nodes' | 'connections'>): number {
  return nodes.length + connections.length;
}

function digestOf(node: StoredNode): NodeDigest {
  const digest = new Map<string, number>();
  for (const [name, value] of Object.entries(node)) {
    if (value === undefined || name === 'file' || name === 'version') continue;
    digest.set(name, crc32(typeof value === 'string' ? value : JSON.stringify(value)));
  }
  return digest;
}

/**
 * The processes that may write to a project that is open.
 *
 * - `write`: all processes, one after the other; each write takes the lock of the project for itself
 * - `exclusive`: only this one; another process that opens it to write meanwhile gets an error at once
 * - `read-only`: this one writes nothing at all, neither files nor cache
 */
export type LockMode = 'write' | 'exclusive' | 'read-only';

/** The lock that every write takes. */
interface ProjectLock {
  /** @throws VizPromptError with the code `locked` or `read-only`. */
  take(): Promise<{ release(): Promise<void> }>;
  close(): Promise<void>;
}

/** The parts of a project that its lock is made of. */
interface LockParts {
  readonly files: FileStore;
  readonly index: ProjectIndex;
  readonly mode: LockMode;
  readonly timeoutMs: number;
  readonly clock: () => Date;
}

/** The name of the lock that every write takes. */
const WRITE_LOCK = 'vizprompt-project';
/** The name of the lock that is held as long as a project is open exclusively. */
const EXCLUSIVE_LOCK = 'vizprompt-exclusive';
/** The name under which the index remembers who has the project exclusively, or had it and died. */
const HOLDER = 'exclusive-holder';
/** Others hold the exclusive lock no longer than it takes to see that it is free. */
const PROBE_MS = 200;

/** @throws VizPromptError with the code `locked` if another process has it exclusively. */
export async function openProjectLock(parts: LockParts): Promise<ProjectLock> {
  const { mode } = parts;
  if (mode === 'read-only') return { take: refuse, async close() {} };
  if (mode === 'exclusive') return holdExclusively(parts);
  await refuseHeld(parts);
  return lockEachWrite(parts);
}

async function refuse(): Promise<never> {
  throw readOnlyError();
}

/** The error of every write to a project that is open to be read. */
export function readOnlyError(): VizPromptError {
  return new VizPromptError(
    'read-only',
    "the project was opened with lock: 'read-only': open it without to write",
  );
}

function lockEachWrite(parts: LockParts): ProjectLock {
  return {
    take: () => takeLock(parts, WRITE_LOCK, parts.timeoutMs),
    async close() {},
  };
}

async function holdExclusively(parts: LockParts): Promise<ProjectLock> {
  const { index, clock } = parts;
  const exclusive = await takeLock(parts, EXCLUSIVE_LOCK, PROBE_MS);
  let write: HeldLock;
  try {
    write = await takeLock(parts, WRITE_LOCK, parts.timeoutMs);
  } catch (error) {
    await exclusive.release();
    throw error;
  }
  const holder = { pid: process.pid, host: hostname(), since: formatTime(clock()) };
  await index.database.batch([index.state.set(HOLDER, JSON.stringify(holder))]);
  let tail: Promise<void> = Promise.resolve();
  return {
    async take() {
      if (exclusive.lost.aborted || write.lost.aborted) {
        throw new VizPromptError(
          'locked',
          'the exclusive lock of the project was lost: open it again',
        );
      }
      const before = tail;
      let release = (): void => {};
      tail = new Promise((resolve) => (release = resolve));
      await before;
      return { release: async () => release() };
    },
    async close() {
      try {
        await index.database.batch([index.state.set(HOLDER, '')]);
      } finally {
        await write.release();
        await exclusive.release();
      }
    },
  };
}

/** Where the mark of a holder is found, checks whether that process is still alive. */
async function refuseHeld(parts: LockParts): Promise<void> {
  const { index } = parts;
  if (!(await index.state.get(HOLDER))) return;
  const lock = await takeLock(parts, EXCLUSIVE_LOCK, PROBE_MS);
  try {
    await index.database.batch([index.state.set(HOLDER, '')]);
  } finally {
    await lock.release();
  }
}

async function takeLock(parts: LockParts, name: string, timeoutMs: number): Promise<HeldLock> {
  try {
    return await parts.files.lock(name, { timeoutMs });
  } catch (error) {
    if (!StorageError.isInstance(error) || error.code !== 'lock-timeout') throw error;
    const holder = await readHolder(parts.index);
    const message = holder
      ? `the process ${holder.pid} on ${holder.host} has had the project to itself since ${holder.since}: ` +
        "close it there, or open it here with lock: 'read-only'"
      : `another process has been writing to the project for more than ${timeoutMs} ms`;
    throw new VizPromptError('locked', message, {
      cause: error,
      ...(holder ? { context: { ...holder } } : {}),
    });
  }
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

async function readHolder({ state }: ProjectIndex): Promise<Holder | undefined> {
  const text = await state.get(HOLDER);
  if (!text) return undefined;
  const value: unknown = JSON.parse(text);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by holdExclusively()
  return isJsonObject(value) ? (value as unknown as Holder) : undefined;
}
