import { bareTerm } from '../search/chunk-index.ts';

/** Ends of terms are stored up to this length, in UTF-16 code units; of longer ones the beginning. */
export const ENDING_UNITS = 16;

/**
 * Returns the ends of a term, itself among them: terms that end with a text have one that equals it, and terms that hold a
 * text have one that begins with it.
 */
export function endingsOf(term: string): ReadonlySet<string> {
  const bare = bareTerm(term);
  const endings = new Set<string>();
  for (let at = 0; at < bare.length; at++) endings.add(bare.slice(at, at + ENDING_UNITS));
  return endings;
}
