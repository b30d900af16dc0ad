import { checkArgument, checkOptions } from '../adapter-kit/check-options.ts';
import { having, OBJECT, optional, type Kinds } from '../input/kinds.ts';
import { addUsage } from '../models/add-usage.ts';
import type { Budget, Spending } from '../models/budget.ts';
import type { ChatModel } from '../models/chat-model.ts';
import { ChatCollector } from '../models/collect.ts';
import type { Usage } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import { estimateMessages, estimateUsage } from '../adapter-kit/estimate-usage.ts';
import type { Middleware } from '../models/middleware.ts';
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
