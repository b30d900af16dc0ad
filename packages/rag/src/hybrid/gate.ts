import type { KeywordFacts, RankedId } from '../contract/search-backend.ts';

/** Where the share of a question that the best text has is less, words may need help. */
const DEFAULT_GATE = 0.6;
/** How unlikely it must be that lists without any relation share as many hits. */
const BY_CHANCE = 0.01;

/** The lists of both sides, as far as the gate needs them. */
interface ComparedSides extends KeywordFacts {
  readonly keyword: readonly Pick<RankedId, 'id'>[];
  readonly vector: readonly Pick<RankedId, 'id'>[];
}

/**
 * Checks whether vectors may change the order of what words have found: the words are not sure, and the vectors do not
 * seem to be noise. What a keyword backend from elsewhere does not report counts as sure.
 */
export function isOpen(
  { keyword, vector, coverage = 1, among = 0 }: ComparedSides,
  { gate = DEFAULT_GATE }: { readonly gate?: number | undefined },
): boolean {
  if (gate >= 1 || keyword.length === 0) return true;
  if (coverage >= gate) return false;
  const ids = new Set(keyword.map(({ id }) => id));
  const shared = vector.filter(({ id }) => ids.has(id)).length;
  const expected = (keyword.length * vector.length) / Math.max(among, keyword.length);
  return chanceOf(shared, expected) < BY_CHANCE;
}

/** Returns how likely at least `count` events are where `expected` are expected (Poisson). */
function chanceOf(count: number, expected: number): number {
  let term = Math.exp(-expected);
  let below = 0;
  for (let events = 0; events < count; events++) {
    below += term;
    term *= expected / (events + 1);
  }
  return Math.max(0, 1 - below);
}
