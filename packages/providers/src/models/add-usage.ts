import type { Usage } from './events.ts';

/** The counts of a {@link Usage}. */
export const USAGE_COUNTS: readonly Exclude<keyof Usage, 'estimated' | 'raw'>[] = [
  'inputTokens',
  'outputTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'cacheWriteInputTokens',
];

/** Adds the usage of several calls. A number that one of them did not report is left out of the sum. */
export function addUsage(...usages: readonly Usage[]): Usage {
  const total: Record<string, number> = {};
  for (const usage of usages) {
    for (const key of USAGE_COUNTS) {
      const value = usage[key];
      if (value !== undefined) total[key] = (total[key] ?? 0) + value;
    }
  }
  return usages.some(({ estimated }) => estimated) ? { ...total, estimated: true } : total;
}
