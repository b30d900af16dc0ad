import type { EventSource } from '@vizprompt/providers';
import type { Unsubscribe } from '@vizprompt/providers/internal';
import type { MemoryEvents } from '../events.ts';

/**
 * Waits a while, but no longer than until this process changes the session or logs in it, without one until it
 * changes any, or until a signal ends it.
 */
export class WakeUp implements Disposable {
  readonly #signal: AbortSignal;
  readonly #stops: readonly Unsubscribe[];
  #isRung = false;
  #wake: () => void = () => {};

  constructor(store: EventSource<MemoryEvents>, signal: AbortSignal, session?: string) {
    this.#signal = signal;
    const ring = (id: string): void => {
      if (session === undefined || id === session) this.#ring();
    };
    const logged = ({ event }: MemoryEvents['event:logged']): void => ring(event.session_id);
    this.#stops = [
      ...(session === undefined ? [] : [store.on('event:logged', logged)]),
      store.on('session:started', ({ session: { id } }) => ring(id)),
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
