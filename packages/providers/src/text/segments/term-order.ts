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
