/** An estimate of a mean over all cases there might be, of those that there are. */
export interface Estimate {
  readonly mean: number;
  /** The interval that holds the true mean with 95 % confidence; absent for a single case. */
  readonly low?: number;
  readonly high?: number;
  /** How many cases there are. */
  readonly cases: number;
}

/** Quantiles of Student's distribution for 95 %, two-sided, by degrees of freedom. */
const T = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145,
  2.131, 2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048,
  2.045, 2.042,
];
const Z = 1.96;

/**
 * Estimates a mean from the means of cases: repeated runs of one case are not independent, so that a case counts once. Where
 * all scores are right or wrong the interval is Wilson's, which has a width for a case that is always right; else Student's.
 */
export function estimate(means: readonly number[], isBinary: boolean): Estimate {
  const cases = means.length;
  const mean = means.reduce((sum, value) => sum + value, 0) / cases;
  if (cases < 2) return { mean, cases };
  const [low, high] = isBinary ? wilson(mean, cases) : student(mean, means);
  return { mean, low, high, cases };
}

function student(mean: number, values: readonly number[]): readonly [number, number] {
  const count = values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const half = (T[count - 2] ?? Z) * Math.sqrt(variance / count);
  return [mean - half, mean + half];
}

function wilson(mean: number, count: number): readonly [number, number] {
  const z2 = Z * Z;
  const centre = (mean + z2 / (2 * count)) / (1 + z2 / count);
  const half =
    (Z / (1 + z2 / count)) * Math.sqrt((mean * (1 - mean)) / count + z2 / (4 * count * count));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

/** Returns the mean of values; nothing of none. */
export function meanOf(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
