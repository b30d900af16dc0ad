/** Above this, timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * How long a run has been going on: while it does nothing but wait for a person, the clock stands still.
 */
export class ActiveClock {
  readonly #limitMs: number;
  readonly #onLimit: () => void;
  #elapsedMs: number;
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #working = 0;
  #asked = 0;

  /** @param elapsedMs - What is behind it, from before a resume. */
  constructor(elapsedMs: number, limitMs: number, onLimit: () => void) {
    this.#elapsedMs = elapsedMs;
    this.#limitMs = limitMs;
    this.#onLimit = onLimit;
    this.#update();
  }

  get elapsedMs(): number {
    return this.#elapsedMs + (this.#since === undefined ? 0 : performance.now() - this.#since);
  }

  /** A piece of work begins; the returned function ends it. */
  work(): () => void {
    this.#working++;
    this.#update();
    return () => {
      this.#working--;
      this.#update();
    };
  }

  /** Somebody is asked; the returned function ends the wait. */
  ask(): () => void {
    this.#asked++;
    this.#update();
    return () => {
      this.#asked--;
      this.#update();
    };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#elapsedMs = this.elapsedMs;
    this.#since = undefined;
    this.#timer = undefined;
    this.#working = Infinity;
  }

  #update(): void {
    if (this.#working === Infinity) return;
    const isActive = this.#asked === 0 || this.#working > 0;
    if (isActive === (this.#since !== undefined)) return;
    if (isActive) {
      this.#since = performance.now();
      this.#arm();
    } else {
      this.#elapsedMs = this.elapsedMs;
      this.#since = undefined;
      clearTimeout(this.#timer);
    }
  }

  #arm(): void {
    if (this.#limitMs === Infinity) return;
    const leftMs = this.#limitMs - this.elapsedMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => (this.elapsedMs >= this.#limitMs ? this.#onLimit() : this.#arm()),
      Math.min(Math.max(1, Math.ceil(leftMs)), MAX_TIMER_MS),
    );
  }
}
