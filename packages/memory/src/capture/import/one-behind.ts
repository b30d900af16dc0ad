/** Does work one step behind what it is made of: while a step is prepared, the one before is done. */
export class OneBehind {
  #waiting: (() => Promise<void>)[] = [];

  /** Does what waits, while something is being made, and keeps the work on that for the next time. */
  async step<Made>(making: Promise<Made>, work: (made: Made) => Promise<void>): Promise<Made> {
    // If it fails while the step before is done, that is told below.
    making.catch(() => undefined);
    await this.flush();
    const made = await making;
    this.#waiting.push(() => work(made));
    return made;
  }

  /** Does some more behind what waits. */
  later(work: () => Promise<void>): void {
    this.#waiting.push(work);
  }

  /** Does all that waits, in its order; after a failure nothing of it. */
  async flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const work of waiting) await work();
  }
}
