import { type ChatModel, LLMError, type Usage } from '@vizprompt/providers';
import { type Price, type PriceTable } from '@vizprompt/providers/middleware';
import { AMOUNT, type Kinds, OBJECT, optional } from '@vizprompt/providers/config/internal';
import { costOf, USAGE_COUNTS } from '@vizprompt/providers/internal';
import { checkArgument, checkOptions } from '../check-options.ts';

type Counted = (typeof USAGE_COUNTS)[number];

/** Adds up what the calls of a step cost, those that failed included. */
export class UsageMeter {
  readonly #prices: PriceTable;
  readonly #total: { [Name in Counted]?: number } = {};
  #isEstimated = false;
  #costUsd: number | undefined;

  constructor(prices: PriceTable) {
    this.#prices = prices;
  }

  add(usage: Usage, { modelId }: Pick<ChatModel, 'modelId'>): void {
    for (const name of USAGE_COUNTS) {
      const value = usage[name];
      if (value !== undefined) this.#total[name] = (this.#total[name] ?? 0) + value;
    }
    if (usage.estimated) this.#isEstimated = true;
    const price = Object.hasOwn(this.#prices, modelId) ? this.#prices[modelId] : undefined;
    if (price) this.#costUsd = (this.#costUsd ?? 0) + costOf(usage, price);
  }

  addFailure(error: unknown, model: Pick<ChatModel, 'modelId'>): void {
    if (LLMError.isInstance(error) && error.partial) this.add(error.partial.usage, model);
  }

  total(): { readonly usage: Usage; readonly costUsd?: number } {
    const usage = { ...this.#total, ...(this.#isEstimated ? { estimated: true } : {}) };
    return { usage, ...(this.#costUsd === undefined ? {} : { costUsd: this.#costUsd }) };
  }
}

const PRICE: Kinds<Price> = {
  inputPerMillion: AMOUNT,
  outputPerMillion: AMOUNT,
  cachedInputPerMillion: optional(AMOUNT),
  cacheWriteInputPerMillion: optional(AMOUNT),
  reasoningPerMillion: optional(AMOUNT),
};

/** A price that is not a number would be a limit that never holds. */
export function checkPrices(prices: PriceTable | undefined): void {
  for (const [model, price] of Object.entries(prices ?? {})) {
    checkArgument(`'${model}' of prices`, price, OBJECT);
    checkOptions(`'${model}' of prices`, price, PRICE);
  }
}
