import type { Usage } from '../models/events.ts';

/** The price of a model, in US dollars for a million tokens. */
export interface Price {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** For tokens from the provider's cache. Default: `inputPerMillion`. */
  readonly cachedInputPerMillion?: number | undefined;
  /** For tokens that are written to the provider's cache. Default: `inputPerMillion`. */
  readonly cacheWriteInputPerMillion?: number | undefined;
  /** For tokens that are spent on thinking. Default: `outputPerMillion`. */
  readonly reasoningPerMillion?: number | undefined;
}

/** Prices by model id. They change often, so the SDK knows none. */
export type PriceTable = Readonly<Record<string, Price>>;

/**
 * Returns the cost of a call, in US dollars. Numbers that the provider did not report count as 0.
 *
 * @example
 * ```ts
 * const price = { inputPerMillion: 2, outputPerMillion: 8, cachedInputPerMillion: 0.5 };
 * costOf({ inputTokens: 1_000, cachedInputTokens: 600, outputTokens: 100 }, price); // 0.0019
 * ```
 */
export function costOf(usage: Usage, price: Price): number {
  const { inputTokens = 0, outputTokens = 0, reasoningTokens = 0 } = usage;
  const { cachedInputTokens = 0, cacheWriteInputTokens = 0 } = usage;
  const { inputPerMillion, outputPerMillion } = price;
  const { cachedInputPerMillion = inputPerMillion, cacheWriteInputPerMillion = inputPerMillion } =
    price;
  const { reasoningPerMillion = outputPerMillion } = price;
  // A share is at most the whole.
  const cached = Math.min(cachedInputTokens, inputTokens);
  const written = Math.min(cacheWriteInputTokens, inputTokens - cached);
  const thought = Math.min(reasoningTokens, outputTokens);
  const cost =
    (inputTokens - cached - written) * inputPerMillion +
    cached * cachedInputPerMillion +
    written * cacheWriteInputPerMillion +
    (outputTokens - thought) * outputPerMillion +
    thought * reasoningPerMillion;
  return cost / 1_000_000;
}
