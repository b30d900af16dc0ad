const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** Does in the background what could not be done at once, and tries again, less and less often. */
export class CatchUp {
  readonly #work: (signal: AbortSignal) => Promise<number>;
  readonly #closing = new AbortController();
  #running: Promise<number> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waitMs = FIRST_WAIT_MS;

  constructor(work: (signal: AbortSignal) => Promise<number>) {
    this.#work = work;
  }

  /** Begins in a moment. */
  soon(): void {
    this.#schedule(0);
  }

  /** Begins when some time has passed, as it has failed just now. */
  later(): void {
    this.#schedule(this.#waitMs);
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
  }

  /** Does it now; what runs already is waited for, and then done once more. */
  async run(): Promise<number> {
    const before = this.#running;
    if (before) await before.catch(() => undefined);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const running = this.#running ?? this.#work(this.#closing.signal);
    this.#running = running;
    try {
      const count = await running;
      this.#waitMs = FIRST_WAIT_MS;
      return count;
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }

  /** Stops, and waits until it has. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#running?.catch(() => undefined);
  }

  #schedule(ms: number): void {
    if (this.#timer || this.#closing.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.run().catch(() => {
        if (!this.#closing.signal.aborted) this.later();
      });
    }, ms).unref();
  }
}
