/** One replacement of a text in a file. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  /** Every place; otherwise the first. */
  readonly all: boolean;
}

/**
 * Applies replacements one after the other.
 *
 * @param lineChange - By how many lines the text is known to grow or shrink. Claude Code takes the
 * end of a line along when it deletes all that is on it; only this number shows whether it did.
 * @returns `undefined` if a text to replace is not there.
 */
export function replaceText(
  text: string,
  replacements: readonly Replacement[],
  lineChange?: number,
): string | undefined {
  const plain = applied(text, replacements, false);
  if (plain === undefined || lineChange === undefined) return plain;
  if (replacements.every(({ newText }) => newText !== '')) return plain;
  if (lineCount(plain) - lineCount(text) === lineChange) return plain;
  const withLineEnds = applied(text, replacements, true);
  if (withLineEnds === undefined) return plain;
  return lineCount(withLineEnds) - lineCount(text) === lineChange ? withLineEnds : plain;
}

function applied(
  text: string,
  replacements: readonly Replacement[],
  takesLineEnds: boolean,
): string | undefined {
  let result = text;
  for (const { oldText, newText, all } of replacements) {
    if (oldText === '') {
      // The way to fill a file that is empty or new.
      if (result !== '') return undefined;
      result = newText;
      continue;
    }
    const ended = `${oldText}\n`;
    const takesEnd = takesLineEnds && newText === '' && !oldText.endsWith('\n');
    const old = takesEnd && result.includes(ended) ? ended : oldText;
    if (!result.includes(old)) return undefined;
    // A function, since `$&` and its like in a string would be read as patterns.
    result = all ? result.replaceAll(old, () => newText) : result.replace(old, () => newText);
  }
  return result;
}

function lineCount(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
