import { checkArgument, checkOptions } from '../adapter-kit/check-options.ts';
import { estimateMessages, estimateUsage } from '../adapter-kit/estimate-usage.ts';
import { ANYTHING, having, type Kinds, OBJECT, optional } from '../input/kinds.ts';
import type { Budget, Spending } from '../models/budget.ts';
import type { ChatModel, Middleware } from '../models/chat-model.ts';
import { addUsage, ChatCollector } from '../models/collect.ts';
import type { Usage } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import { lostBefore, lostIn } from './compose.ts';
import { costOf, type Price, type PriceTable } from './price.ts';

/** Options of {@link budget}. */
export interface BudgetOptions {
  /** By the id of the model; needed where the budget limits the cost. */
  readonly prices?: PriceTable | undefined;
}

const BUDGET = having('a Budget, such as createBudget({ tokens })', 'reserve', 'remaining');

/** Tokens that are set aside for an answer without `maxOutputTokens`. */
const USUAL_OUTPUT = 1000;

const KINDS: Kinds<BudgetOptions> = {
  prices: optional(OBJECT),
};

/**
 * Asks a budget before each call and reports the usage to it afterwards: the usage that the
 * provider reports, or an estimate of it after an error in the middle and when the reader leaves.
 * A call that failed before any output costs nothing.
 *
 * Set aside are the estimated tokens of the messages and `maxOutputTokens`, or 1,000. The price is
 * that of the model that answers (as its `start` event names it), or else that of the composed one.
 *
 * @throws LLMError (while streaming) with the code `quota` if less is left, and with
 * `invalid_request` if the budget limits the cost and the model has no price.
 *
 * @example
 * ```ts
 * const prices = { 'gpt-5': { inputPerMillion: 1.25, outputPerMillion: 10 } };
 * const model = compose(openai({ model: 'gpt-5' }), budget(createBudget({ costUsd: 0.5 }), { prices }));
 * ```
 */
export function budget(allowance: Budget, options: BudgetOptions = {}): Middleware {
  checkOptions('budget', options, KINDS);
  const { prices = {} } = options;
  checkArgument('the first argument of budget', allowance, BUDGET);
  return {
    name: 'budget',
    async *stream(request, next, model) {
      const price = priceOf(prices, model.modelId);
      if (!price && allowance.remaining.costUsd !== undefined) throw withoutPrice(model);
      const inputTokens = estimateMessages(request.messages);
      const outputTokens = request.maxOutputTokens ?? USUAL_OUTPUT;
      const reservation = allowance.reserve(spendingOf({ inputTokens, outputTokens }, price));
      const collector = new ChatCollector();
      /** The cost of attempts that were replaced. */
      let lost: Usage[] = [];
      const settle = (usage: Usage): void => {
        const answer = collector.result();
        const actual = answer.model === undefined ? undefined : priceOf(prices, answer.model);
        const told = isComplete(usage) ? usage : { ...estimateUsage(request, answer), ...usage };
        reservation.settle(spendingOf(addUsage(told, ...lost), actual ?? price));
      };
      let wasCut = true;
      try {
        for await (const event of next(request)) {
          collector.add(event);
          if (event.type === 'finish') {
            lost = lostBefore(event);
            settle(event.usage);
          }
          yield event;
        }
        wasCut = false;
      } catch (error) {
        wasCut = collector.hasOutput;
        if (LLMError.isInstance(error)) {
          const own = error.partial?.usage;
          lost = lostIn(error).slice(own ? 1 : 0);
          if (own || lost.length > 0) settle(own ?? NOTHING);
        }
        throw error;
      } finally {
        settle(wasCut ? {} : NOTHING);
      }
    },
  };
}

const NOTHING: Usage = { inputTokens: 0, outputTokens: 0 };

function isComplete({ inputTokens, outputTokens }: Usage): boolean {
  return inputTokens !== undefined && outputTokens !== undefined;
}

function priceOf(prices: PriceTable, modelId: string): Price | undefined {
  return Object.hasOwn(prices, modelId) ? prices[modelId] : undefined;
}

function spendingOf(usage: Usage, price: Price | undefined): Spending {
  const tokens = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
  return { tokens, ...(price ? { costUsd: costOf(usage, price) } : {}) };
}

function withoutPrice({ provider, modelId }: ChatModel): LLMError {
  const message = `the budget limits the cost, but 'prices' has no entry for '${modelId}'`;
  return new LLMError('invalid_request', message, { provider, modelId });
}

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
