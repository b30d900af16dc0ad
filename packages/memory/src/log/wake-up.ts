import type { Unsubscribe } from '@vizprompt/providers';
import type { MemoryStore } from '../memory-store.ts';

/** Waits a while, but no longer than until this process changes a session, or a signal ends it. */
export class WakeUp implements Disposable {
  readonly #signal: AbortSignal;
  readonly #stops: readonly Unsubscribe[];
  #isRung = false;
  #wake: () => void = () => {};

  constructor(store: MemoryStore, session: string, signal: AbortSignal) {
    this.#signal = signal;
    const ring = (id: string): void => {
      if (id === session) this.#ring();
    };
    this.#stops = [
      store.on('event:logged', ({ event }) => ring(event.session_id)),
      store.on('session:updated', ({ session: { id } }) => ring(id)),
      store.on('session:ended', ({ session: { id } }) => ring(id)),
      store.on('session:deleted', ({ id }) => ring(id)),
    ];
    signal.addEventListener('abort', this.#ring);
  }

  /** Resolves after so many milliseconds, or at once if it rang since the last time. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#isRung && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isRung = false;
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop();
    this.#signal.removeEventListener('abort', this.#ring);
  }

  readonly #ring = (): void => {
    this.#isRung = true;
    this.#wake();
  };
}
