/** A text as the pairs of characters that it has. */
export type PairSet = ReadonlySet<string>;

/** Longer texts are judged by their beginning: what a text is about does not come after that. */
const MAX_CHARACTERS = 4000;

/** The pairs of neighbouring letters and digits of a text, in any width and case. */
export function pairsOf(text: string): PairSet {
  const letters = text.slice(0, MAX_CHARACTERS).normalize('NFKC').toLowerCase();
  const characters = letters.match(/[\p{L}\p{N}]/gu) ?? [];
  if (characters.length === 1) return new Set(characters);
  return new Set(characters.slice(1).map((character, at) => `${characters[at]}${character}`));
}

/** Dice's coefficient: 0 for nothing in common, 1 for the same pairs. Two empty texts are the same. */
export function similarity(a: PairSet, b: PairSet): number {
  if (a.size + b.size === 0) return 1;
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let common = 0;
  for (const pair of small) if (large.has(pair)) common++;
  return (2 * common) / (a.size + b.size);
}
