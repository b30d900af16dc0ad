/** White space and marks that may be around a name: those of `**A**:`, `【A】：`, `Aさん：`. */
const BEFORE = /^[\s#*_[［【（(「『<]*/;
const COLON = /^[\]］】）)」』>*_\s]*(?:(?:さん|氏)[\]］】）)」』>*_\s]*)?[:：]/;
const LINE_ENDS = /(?<=[\n\r\u2028\u2029])/;

/**
 * Returns a text in which no line but the first begins as the words of another speaker do. Models like to
 * write the lines of others, too, and their readers would take those for said. Such a line
 * becomes a quote (`> A: ...`); no word is left out.
 */
export function withForgedLinesQuoted(text: string, names: readonly string[]): string {
  // Most turns are shown many times and have one line.
  if (!/[\n\r\u2028\u2029]/.test(text)) return text;
  const [first = '', ...rest] = text.split(LINE_ENDS);
  const folded = names.map((name) => name.toLowerCase());
  const quoted = rest.map((line) => (isForged(line, folded) ? `> ${line}` : line));
  return [first, ...quoted].join('');
}

function isForged(line: string, names: readonly string[]): boolean {
  const start = line.replace(BEFORE, '').toLowerCase();
  return names.some((name) => start.startsWith(name) && COLON.test(start.slice(name.length)));
}

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
    letter === '-' ? String.raw`[\p{Pd}\p{Pc}\u2212]` : `[${letter}${fullWidth(letter)}]`,
  );
  return new RegExp(`${SIGN}(?=${GAP}(?:${SLASH}${GAP})?${letters.join(GAP)})`, 'giu');
}

function fullWidth(letter: string): string {
  return String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0);
}
