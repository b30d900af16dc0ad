import type { MessageId } from './read-message.ts';
import { MessageRefused } from './wire/error.ts';

/** The actions of a client that run beside the others. */
export class LongActions {
  readonly #most: number;
  readonly #running: Map<
    AbortController,
    { readonly id?: MessageId; readonly end: Promise<void> }
  > = new Map();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Starts one, and does not wait for it.
   *
   * @param run - Must not reject.
   * @throws MessageRefused `too_many_actions`, or `invalid_input` for an id that is in use.
   */
  start(id: MessageId | undefined, run: (signal: AbortSignal) => Promise<void>): void {
    if (this.#running.size >= this.#most) {
      const message = `${this.#running.size} long actions are under way, which is the most`;
      throw new MessageRefused('too_many_actions', `${message}: wait for one, or cancel one`);
    }
    if (id !== undefined && this.#find(id)) {
      throw new MessageRefused('invalid_input', 'id: an action of this id is under way');
    }
    const controller = new AbortController();
    const end = run(controller.signal).finally(() => this.#running.delete(controller));
    this.#running.set(controller, { end, ...(id === undefined ? {} : { id }) });
  }

  /** Ends one; `false` if there is none of this id. */
  cancel(id: MessageId): boolean {
    const found = this.#find(id);
    found?.abort();
    return found !== undefined;
  }

  /** Ends them all. */
  stop(): void {
    for (const controller of this.#running.keys()) controller.abort();
  }

  /** Resolves when all have ended. */
  async idle(): Promise<void> {
    await Promise.all(Array.from(this.#running.values(), ({ end }) => end));
  }

  #find(id: MessageId): AbortController | undefined {
    for (const [controller, one] of this.#running) if (one.id === id) return controller;
    return undefined;
  }
}
