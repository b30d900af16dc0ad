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
