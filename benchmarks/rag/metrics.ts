/** How many answers are looked at. */
const DEPTH = 10;
const ROUNDS = 2000;

/** Averages over questions. */
export interface Quality {
  readonly hit_at_1: number;
  readonly hit_at_10: number;
  readonly mrr_at_10: number;
  readonly ndcg_at_10: number;
  readonly zero_results: number;
}

/** The place of the right answer among the first ten, from 1; 0 if it is not there. */
export function rankOf(answers: readonly number[], right: number): number {
  return answers.slice(0, DEPTH).indexOf(right) + 1;
}

/** How good the ranks of the right answers are; `answers` tells what came back at all. */
export function qualityOf(
  ranks: readonly number[],
  answers: readonly (readonly number[])[],
): Quality {
  return {
    hit_at_1: mean(ranks.map(hit)),
    hit_at_10: mean(ranks.map((rank) => Number(rank > 0))),
    mrr_at_10: mean(ranks.map(reciprocal)),
    ndcg_at_10: mean(ranks.map((rank) => (rank > 0 ? 1 / Math.log2(rank + 1) : 0))),
    zero_results: answers.filter(({ length }) => length === 0).length,
  };
}

export function hit(rank: number): number {
  return Number(rank === 1);
}

export function reciprocal(rank: number): number {
  return rank > 0 ? 1 / rank : 0;
}

/**
 * The 95 % interval of the mean of paired differences, by a bootstrap that draws whole groups: with
 * each question in a group of its own, the usual one; with those of an article together, one that does
 * not take them for independent.
 */
export function bootstrap(
  differences: readonly number[],
  groups: readonly string[],
): readonly [low: number, high: number] {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const [place, difference] of differences.entries()) {
    const group = groups[place] ?? '';
    const { sum, count } = sums.get(group) ?? { sum: 0, count: 0 };
    sums.set(group, { sum: sum + difference, count: count + 1 });
  }
  const drawn = [...sums.values()];
  const random = randomNumbers(1);
  const means = Array.from({ length: ROUNDS }, () => {
    let sum = 0;
    let count = 0;
    for (let draw = 0; draw < drawn.length; draw++) {
      const one = drawn[Math.floor(random() * drawn.length)];
      sum += one?.sum ?? 0;
      count += one?.count ?? 0;
    }
    return sum / count;
  }).toSorted((a, b) => a - b);
  return [means[Math.floor(ROUNDS * 0.025)] ?? 0, means[Math.floor(ROUNDS * 0.975)] ?? 0];
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The same numbers from 0 to 1 in every run (xorshift). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}
