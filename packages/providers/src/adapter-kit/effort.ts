import type { ReasoningEffort } from '../models/request.ts';
import { listedValues } from './failure-words.ts';

/** A level that is asked for by name. */
export type Effort = Exclude<ReasoningEffort, 'default'>;

/** How much to think, from nothing to the most. */
export const EFFORTS: readonly Effort[] = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
];

/**
 * Returns the level nearest to the wanted one among those that a server takes. Thinking is not switched off unless that is
 * wanted, and between two levels that are as near, the one nearer to `high` is chosen, as DeepSeek does it.
 *
 * @returns `undefined` if the server takes none.
 */
export function nearestLevel<Level extends Effort>(
  wanted: Effort,
  levels: readonly Level[],
): Level | undefined {
  const exact = levels.find((level) => level === wanted);
  if (exact !== undefined) return exact;
  const thinking = levels.filter((level) => level !== 'none');
  const candidates = thinking.length > 0 ? thinking : levels;
  return candidates.toSorted(
    (one, other) =>
      distance(one, wanted) - distance(other, wanted) ||
      distance(one, 'high') - distance(other, 'high'),
  )[0];
}

/**
 * Returns the nearest of the levels that a server lists where it refuses one; `undefined` if it lists none, or only `none`
 * where thinking is wanted.
 */
export function nearestEffort(wanted: string, said: string): Effort | undefined {
  const values = listedValues(said);
  const listed = EFFORTS.filter((level) => values.includes(level) && level !== wanted);
  const nearest = nearestLevel(levelOf(wanted) ?? 'medium', listed);
  return nearest === 'none' ? undefined : nearest;
}

/**
 * Returns the next level on the way to `medium`; `undefined` if there is none, or if a server refuses the field and not
 * this level.
 */
export function milderEffort(wanted: string, said: string): Effort | undefined {
  const level = levelOf(wanted);
  if (level === undefined || !namesLevel(said, level)) return undefined;
  const at = EFFORTS.indexOf(level);
  const step = Math.sign(EFFORTS.indexOf('medium') - at);
  return step === 0 ? undefined : EFFORTS[at + step];
}

function levelOf(wanted: string): Effort | undefined {
  return EFFORTS.find((level) => level === wanted);
}

function namesLevel(said: string, level: Effort): boolean {
  return new RegExp(`['"\`]${level}['"\`]|[=:] ?${level}\\b`, 'i').test(said);
}

function distance(one: Effort, other: Effort): number {
  return Math.abs(EFFORTS.indexOf(one) - EFFORTS.indexOf(other));
}
