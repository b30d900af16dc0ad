/**
 * Returns the known name that was probably meant, or `undefined` if none is near: one that differs only
 * in case, `-` and `_`, or by a few characters.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const plain = plainly(name);
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(plain, plainly(candidate)) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [best] = ranked;
  const limit = Math.max(1, Math.floor(Array.from(plain).length / 3));
  return best && best.distance <= limit ? best.candidate : undefined;
}

function plainly(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '');
}

/** Levenshtein's distance, in characters. */
function editDistance(left: string, right: string): number {
  const [a, b] = [Array.from(left), Array.from(right)];
  let row = b.map((_, index) => index + 1);
  for (const [i, character] of a.entries()) {
    let diagonal = i;
    let before = i + 1;
    row = row.map((above, j) => {
      before = Math.min(above + 1, before + 1, diagonal + (character === b[j] ? 0 : 1));
      diagonal = above;
      return before;
    });
  }
  return row.at(-1) ?? a.length;
}
