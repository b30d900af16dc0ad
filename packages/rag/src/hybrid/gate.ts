import type { KeywordFacts, RankedId } from '../contract/search-backend.ts';
import type { Trust } from './agreement.ts';

/** Where the share of a question that the best text has is less, vectors count. */
const GATES: Readonly<Record<Trust, number>> = { unknown: 0, related: 0.6, proven: 0.7 };

/** Facts about a question that the gate needs. */
export interface GateFacts extends KeywordFacts {
  /** The hits of the words. */
  readonly keyword: readonly RankedId[];
  /** How far the vectors are known. Default: not at all. */
  readonly trust?: Trust;
}

/**
 * Checks whether vectors may change the order of what words have found: the words are not sure, and the vectors are no
 * noise. A keyword backend from elsewhere that reports nothing counts as sure.
 */
export function isOpen(
  { keyword, coverage = 1, trust = 'unknown' }: GateFacts,
  {
    gate,
    by,
  }: { readonly gate?: number | undefined; readonly by?: 'scores' | 'ranks' | undefined },
): boolean {
  if (keyword.length === 0 || (gate ?? 0) >= 1) return true;
  // Ranks do not show how much weaker a hit is.
  if (by === 'ranks' && trust === 'related') return false;
  return trust !== 'unknown' && coverage < (gate ?? GATES[trust]);
}
