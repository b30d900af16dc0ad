/** Lets a number of tasks run at a time; the others wait in the order they came. */
export class Semaphore {
  readonly #permits: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  /** @param permits - From 1 on; `Infinity` lets all run. */
  constructor(permits: number) {
    this.#permits = permits;
  }

  /**
   * Waits for a permit and holds it until the returned function is called; further calls of that function do
   * nothing.
   *
   * @throws The signal's reason if it aborts first.
   */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#taken < this.#permits) this.#taken++;
    else await this.#waitForPermit(signal);
    let isHeld = true;
    return () => {
      if (isHeld) this.#release();
      isHeld = false;
    };
  }

  /** Runs a task with a permit. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(signal);
    try {
      return await task();
    } finally {
      release();
    }
  }

  #waitForPermit(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const proceed = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.delete(proceed);
        reject(signal?.reason);
      };
      this.#waiting.add(proceed);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Hands the permit to the first that waits. */
  #release(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#taken--;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
