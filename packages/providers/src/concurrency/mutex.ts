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
