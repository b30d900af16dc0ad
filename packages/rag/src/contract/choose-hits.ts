/** A chunk that a search ranked, before a hit is made of it. */
export interface RankedId {
  readonly id: string;
  /** From 0 to 1. */
  readonly score: number;
}

/**
 * Given a page of ranked chunks, best first, says of which hits are to be made. Cutting snippets takes as
 * long as ranking, and who ranks again needs few of them.
 */
export type ChooseHits = (ranked: readonly RankedId[]) => Promise<ReadonlySet<string>>;
