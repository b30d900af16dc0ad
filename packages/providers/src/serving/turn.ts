import type { Semaphore } from '../concurrency/semaphore.ts';

/** How long a reader may take for its next piece before another one has its turn. */
const PAUSE_MS = 20;

/** Holds a permit while a reader takes one piece after the other, and releases it once the reader pauses. */
export class Turn implements Disposable {
  readonly #permits: Semaphore;
  #release: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(permits: Semaphore) {
    this.#permits = permits;
  }

  /** Waits for the permit, unless it is still held. */
  async take(): Promise<void> {
    clearTimeout(this.#timer);
    this.#release ??= await this.#permits.acquire();
  }

  /** Releases the permit soon, unless it is taken again. */
  pause(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(), PAUSE_MS);
  }

  [Symbol.dispose](): void {
    this.end();
  }

  /** Releases the permit. */
  end(): void {
    clearTimeout(this.#timer);
    this.#release?.();
    this.#release = undefined;
  }
}
