/**
 * Shares out what there is: whoever needs less than an equal share gets all, and the others share
 * what is left.
 *
 * @returns One share for each need, in their order; together at most `available`.
 */
export function shareOut(needs: readonly number[], available: number): number[] {
  const shares = needs.map(() => 0);
  const byNeed = [...needs.entries()].toSorted(([a, x], [b, y]) => x - y || a - b);
  let left = Math.max(0, available);
  for (const [turn, [place, need]] of byNeed.entries()) {
    const share = Math.min(need, Math.floor(left / (needs.length - turn)));
    shares[place] = share;
    left -= share;
  }
  return shares;
}
