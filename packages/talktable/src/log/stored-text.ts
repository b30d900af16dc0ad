/**
 * A text as a column can hold it: a database alters or refuses NUL and lone surrogates, so there they
 * become U+FFFD, and the text itself goes into the column `exact` as JSON.
 */
export function columnText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

/** The texts that their columns cannot hold, as JSON; `null` if there are none. */
export function exactTexts(texts: Readonly<Record<string, string>>): string | null {
  const broken = Object.entries(texts).filter(([, text]) => columnText(text) !== text);
  return broken.length > 0 ? JSON.stringify(Object.fromEntries(broken)) : null;
}

/** The texts of the column `exact`, by the column that they belong to. */
export function readExact(exact: string | null): Readonly<Record<string, string>> {
  if (exact === null) return {};
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by exactTexts
  return JSON.parse(exact) as Record<string, string>;
}
