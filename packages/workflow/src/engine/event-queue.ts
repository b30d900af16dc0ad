import type { RunEvent } from '../events.ts';

/** Events that wait for their reader at most. */
const MOST = 20_000;
/** Events that were read and are let go of together. */
const READ_AT_ONCE = 1000;

/**
 * Keeps the events of a run for one reader. If very many wait, pieces of answers go first, which `step:ended`
 * holds whole, and then the oldest.
 */
export class EventQueue {
  #events: RunEvent[] = [];
  #at = 0;
  #isOver = false;
  #hasLeft = false;
  #wake: (() => void) | undefined;

  push(event: RunEvent): void {
    if (this.#hasLeft) return;
    this.#events.push(event);
    if (this.#events.length - this.#at > MOST) this.#thin();
    this.#wake?.();
  }

  /** No more will come. */
  end(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  /** Nobody reads any more. */
  leave(): void {
    this.#hasLeft = true;
    this.#events = [];
    this.#at = 0;
  }

  /** The next event, once there is one; `undefined` at the end. */
  async next(): Promise<RunEvent | undefined> {
    for (;;) {
      const event = this.#events[this.#at];
      if (event) {
        this.#at++;
        if (this.#at === READ_AT_ONCE) {
          this.#events.splice(0, this.#at);
          this.#at = 0;
        }
        return event;
      }
      if (this.#isOver) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
    }
  }

  #thin(): void {
    const rest = this.#events.slice(this.#at).filter(({ type }) => type !== 'step:delta');
    this.#events = rest.slice(-MOST / 2);
    this.#at = 0;
  }
}
