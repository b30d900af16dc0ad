import { setImmediate as turn } from 'node:timers/promises';
import {
  type Budget,
  LLMError,
  messageOf,
  type Reservation,
  type Spending,
} from '@vizprompt/providers';
import { createBudget } from '@vizprompt/providers/middleware';
import type { Limits } from '../definition/policies.ts';
import { WorkflowError } from '../errors.ts';
import { MAX_TIMER_MS } from './time-limit.ts';

/** Writes down what is set aside for a call and what it came to, under a key of the call. */
type KeepSpending = (key: string, spending: Spending) => Promise<void>;

/** The notices of a call's budget. */
interface SpendingNotices {
  reserved(spending: Spending, remaining: Spending): void;
  settled(spending: Spending, remaining: Spending): void;
}

/** The budget of a call, and what of it must be durable before the call is made. */
export interface CallBudget {
  readonly budget: Budget;
  /** Resolves when all that was reserved so far is in the journal. */
  written(): Promise<void>;
}

/** The money of a run: its own limits, and a budget that it shares with others. */
export class RunBudget {
  readonly #runId: string;
  readonly #own: Budget | undefined;
  readonly #shared: Budget | undefined;
  readonly #keep: KeepSpending;
  readonly #refusals = new WeakSet<object>();
  #calls: number;

  constructor(options: {
    readonly runId: string;
    readonly limits: Limits;
    /** Before a resume. */
    readonly spent: { readonly tokens: number; readonly costUsd: number };
    readonly shared?: Budget | undefined;
    /** A number above that of all calls before, for keys that are new. */
    readonly calls: number;
    readonly keep: KeepSpending;
  }) {
    const { limits, spent } = options;
    this.#runId = options.runId;
    this.#own =
      limits.tokens === undefined && limits.costUsd === undefined
        ? undefined
        : createBudget({
            ...left('tokens', limits.tokens, spent.tokens),
            ...left('costUsd', limits.costUsd, spent.costUsd),
          });
    this.#shared = options.shared;
    this.#calls = options.calls;
    this.#keep = options.keep;
  }

  /** Returns a budget for the calls of one step; `undefined` where nothing is limited. */
  forStep(path: string, notices: SpendingNotices): CallBudget | undefined {
    const budgets = [this.#own, this.#shared].filter((budget) => budget !== undefined);
    if (budgets.length === 0) return undefined;
    const writes: Promise<void>[] = [];
    const remaining = (): Spending => least(budgets.map((budget) => budget.remaining));
    const write = (key: string, spending: Spending): void => {
      // Without limits of its own there is nothing that a resume would have to know.
      if (!this.#own) return;
      const writing = this.#keep(key, spending);
      writing.catch(() => undefined);
      writes.push(writing);
    };
    const reserve = (estimate: Spending): Reservation => {
      const reservations: Reservation[] = [];
      try {
        for (const budget of budgets) reservations.push(budget.reserve(estimate));
      } catch (error) {
        for (const reservation of reservations) reservation.settle({ tokens: 0, costUsd: 0 });
        throw this.#refused(error, path);
      }
      const key = `${++this.#calls} ${path}`;
      write(key, estimate);
      notices.reserved(estimate, remaining());
      let isSettled = false;
      return {
        settle: (actual) => {
          if (isSettled) return;
          isSettled = true;
          for (const reservation of reservations) reservation.settle(actual);
          write(key, actual);
          notices.settled(actual, remaining());
        },
      };
    };
    return {
      budget: {
        specVersion: 1,
        get remaining() {
          return remaining();
        },
        reserve,
      },
      written: async () => {
        await Promise.all(writes.splice(0));
      },
    };
  }

  /**
   * Returns the error of the run, if it is this budget that refused a call, and not a provider: also where an activity, such
   * as a talk, reports the refusal as the cause of its own error.
   */
  limitOf(error: unknown, path: string): WorkflowError | undefined {
    if (!this.#isRefusal(error)) return undefined;
    return new WorkflowError('limit', `'${path}' was not begun: ${messageOf(error)}`, {
      cause: error,
      context: { runId: this.#runId, path, limit: 'budget' },
    });
  }

  #isRefusal(error: unknown): boolean {
    const seen = new Set<unknown>();
    for (let one = error; typeof one === 'object' && one !== null && !seen.has(one);) {
      if (this.#refusals.has(one)) return true;
      seen.add(one);
      one = 'cause' in one ? one.cause : undefined;
    }
    return false;
  }

  #refused(error: unknown, path: string): LLMError {
    const refusal = LLMError.isInstance(error)
      ? error
      : new LLMError('quota', `the budget refused '${path}': ${messageOf(error)}`, {
          cause: error,
        });
    this.#refusals.add(refusal);
    return refusal;
  }
}

function left(name: keyof Spending, limit: number | undefined, spent: number): Spending {
  return limit === undefined ? {} : { [name]: Math.max(0, limit - spent) };
}

function least(all: readonly Spending[]): Spending {
  const tokens = Math.min(...all.map((one) => one.tokens ?? Infinity));
  const costUsd = Math.min(...all.map((one) => one.costUsd ?? Infinity));
  return {
    ...(tokens === Infinity ? {} : { tokens }),
    ...(costUsd === Infinity ? {} : { costUsd }),
  };
}

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
