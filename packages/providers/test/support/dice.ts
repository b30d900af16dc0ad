import { createHash } from 'node:crypto';

/** Chooses, the same for the same seed. */
export interface Dice {
  /** Returns a whole number below `limit`. */
  below(limit: number): number;
  /** One of them. */
  of<T>(values: readonly T[]): T;
}

/** Creates dice by SHA-256. */
export function diceOf(seed: string): Dice {
  let state = seed;
  const below = (limit: number): number => {
    state = createHash('sha256').update(state).digest('hex');
    return Number.parseInt(state.slice(0, 8), 16) % limit;
  };
  return { below, of: (values) => values[below(values.length)]! };
}
