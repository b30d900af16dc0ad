import type { Usage } from '../models/events.ts';

/** What a model costs, in US dollars for a million tokens. */
export interface Price {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** For tokens from the provider's cache. Default: `inputPerMillion`. */
  readonly cachedInputPerMillion?: number | undefined;
}

/** Prices by model id. They change often, so the SDK knows none. */
export type PriceTable = Readonly<Record<string, Price>>;

/**
 * What a call cost, in US dollars. Numbers that the provider did not tell count as 0.
 *
 * @example
 * ```ts
 * const price = { inputPerMillion: 2, outputPerMillion: 8, cachedInputPerMillion: 0.5 };
 * costOf({ inputTokens: 1_000, cachedInputTokens: 600, outputTokens: 100 }, price); // 0.0019
 * ```
 */
export function costOf(usage: Usage, price: Price): number {
  const { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0 } = usage;
  const { inputPerMillion, outputPerMillion, cachedInputPerMillion = inputPerMillion } = price;
  const cached = Math.min(cachedInputTokens, inputTokens);
  const input = (inputTokens - cached) * inputPerMillion + cached * cachedInputPerMillion;
  return (input + outputTokens * outputPerMillion) / 1_000_000;
}
