/** Steps that are done one behind the other, while the next ones are being prepared. */
export class StepQueue {
  readonly #ahead: number;
  readonly #waiting: Promise<void>[] = [];
  #last: Promise<void> = Promise.resolve();

  /** @param ahead - How many steps may wait or run. */
  constructor(ahead: number) {
    this.#ahead = ahead;
  }

  /**
   * Adds a step, and waits until there is room for another one. Behind a step that failed none is done.
   *
   * @throws What a step before it threw.
   */
  async add(step: () => Promise<void> | void): Promise<void> {
    this.#last = this.#last.then(step);
    // It is told below, or at the end.
    this.#last.catch(() => undefined);
    this.#waiting.push(this.#last);
    if (this.#waiting.length > this.#ahead) await this.#waiting.shift();
  }

  /**
   * Waits for all steps.
   *
   * @throws What a step threw.
   */
  async end(): Promise<void> {
    await this.#last;
  }
}
