import type { Logger } from '@vizprompt/providers';
import type { TextIndex } from '@vizprompt/providers/text';

/** Arranges what was written to the text index: searches find it before and after, and take longer before. */
export class IndexSettler {
  readonly #index: TextIndex;
  readonly #logger: Logger;
  #running: Promise<void> = Promise.resolve();

  constructor(index: TextIndex, logger: Logger) {
    this.#index = index;
    this.#logger = logger;
  }

  /** Begins to arrange while the writer continues. It waits for the former call only, so the writer is one write ahead at most. */
  async begin(): Promise<void> {
    await this.#running;
    this.#running = this.#arrange();
  }

  /** Arranges what was written, to its end. */
  async settle(): Promise<void> {
    await this.#running;
    await this.#arrange();
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
