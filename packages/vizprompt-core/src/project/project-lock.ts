import { hostname } from 'node:os';
import { type FileStore, type HeldLock, StorageError } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import { formatTime } from '../format/ids-and-times.ts';
import type { ProjectIndex } from '../index/project-index.ts';

/**
 * The processes that may write to a project that is open.
 *
 * - `write`: all processes, one after the other; each write takes the lock of the project for itself
 * - `exclusive`: only this one; another process that opens it to write meanwhile gets an error at once
 * - `read-only`: this one writes nothing at all, neither files nor cache
 */
export type LockMode = 'write' | 'exclusive' | 'read-only';

/** The lock that every write takes. */
export interface ProjectLock {
  /** @throws VizPromptError with the code `locked` or `read-only`. */
  take(): Promise<{ release(): Promise<void> }>;
  close(): Promise<void>;
}

/** The parts of a project that its lock is made of. */
export interface LockParts {
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
