import { setImmediate as turn } from 'node:timers/promises';
import { MAX_TIMER_MS } from '../calls/time-limit.ts';
import { WorkflowError } from '../errors.ts';

/** Steps of a run that sets no limit. */
const DEFAULT_STEPS = 10_000;

/** After this many steps everything else gets its turn: steps that wait for nothing would keep it off. */
const STEPS_A_TURN = 200;

/** Characters of a path that a message shows. */
const SHOWN_PATH = 200;

/** Counts the steps of a run, in all its threads. */
export class StepCounter {
  readonly #limit: number;
  readonly #idleLimit: number;
  readonly #runId: string;
  #count = 0;
  #idle = 0;

  /** @param idleLimit - Steps in a row without {@link progress}. */
  constructor(runId: string, limit: number = DEFAULT_STEPS, idleLimit: number = Infinity) {
    this.#runId = runId;
    this.#limit = limit;
    this.#idleLimit = idleLimit;
  }

  /** Something was done or found that counts. */
  progress(): void {
    this.#idle = 0;
  }

  /**
   * @returns A promise to wait for, if any: most steps begin without a turn of the event loop.
   * @throws WorkflowError with the code `limit`.
   */
  begin(path: string): Promise<void> | undefined {
    if (++this.#count > this.#limit || ++this.#idle > this.#idleLimit) {
      throw new WorkflowError(
        'limit',
        `the run '${this.#runId}' has begun ${this.#limit.toLocaleString('en-US')} steps, and '${shortPath(path)}' would be ` +
          'one more: is there a loop without an end? Otherwise raise limits.steps',
        {
          context: {
            runId: this.#runId,
            path: shortPath(path),
            limit: 'steps',
            steps: this.#limit,
          },
        },
      );
    }
    return this.#count % STEPS_A_TURN === 0 ? turn() : undefined;
  }
}

/** The beginning and the end of a path: of workflows that run each other it has thousands of levels. */
function shortPath(path: string): string {
  if (path.length <= SHOWN_PATH) return path;
  return `${path.slice(0, SHOWN_PATH / 2)}…${path.slice(-SHOWN_PATH / 2)}`;
}

/**
 * How long a run has been in progress: while it does nothing but wait for a person, the clock is stopped.
 */
export class ActiveClock {
  readonly #limitMs: number;
  readonly #onLimit: () => void;
  #elapsedMs: number;
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #working = 0;
  #asked = 0;

  /** @param elapsedMs - The time that was used before a resume. */
  constructor(elapsedMs: number, limitMs: number, onLimit: () => void) {
    this.#elapsedMs = elapsedMs;
    this.#limitMs = limitMs;
    this.#onLimit = onLimit;
    this.#update();
  }

  /** Checks whether no piece of work is in progress. */
  get isResting(): boolean {
    return this.#working === 0;
  }

  get elapsedMs(): number {
    return this.#elapsedMs + (this.#since === undefined ? 0 : performance.now() - this.#since);
  }

  /** A piece of work begins; the returned function ends it. */
  work(): () => void {
    this.#working++;
    this.#update();
    return () => {
      this.#working--;
      this.#update();
    };
  }

  /** Notes that a person is asked; the returned function ends the wait. */
  ask(): () => void {
    this.#asked++;
    this.#update();
    return () => {
      this.#asked--;
      this.#update();
    };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#elapsedMs = this.elapsedMs;
    this.#since = undefined;
    this.#timer = undefined;
    this.#working = Infinity;
  }

  #update(): void {
    if (this.#working === Infinity) return;
    const isActive = this.#asked === 0 || this.#working > 0;
    if (isActive === (this.#since !== undefined)) return;
    if (isActive) {
      this.#since = performance.now();
      this.#arm();
    } else {
      this.#elapsedMs = this.elapsedMs;
      this.#since = undefined;
      clearTimeout(this.#timer);
    }
  }

  #arm(): void {
    if (this.#limitMs === Infinity) return;
    const leftMs = this.#limitMs - this.elapsedMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => (this.elapsedMs >= this.#limitMs ? this.#onLimit() : this.#arm()),
      Math.min(Math.max(1, Math.ceil(leftMs)), MAX_TIMER_MS),
    );
  }
}
