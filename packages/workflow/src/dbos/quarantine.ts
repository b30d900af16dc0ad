/** Delay for each takeover of a run before it takes its turn, so that others go first, in milliseconds. */
const COURTESY_MS = 200;

/** A run that waits for its turn. */
interface Suspect {
  readonly takeovers: number;
  begin(): void;
}

/**
 * Lets runs begin one after the other that were taken over more than once: one of them may be what ends workers, and the
 * others must not be counted with it. Those that were taken over less often go first.
 */
export class Quarantine {
  readonly #waiting: Suspect[] = [];
  #isTaken = false;

  /**
   * Waits for its turn.
   *
   * @returns A function that gives the turn to the next, once the run has shown that it is harmless.
   */
  async enter(takeovers: number): Promise<() => void> {
    await new Promise((resolve) => setTimeout(resolve, takeovers * COURTESY_MS));
    await new Promise<void>((begin) => {
      this.#waiting.push({ takeovers, begin });
      this.#next();
    });
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#isTaken = false;
      this.#next();
    };
  }

  #next(): void {
    if (this.#isTaken) return;
    const first = this.#waiting.toSorted((a, b) => a.takeovers - b.takeovers)[0];
    if (!first) return;
    this.#waiting.splice(this.#waiting.indexOf(first), 1);
    this.#isTaken = true;
    first.begin();
  }
}
