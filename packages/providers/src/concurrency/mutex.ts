import type { HeldLock, LockOptions } from '../storage/file-store.ts';
import { StorageError } from '../storage/storage-error.ts';

/** Lets one asynchronous task run at a time, in the order they came. */
export class Mutex {
  #tail: Promise<unknown> = Promise.resolve();

  /**
   * Runs `task` when all earlier ones have ended, however they ended.
   *
   * @param signal - Stops the waiting: the promise rejects with the signal's reason, and the task
   * never runs. It has no effect on a task that has begun.
   */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const giveUp = (): void => reject(signal?.reason);
      signal?.addEventListener('abort', giveUp, { once: true });
      const turn = this.#tail.then(async () => {
        signal?.removeEventListener('abort', giveUp);
        signal?.throwIfAborted();
        return task();
      });
      this.#tail = turn.catch(() => undefined);
      turn.then(resolve, reject);
      if (signal?.aborted) giveUp();
    });
  }
}

/**
 * Checks the name of a lock: 1 to 64 letters, digits, `.`, `_` and `-`.
 *
 * @throws StorageError with the code `invalid-key`.
 */
export function assertLockName(name: string): void {
  if (/^[A-Za-z0-9._-]{1,64}$/.test(name) && !/^\.+$/.test(name)) return;
  throw new StorageError(
    'invalid-key',
    `${JSON.stringify(name)} is no valid lock name: use 1 to 64 letters, digits, '.', '_' and '-'`,
    { context: { name } },
  );
}

/** A lock between processes that was taken. */
export interface TakenLock {
  /** Aborted if it is lost before it is given back. */
  readonly lost: AbortSignal;
  free(): Promise<void>;
}

/** A signal that is never aborted: for locks that cannot be lost. */
export const NEVER: AbortSignal = new AbortController().signal;

/**
 * Implements the `lock` of every file store: the tasks of this process wait in line, the first of them takes
 * the lock between processes.
 *
 * @param queue - The line for this name.
 * @param take - Waits for other processes and takes the lock, or rejects with the signal's reason.
 */
export async function acquireLock(
  queue: Mutex,
  name: string,
  { timeoutMs = 10_000, signal }: LockOptions,
  take: (signal: AbortSignal) => Promise<TakenLock>,
): Promise<HeldLock> {
  assertLockName(name);
  signal?.throwIfAborted();
  const giveUp = new AbortController();
  const onAbort = (): void => giveUp.abort(signal?.reason);
  const onTimeout = (): void => giveUp.abort(timeoutError(name, timeoutMs));
  const timer = setTimeout(onTimeout, timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await new Promise<HeldLock>((resolve, reject) => {
      const hold = async (): Promise<void> => {
        const taken = await take(giveUp.signal);
        await new Promise<void>((leave) => resolve(heldLock(taken, leave)));
      };
      queue.run(hold, giveUp.signal).catch(reject);
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function heldLock(taken: TakenLock, leave: () => void): HeldLock {
  let isHeld = true;
  return {
    lost: taken.lost,
    async release() {
      if (!isHeld) return;
      isHeld = false;
      try {
        await taken.free();
      } finally {
        leave();
      }
    },
  };
}

function timeoutError(name: string, timeoutMs: number): StorageError {
  return new StorageError(
    'lock-timeout',
    `the lock '${name}' was held by another process for more than ${timeoutMs} ms`,
    { context: { name, timeoutMs } },
  );
}
