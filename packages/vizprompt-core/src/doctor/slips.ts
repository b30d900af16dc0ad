import { isUuid } from '../format/ids-and-times.ts';

/** Checks whether one word is the other with one or two slips: other case, a letter more, less or changed, two swapped. */
export function isLike(a: string, b: string): boolean {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  if (x === y) return true;
  return Math.min(x.length, y.length) > 2 && distance(x, y) <= (x.length > 5 ? 2 : 1);
}

/** Returns how many slips apart two words are. Source: optimal string alignment, Boytsov (2011), section 2.2. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const cell = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const row = rows[i];
      if (row) {
        row[j] = Math.min(
          cell(i - 1, j) + 1,
          cell(i, j - 1) + 1,
          cell(i - 1, j - 1) + change,
          isSwapped ? cell(i - 2, j - 2) + 1 : Infinity,
        );
      }
    }
  }
  return cell(a.length, b.length);
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
