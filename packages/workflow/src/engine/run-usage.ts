import type { JsonObject, Usage } from '@vizprompt/providers';

const COUNTED = ['inputTokens', 'outputTokens', 'reasoningTokens', 'cachedInputTokens'] as const;

/** Adds up what the steps of a run used, as their journal entries say. */
export class RunUsage {
  readonly #sums: { [Name in (typeof COUNTED)[number]]?: number } = {};
  #isEstimated = false;
  #costUsd: number | undefined;

  add({ usage, costUsd }: JsonObject): void {
    if (typeof costUsd === 'number') this.#costUsd = (this.#costUsd ?? 0) + costUsd;
    if (typeof usage !== 'object' || usage === null || Array.isArray(usage)) return;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the agents
    const own = usage as Usage;
    for (const name of COUNTED) {
      const value = own[name];
      if (value !== undefined) this.#sums[name] = (this.#sums[name] ?? 0) + value;
    }
    if (own.estimated) this.#isEstimated = true;
  }

  total(): { readonly usage: Usage; readonly costUsd?: number } {
    return {
      usage: { ...this.#sums, ...(this.#isEstimated ? { estimated: true } : {}) },
      ...(this.#costUsd === undefined ? {} : { costUsd: this.#costUsd }),
    };
  }
}
