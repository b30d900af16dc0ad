/** A mean with its 95 % interval. */
export interface Measure {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const ROUNDS = 2000;

/** The mean and its 95 % interval, by a bootstrap that draws whole groups. */
export function interval(values: readonly number[], groups: readonly string[]): Measure {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const [at, value] of values.entries()) {
    const { sum, count } = sums.get(groups[at] ?? '') ?? { sum: 0, count: 0 };
    sums.set(groups[at] ?? '', { sum: sum + value, count: count + 1 });
  }
  const drawn = [...sums.values()];
  const random = randomNumbers();
  const means = Array.from({ length: ROUNDS }, () => {
    let [sum, count] = [0, 0];
    for (let draw = 0; draw < drawn.length; draw++) {
      const one = drawn[Math.floor(random() * drawn.length)];
      sum += one?.sum ?? 0;
      count += one?.count ?? 0;
    }
    return sum / count;
  }).toSorted((a, b) => a - b);
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    low: means[Math.floor(ROUNDS * 0.025)] ?? 0,
    high: means[Math.floor(ROUNDS * 0.975)] ?? 0,
  };
}

/** The same numbers from 0 to 1 in every run (xorshift). */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}
