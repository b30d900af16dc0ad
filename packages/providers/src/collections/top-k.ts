import { checkArgument } from '../input/check-input.ts';
import { FUNCTION, type Kind } from '../input/kinds.ts';

/** A row with its score. */
interface ScoredRow {
  readonly id: number;
  readonly bits: number;
  readonly score: number;
}

const ITERABLE: Kind<never> = {
  expected: 'an array or another iterable',
  accepts: (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
};

/**
 * Returns the rows with the highest scores, best first, of equal ones the newest: without sorting them all.
 *
 * @param scoreOf - The score by the groups that a row matches.
 */
export function topK(
  rows: Iterable<readonly [id: number, bits: number]>,
  count: number,
  scoreOf: (bits: number) => number,
): readonly ScoredRow[] {
  checkArgument('the rows of bestRows', rows, ITERABLE);
  checkArgument('the score of bestRows', scoreOf, FUNCTION);
  const scores = new Map<number, number>();
  /** A heap: none is before those at twice its place, plus one and two, and the first is the last of the best. */
  const best: ScoredRow[] = [];
  for (const [id, bits] of rows) {
    let score = scores.get(bits);
    if (score === undefined) {
      score = scoreOf(bits);
      scores.set(bits, score);
    }
    if (best.length < count) {
      rise(best, { id, bits, score });
      continue;
    }
    const [last] = best;
    if (!last || score < last.score || (score === last.score && id < last.id)) continue;
    sink(best, { id, bits, score });
  }
  return best.toSorted(byPlace);
}

/** Adds a row to a heap. */
function rise(heap: ScoredRow[], row: ScoredRow): void {
  let at = heap.length;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const other = heap[above];
    if (!other || byPlace(row, other) <= 0) break;
    heap[at] = other;
    at = above;
  }
  heap[at] = row;
}

/** Puts a row instead of the first of a heap. */
function sink(heap: ScoredRow[], row: ScoredRow): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const [one, two] = [heap[left], heap[left + 1]];
    const isRight = one !== undefined && two !== undefined && byPlace(two, one) > 0;
    const below = isRight ? two : one;
    if (!below || byPlace(below, row) <= 0) break;
    heap[at] = below;
    at = isRight ? left + 1 : left;
  }
  heap[at] = row;
}

function byPlace(a: ScoredRow, b: ScoredRow): number {
  return b.score - a.score || b.id - a.id;
}
