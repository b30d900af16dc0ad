import { conflict } from '../journal/journal-errors.ts';
import type { Retention } from '../journal/journal.ts';
import type { EngineParts, ActiveRun } from './active-run.ts';

/** How often other processes are listened to while somebody is asked, in milliseconds. */
const ANSWERS_MS = 500;

/** How often it is checked whether runs are still this engine's, in milliseconds. */
const LOST_MS = 2000;

/**
 * Looks at the journal while runs are led: for answers from other processes, for runs that were cancelled or taken
 * over there, and removes what is not kept.
 */
export class RunWatch {
  readonly #parts: EngineParts;
  readonly #led: ReadonlyMap<string, ActiveRun>;
  readonly #retention: Retention | undefined;
  #answers: NodeJS.Timeout | undefined;
  #lost: NodeJS.Timeout | undefined;
  #pruning: Promise<void> | undefined;
  #mustPrune = false;
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(
    parts: EngineParts,
    led: ReadonlyMap<string, ActiveRun>,
    retention: Retention | undefined,
  ) {
    this.#parts = parts;
    this.#led = led;
    this.#retention = retention;
  }

  /** A run began. */
  begun(): void {
    if (this.#isClosed) return;
    this.#lost ??= this.#every(LOST_MS, () => this.#findLost());
    this.#answers ??= this.#every(ANSWERS_MS, () => this.#findAnswers());
  }

  /** A run ended. */
  ended(): void {
    if (this.#led.size === 0) this.#stop();
    void this.prune();
  }

  /** Looks for answers and for runs that are lost now, since somebody said that there may be some. */
  look(): void {
    if (this.#isClosed) return;
    this.#looking = this.#looking
      .then(() => this.#findAnswers())
      .then(() => this.#findLost())
      .catch(() => undefined);
  }

  /** Removes what is not kept. */
  async prune(): Promise<void> {
    const { journal, services } = this.#parts;
    const retention = this.#retention;
    if (!retention || this.#isClosed) return;
    this.#mustPrune = true;
    this.#pruning ??= (async () => {
      while (this.#mustPrune) {
        this.#mustPrune = false;
        // What cannot be removed now is removed when the next run ends.
        await journal.prune(retention, services.now()).catch(() => undefined);
      }
    })().finally(() => (this.#pruning = undefined));
    await this.#pruning;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    await this.#looking;
    await this.#pruning;
  }

  #stop(): void {
    clearInterval(this.#answers);
    clearInterval(this.#lost);
    this.#answers = undefined;
    this.#lost = undefined;
  }

  #every(ms: number, look: () => Promise<void>): NodeJS.Timeout {
    return setInterval(() => {
      // A database that does not answer now may answer next time.
      this.#looking = this.#looking.then(look).catch(() => undefined);
    }, ms);
  }

  async #findAnswers(): Promise<void> {
    const asking = [...this.#led.values()].filter(({ inbox }) => inbox.paths.length > 0);
    if (asking.length === 0) return;
    const answers = await this.#parts.journal.answersOf(asking.map(({ id }) => id));
    for (const { runId, path, answer } of answers) {
      this.#led.get(runId)?.inbox.deliver(path, answer);
    }
  }

  async #findLost(): Promise<void> {
    const lost = await this.#parts.journal.lost([...this.#led.keys()]);
    for (const id of lost) {
      const run = await this.#parts.journal.run(id);
      const led = this.#led.get(id);
      if (run?.status === 'cancelled') led?.endedElsewhere(run.error?.message);
      else led?.stop(conflict(id));
    }
  }
}
