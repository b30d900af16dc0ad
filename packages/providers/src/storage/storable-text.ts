/**
 * Checks whether every database keeps a text as it is. SQLite would alter NUL and lone surrogates, PostgreSQL refuses
 * them; a parameter that holds one fails with `invalid-text`.
 *
 * @example
 * ```ts
 * if (!isStorable(id)) return undefined; // no row has such an id
 * ```
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Returns a text as every database can keep it: NUL and lone surrogates become U+FFFD. */
export function toStorable(text: string): string {
  const whole = text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '\ufffd') : whole;
}
