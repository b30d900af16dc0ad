import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { StorageError, type HeldLock } from '@vizprompt/providers';
import { MemoryError } from '../errors.ts';
import type { MemoryContext } from '../store/memory-context.ts';

/** Files share so few locks that each may keep a file of its own for ever. */
const LOCKS = 64;
const TIMEOUT_MS = 10_000;

/**
 * Keeps other processes that share the memory from editing a file until the lock is released.
 *
 * @throws MemoryError `edit-conflict` if another one holds it too long.
 */
export async function lockFile({ lock }: MemoryContext, path: string): Promise<HeldLock> {
  // Paths are those of one machine, and a server may serve many.
  const hash = createHash('sha256').update(`${hostname()}\0${path}`).digest();
  try {
    return await lock(`memory-edit-${hash.readUInt32BE() % LOCKS}`, { timeoutMs: TIMEOUT_MS });
  } catch (error) {
    if (!StorageError.isInstance(error) || error.code !== 'lock-timeout') throw error;
    throw new MemoryError(
      'edit-conflict',
      `cannot edit ${path}: another process has been editing for more than ${TIMEOUT_MS} ms; try again`,
      { cause: error, context: { path } },
    );
  }
}

/** What was asked for last, by the name of what it is done to. */
const last = new Map<string, Promise<unknown>>();

/** Runs a task when all earlier ones of the same name have ended, however they ended, in this process. */
export async function oneAfterAnother<T>(name: string, task: () => Promise<T>): Promise<T> {
  const before = last.get(name) ?? Promise.resolve();
  const turn = before.then(task);
  const end = turn.catch(() => undefined);
  last.set(name, end);
  try {
    return await turn;
  } finally {
    if (last.get(name) === end) last.delete(name);
  }
}
