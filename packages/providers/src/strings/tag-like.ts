/** Invisible characters, which a forged tag may contain anywhere. */
const GAP = String.raw`[\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{M}]*`;
const SIGN = String.raw`[<\u2039\u2329\u27e8\u3008\ufe64\uff1c]`;
const SLASH = String.raw`[/\\\u2044\u2215\uff0f]`;

/**
 * Returns a pattern for the sign that begins anything that reads like a tag of a frame: in other cases and widths, with
 * other slashes, and with invisible characters.
 *
 * @param tag - Letters of ASCII and hyphens.
 *
 * @example
 * ```ts
 * const kept = text.replace(tagLike('recalled'), '&lt;');
 * ```
 */
export function tagLike(tag: string): RegExp {
  // Each letter also in full width, and each hyphen in every form that Unicode has.
  const letters = Array.from(tag, (letter) =>
    letter === '-' ? String.raw`[\p{Pd}_\u2212]` : `[${letter}${fullWidth(letter)}]`,
  );
  return new RegExp(`${SIGN}(?=${GAP}(?:${SLASH}${GAP})?${letters.join(GAP)})`, 'giu');
}

function fullWidth(letter: string): string {
  return String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0);
}
