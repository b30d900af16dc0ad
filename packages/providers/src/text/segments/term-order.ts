/** Compares terms as the server does with the collation `C`: by their bytes in UTF-8. */
export function compareTerms(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x !== y) return x >= 0xd800 && y >= 0xd800 ? rankOf(x) - rankOf(y) : x - y;
  }
  return a.length - b.length;
}

/** Surrogates are parts of characters after all that one unit holds. */
function rankOf(unit: number): number {
  return unit >= 0xe000 ? unit - 0x2000 : unit + 0x2000;
}

/** Returns the first text after all that begin with `prefix`, in the order of {@link compareTerms}. */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

/**
 * Returns the places of terms in the order of {@link compareTerms}. Those that begin with the same two units are sorted
 * apart: each of the others is compared a few times instead of many.
 */
export function orderOfTerms(terms: readonly string[]): readonly number[] {
  const groups = new Map<number, number[]>();
  for (const [place, term] of terms.entries()) {
    const key = beginOf(term);
    const group = groups.get(key);
    if (group) group.push(place);
    else groups.set(key, [place]);
  }
  const order: number[] = [];
  for (const key of Float64Array.from(groups.keys()).toSorted()) {
    const group = groups.get(key) ?? [];
    group.sort((a, b) => compareTerms(terms[a] ?? '', terms[b] ?? ''));
    for (const place of group) order.push(place);
  }
  return order;
}

/** Returns a number for the first two units of a term, in their order. */
function beginOf(term: string): number {
  if (term.length === 0) return -1;
  const second = term.length === 1 ? 0 : placeOf(term.charCodeAt(1)) + 1;
  return placeOf(term.charCodeAt(0)) * 65_537 + second;
}

/** Surrogates come after all other units. */
function placeOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
