/** How somebody asked a run to end before its time. */
type Ending = 'paused' | 'stopped';

/**
 * What the outside may ask of a run: to end after the turn under way, at once, or with the moderator's
 * closing words.
 */
export class RunControl {
  readonly #cut = new AbortController();
  readonly #wait = new AbortController();
  /** How the run ends; `undefined` while nobody asked. */
  ending: Ending | undefined;
  why = '';
  /** Whether the moderator is to close after the turn under way. */
  isClosing = false;

  /** Aborted when the call under way is to be broken off. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** Aborted when nothing is to be waited for any more: a pause between turns, a person. */
  get wait(): AbortSignal {
    return this.#wait.signal;
  }

  /** Ends the run after the turn under way or, with `now`, by breaking it off. */
  end(ending: Ending, why: string, now: boolean): void {
    // Whoever stops means it more than whoever paused.
    if (this.ending !== 'stopped') {
      this.ending = ending;
      this.why = why;
    }
    this.#wait.abort();
    if (now) this.#cut.abort();
  }

  /** Ends the run when the signal is aborted. */
  follow(signal: AbortSignal | undefined): void {
    const end = (): void => this.end('stopped', 'the signal was aborted', true);
    if (signal?.aborted) end();
    // It is heard no longer than the run goes on.
    else signal?.addEventListener('abort', end, { once: true, signal: this.#over.signal });
  }

  readonly #over = new AbortController();

  /** Lets go of what was followed. */
  close(): void {
    this.#over.abort();
  }
}
