/** After so long without a run the poller waits for {@link QueuePoller.wake}, in milliseconds. */
const BACKOFF_MS = 2000;

/** The parts that a {@link QueuePoller} needs. */
interface QueuePollerOptions {
  /** Starts what is in the queue. */
  readonly poll: () => Promise<unknown>;
  /** The shortest time between two polls, in milliseconds. */
  readonly pollMs: number;
}

/**
 * Looks for queued runs when there may be some: after a notification at once, and for as long as there are more of them
 * each `pollMs`; then less and less often, and not at all.
 */
export class QueuePoller {
  readonly #options: QueuePollerOptions;
  #timer: NodeJS.Timeout | undefined;
  #due = Infinity;
  #polledAt = -Infinity;
  #delayMs = Infinity;
  #isPolling = false;
  #polling: Promise<void> = Promise.resolve();
  #isWoken = false;
  #isClosed = false;

  constructor(options: QueuePollerOptions) {
    this.#options = options;
  }

  /** There may be a run in the queue, or room for one. */
  wake(): void {
    const { pollMs } = this.#options;
    this.#delayMs = pollMs;
    // The poll that is in progress may have looked before the run was there.
    if (this.#isPolling) this.#isWoken = true;
    else this.#pollAt(Math.max(performance.now(), this.#polledAt + pollMs));
  }

  /** Polls no more. Resolves when the poll in progress has ended. */
  close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    return this.#polling;
  }

  #pollAt(at: number): void {
    if (this.#isClosed || at >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = at;
    const poll = (): void => {
      this.#polling = this.#poll();
    };
    this.#timer = setTimeout(poll, Math.max(0, at - performance.now()));
  }

  async #poll(): Promise<void> {
    this.#due = Infinity;
    this.#isPolling = true;
    this.#isWoken = false;
    this.#polledAt = performance.now();
    // A queue that cannot be polled now is polled next time.
    await this.#options.poll().catch(() => undefined);
    this.#isPolling = false;
    if (this.#isWoken) return this.wake();
    if (this.#delayMs >= BACKOFF_MS) return;
    const delayMs = this.#delayMs;
    this.#delayMs = delayMs * 2;
    this.#pollAt(performance.now() + delayMs);
  }
}
