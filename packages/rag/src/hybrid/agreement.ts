import type { KeywordFacts, RankedId } from '../contract/search-backend.ts';

/** Questions that the words answer for sure: their best text has this share of them. */
const SURE = 0.8;
/** How many of them are compared. */
const ENOUGH = 20;
/** Vectors that find the best text of the words first as often as this know what the texts are about. */
const PROVEN = 0.35;
/** Vectors that are as good as words do so for at least this share. */
const STRONG = 0.75;
/** How unlikely it must be that lists without any relation share as many hits. */
const BY_CHANCE = 0.001;

/**
 * Describes what is known of vectors: that they may be noise; that they find more of the same texts as words than by chance; or
 * that they also find the best texts.
 */
export type Trust = 'unknown' | 'related' | 'proven';

/** How often vectors and words had the same first hit, of questions that words are sure of. */
export interface AgreementCounts {
  readonly questions: number;
  readonly agreed: number;
}

/** The lists of both sides, best first, and how sure the words are. */
interface ComparedSides extends KeywordFacts {
  readonly keyword: readonly RankedId[];
  readonly vector: readonly RankedId[];
}

/** Compares what words and vectors find, question by question, and so learns how good the vectors are. */
export class Agreement {
  #questions = 0;
  #agreed = 0;
  /** Hits that both sides had, and how many that would be by chance. */
  #shared = 0;
  #expected = 0;
  readonly #onWeak: (counts: AgreementCounts) => void;

  /** @param onWeak - Called once, if vectors are much weaker than words. */
  constructor(onWeak: (counts: AgreementCounts) => void) {
    this.#onWeak = onWeak;
  }

  get trust(): Trust {
    if (this.#questions === ENOUGH && this.#agreed >= PROVEN * ENOUGH) return 'proven';
    return chanceOf(this.#shared, this.#expected) < BY_CHANCE ? 'related' : 'unknown';
  }

  /** Takes the lists of one more question into account. */
  compare({ keyword, vector, coverage = 0, among = 0 }: ComparedSides): void {
    const [first] = keyword;
    if (!first || vector.length === 0) return;
    const ids = new Set(keyword.map(({ id }) => id));
    this.#shared += vector.filter(({ id }) => ids.has(id)).length;
    this.#expected += (keyword.length * vector.length) / Math.max(among, keyword.length);
    if (coverage < SURE || this.#questions === ENOUGH) return;
    this.#questions++;
    if (vector[0]?.id === first.id) this.#agreed++;
    const [questions, agreed] = [this.#questions, this.#agreed];
    if (questions === ENOUGH && agreed < STRONG * questions) this.#onWeak({ questions, agreed });
  }
}

/** Returns about how likely at least `count` events are where `expected` are expected (Poisson). */
function chanceOf(count: number, expected: number): number {
  if (count <= expected) return 1;
  // Beyond some hundreds the terms vanish, and the normal distribution is as good.
  if (expected > 200) return (count - expected) ** 2 > 10 * expected ? 0 : 1;
  let term = Math.exp(-expected);
  let below = 0;
  for (let events = 0; events < count; events++) {
    below += term;
    term *= expected / (events + 1);
  }
  return Math.max(0, 1 - below);
}

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
