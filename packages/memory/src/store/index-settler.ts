import type { Logger } from '@vizprompt/providers';
import type { TextIndex } from '@vizprompt/providers/text';

/** Arranges what was written to the text index: searches find it before and after, and take longer before. */
export class IndexSettler {
  readonly #index: Pick<TextIndex, 'settle'>;
  readonly #logger: Logger;
  #running: Promise<void> = Promise.resolve();

  constructor(index: Pick<TextIndex, 'settle'>, logger: Logger) {
    this.#index = index;
    this.#logger = logger;
  }

  /** Begins to arrange while the writer continues. It waits for the former calls only, so the writer is one write ahead at most. */
  async begin(): Promise<void> {
    const before = this.#running;
    void this.settle();
    await before;
  }

  /** Arranges what was written, to its end. */
  async settle(): Promise<void> {
    // Nothing is awaited before: calls at the same time must see each other.
    this.#running = this.#running.then(() => this.#arrange());
    await this.#running;
  }

  /** Waits for what was begun. */
  async end(): Promise<void> {
    await this.#running;
  }

  async #arrange(): Promise<void> {
    try {
      await this.#index.settle();
    } catch (error) {
      this.#logger.warn('the text index could not be arranged: searches take longer', { error });
    }
  }
}
