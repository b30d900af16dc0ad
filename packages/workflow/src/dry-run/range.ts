/** The least and the most of something. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

export const NOTHING: Range = { min: 0, max: 0 };

/** One after the other. */
export function plus(one: Range, other: Range): Range {
  return { min: one.min + other.min, max: one.max + other.max };
}

/** So many times. */
export function times(range: Range, count: Range): Range {
  return { min: range.min * count.min, max: range.max * count.max };
}

/** One of the two. */
export function either(one: Range, other: Range): Range {
  return { min: Math.min(one.min, other.min), max: Math.max(one.max, other.max) };
}
