import type { KeywordFacts, RankedId } from '../contract/search-backend.ts';

/** Questions that the words answer for sure: their best text has this share of them. */
const SURE = 0.8;
/** How many of them are compared. */
const ENOUGH = 30;
/** Vectors that are as good as words find their best text first for at least this share of them. */
const GOOD = 0.75;

/** How often vectors and words had the same first hit, of questions that words are sure of. */
export interface Agreement {
  readonly questions: number;
  readonly agreed: number;
}

/**
 * Compares the first hits of both sides while questions are asked, and reports once if vectors are much weaker than
 * words. A fusion without a gate, and one by ranks, then makes answers worse.
 */
export class WeakVectors {
  #questions = 0;
  #agreed = 0;
  readonly #report: (agreement: Agreement) => void;

  constructor(report: (agreement: Agreement) => void) {
    this.#report = report;
  }

  compare(
    keyword: readonly RankedId[],
    vector: readonly RankedId[],
    { coverage = 0 }: KeywordFacts,
  ): void {
    const [first] = keyword;
    if (coverage < SURE || !first || vector.length === 0 || this.#questions === ENOUGH) return;
    this.#questions++;
    if (vector[0]?.id === first.id) this.#agreed++;
    const [questions, agreed] = [this.#questions, this.#agreed];
    if (questions === ENOUGH && agreed < GOOD * questions) this.#report({ questions, agreed });
  }
}
