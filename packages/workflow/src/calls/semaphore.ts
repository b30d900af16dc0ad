/** A number of places; who comes when all are taken waits in line. */
export class Semaphore {
  readonly #count: number;
  readonly #line = new Set<() => void>();
  #taken = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /**
   * Takes a place and keeps it until the returned function is called.
   *
   * @throws The signal's reason, if it is aborted first.
   */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#taken < this.#count) this.#taken++;
    else await this.#turn(signal);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#release();
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#line.delete(turn);
        reject(signal.reason);
      };
      this.#line.add(turn);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** The place goes to the first in line, if there is one. */
  #release(): void {
    const [next] = this.#line;
    if (!next) {
      this.#taken--;
      return;
    }
    this.#line.delete(next);
    next();
  }
}
