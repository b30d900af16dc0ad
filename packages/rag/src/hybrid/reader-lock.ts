/** Many may read at a time, or one writes; writers come in order and are not kept waiting by new readers. */
export class ReaderLock {
  #readers = 0;
  #writing: Promise<void> = Promise.resolve();
  #idle: (() => void) | undefined;

  async read<T>(work: () => Promise<T>): Promise<T> {
    for (let before; before !== this.#writing;) {
      before = this.#writing;
      await before;
    }
    this.#readers++;
    try {
      return await work();
    } finally {
      this.#readers--;
      if (this.#readers === 0) this.#idle?.();
    }
  }

  write<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#writing.then(async () => {
      if (this.#readers > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
      this.#idle = undefined;
      return work();
    });
    this.#writing = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }
}
