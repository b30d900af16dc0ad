/**
 * Calls `visit` with each pair of neighbouring characters of a folded text, as one number; pairs with
 * spaces and signs are left out.
 */
export function eachBigram(folded: Uint16Array, visit: (pair: number) => void): void {
  let before = 0;
  for (let at = 0; at < folded.length; at++) {
    const unit = folded[at] ?? 0;
    const isLetter = isLetterUnit(unit);
    if (isLetter && before !== 0) visit(before * 65_536 + unit);
    before = isLetter ? unit : 0;
  }
}

/** Spaces and signs of ASCII, Latin-1, general punctuation and CJK are none. */
export function isLetterUnit(unit: number): boolean {
  if (unit > 0x3020) return unit !== 0x30fb && unit !== 0xfffd;
  if (unit >= 0x3000) return unit === 0x3005 || unit === 0x3007;
  if (unit < 0x80) {
    return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
  }
  if (unit < 0xc0 || unit === 0xd7 || unit === 0xf7) return false;
  return unit < 0x2000 || unit > 0x2bff;
}
