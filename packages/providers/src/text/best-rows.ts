/** A row with its score. */
export interface ScoredRow {
  readonly id: number;
  readonly bits: number;
  readonly score: number;
}

/**
 * The rows with the highest scores, best first, of equal ones the newest: without sorting them all.
 *
 * @param scoreOf - The score by the groups that a row matches.
 */
export function bestRows(
  rows: Iterable<readonly [id: number, bits: number]>,
  count: number,
  scoreOf: (bits: number) => number,
): readonly ScoredRow[] {
  const scores = new Map<number, number>();
  const best: ScoredRow[] = [];
  for (const [id, bits] of rows) {
    let score = scores.get(bits);
    if (score === undefined) {
      score = scoreOf(bits);
      scores.set(bits, score);
    }
    const worst = best.length < count ? undefined : best.at(-1);
    if (worst && (score < worst.score || (score === worst.score && id < worst.id))) continue;
    let place = best.length;
    for (let before = best[place - 1]; before; before = best[place - 1]) {
      if (before.score > score || (before.score === score && before.id > id)) break;
      place--;
    }
    best.splice(place, 0, { id, bits, score });
    if (best.length > count) best.pop();
  }
  return best;
}
