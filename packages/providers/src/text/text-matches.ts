import type { TextSearchOptions } from './text-index.ts';

/** Options of `TextIndex.match`. */
export interface TextMatchOptions extends Pick<TextSearchOptions, 'where'> {
  /** A row must have one tag of each list. */
  readonly tags?: readonly (readonly string[])[];
  /** How many rows of one group are listed at most, the newest first. Default: 1,000. */
  readonly cap?: number;
  /** About so many rows, those of the rarest groups first, are told with all their groups. Default: 200. */
  readonly enough?: number;
  /** Rows with this tag are listed for frequent words only if there are no others. */
  readonly last?: string;
  readonly signal?: AbortSignal;
}

/** Terms that are looked for together: a word, or a phrase. */
export interface MatchedGroup {
  /** It says little by itself. */
  readonly isWeak: boolean;
  /** The share of the rows in scope that match, from 0 to 1; an estimate where not all are listed. */
  readonly share: number;
  /** How many rows are listed. */
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
  /** Those of the rows with words that are no frequent ones that have the tag `last`. */
  readonly last: ReadonlySet<number>;
}
