import { checkOptions } from '../adapter-kit/check-options.ts';
import { ANYTHING, type Kinds } from '../input/kinds.ts';
import type { Budget, Spending } from '../models/budget.ts';
import { LLMError } from '../models/llm-error.ts';

const LIMITS: Kinds<Spending> = { tokens: ANYTHING, costUsd: ANYTHING };

/**
 * Makes a budget; absent keys have no limit.
 *
 * Reservations count as spent until they are settled. A call may turn out to cost more than was
 * reserved: then nothing remains, and the next one is refused.
 *
 * @throws RangeError for a limit that is not a number from 0 on.
 *
 * @param limits - Tokens of prompts and answers together, and US dollars.
 *
 * @example
 * ```ts
 * const allowance = createBudget({ tokens: 100_000, costUsd: 0.5 });
 * const model = compose(openai({ model: 'gpt-5' }), budget(allowance, { prices }));
 * allowance.remaining; // { tokens: 98_200, costUsd: 0.4931 }
 * ```
 */
export function createBudget(limits: Spending): Budget {
  for (const [name, limit] of Object.entries(checkOptions('createBudget', limits, LIMITS))) {
    if (limit === undefined || limit >= 0) continue;
    throw new RangeError(`${name}: expected a number from 0 on, got ${limit}`);
  }
  let tokens = 0;
  let costUsd = 0;
  const add = (spending: Spending, sign: 1 | -1): void => {
    tokens += sign * (spending.tokens ?? 0);
    costUsd += sign * (spending.costUsd ?? 0);
  };
  const leftTokens = (): number => (limits.tokens ?? Infinity) - tokens;
  const leftUsd = (): number => (limits.costUsd ?? Infinity) - costUsd;
  return {
    specVersion: 1,
    get remaining() {
      return {
        ...(limits.tokens === undefined ? {} : { tokens: Math.max(0, leftTokens()) }),
        ...(limits.costUsd === undefined ? {} : { costUsd: Math.max(0, leftUsd()) }),
      };
    },
    reserve(estimate) {
      if ((estimate.tokens ?? 0) > leftTokens()) {
        const needed = `${count(estimate.tokens)} tokens`;
        throw refusal(needed, `${count(leftTokens())} of ${count(limits.tokens)} are left`);
      }
      if ((estimate.costUsd ?? 0) > leftUsd()) {
        const needed = usd(estimate.costUsd);
        throw refusal(needed, `${usd(leftUsd())} of ${usd(limits.costUsd)} remains`);
      }
      add(estimate, 1);
      let isSettled = false;
      return {
        settle(actual) {
          if (isSettled) return;
          isSettled = true;
          add(estimate, -1);
          add(actual, 1);
        },
      };
    },
  };
}

function refusal(needed: string, left: string): LLMError {
  const message = `the budget is used up: the call may need ${needed}, and ${left}`;
  return new LLMError('quota', message);
}

function count(tokens = 0): string {
  return Math.max(0, tokens).toLocaleString('en-US');
}

function usd(dollars = 0): string {
  return `$${Number(Math.max(0, dollars).toPrecision(4))}`;
}
