import type { TextSearchOptions } from './text-index.ts';

/** Options of `TextIndex.match`. */
export interface TextMatchOptions extends Pick<TextSearchOptions, 'where'> {
  /** A row must have one tag of each list. */
  readonly tags?: readonly (readonly string[])[];
  /**
   * How many rows of a frequent word are listed, the newest first. Frequent are words that more than five
   * times as many rows have, and those that make it more together with rarer words of the query. Of others
   * all rows are listed. Default: 500.
   */
  readonly cap?: number;
  /** Rows with this tag are listed for frequent words only if there are no others. */
  readonly last?: string;
  /** Ends the search. */
  readonly signal?: AbortSignal;
}

/** Terms that are looked for together: a word, or a phrase. */
export interface MatchedGroup {
  /** It says little by itself. */
  readonly isWeak: boolean;
  /** The share of the rows in scope that match, from 0 to 1; an estimate where not all are listed. */
  readonly share: number;
  /** How much it tells rows apart: its inverse frequency, 0 where no row matches. */
  readonly weight: number;
  /** How many rows match, where all are listed; otherwise 0. */
  readonly count: number;
  /** All rows that match are listed. */
  readonly isComplete: boolean;
}

/** Which rows match which groups of a query: what a ranking is made of. */
export interface TextMatches {
  /** At most 32. */
  readonly groups: readonly MatchedGroup[];
  /** Rows by number, with one bit for each group that is known to match: the lowest for the first. */
  readonly rows: ReadonlyMap<number, number>;
  /** Those of the rows with words that are not frequent that have the tag `last`. */
  readonly last: ReadonlySet<number>;
}
