import { isUuid } from '../format/ids-and-times.ts';

/** Checks whether one word is the other with one or two slips: other case, a letter more, less or changed, two swapped. */
export function isLike(a: string, b: string): boolean {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  if (x === y) return true;
  return Math.min(x.length, y.length) > 2 && isWithin(x, y, x.length > 5 ? 2 : 1);
}

/**
 * Checks whether two words are at most some slips apart. Only cells that can be within this distance are filled.
 * Source: optimal string alignment, Boytsov (2011), section 2.2.
 */
function isWithin(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false;
  let [before, last]: [number[], number[]] = [[], Array.from({ length: most + 1 }, (_, j) => j)];
  let lastLeast = 0;
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [];
    let least = Infinity;
    for (let j = Math.max(0, i - most); j <= Math.min(b.length, i + most); j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const cell = Math.min(
        j === 0 ? i : Infinity,
        (last[j] ?? Infinity) + 1,
        (row[j - 1] ?? Infinity) + 1,
        (last[j - 1] ?? Infinity) + change,
        isSwapped ? (before[j - 2] ?? Infinity) + 1 : Infinity,
      );
      row[j] = cell;
      least = Math.min(least, cell);
    }
    // A swap goes back two rows.
    if (least > most && lastLeast > most) return false;
    [before, last, lastLeast] = [last, row, least];
  }
  return (last[b.length] ?? Infinity) <= most;
}

/** Returns an id in its usual form: in small letters, with dashes, without braces. */
export function plainId(id: string): string {
  const plain = id
    .normalize('NFKC')
    .trim()
    .replace(/^urn:uuid:/i, '')
    .replaceAll(/[{}\s"'“”‘’]/g, '')
    .replaceAll(/[_‐-―−ー]/g, '-')
    .toLowerCase();
  // Letters that look like digits.
  const digits = isUuid(plain) ? plain : plain.replaceAll('o', '0').replaceAll(/[il]/g, '1');
  const hex = digits.replaceAll('-', '');
  const dashed = /^[\da-f]{32}$/.test(hex)
    ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : plain;
  return isUuid(dashed) ? dashed : id;
}
