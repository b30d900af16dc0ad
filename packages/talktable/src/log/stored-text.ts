/**
 * A text as a column can hold it: a database alters or refuses NUL and lone surrogates, so there they
 * become U+FFFD, and the text itself goes into the column `exact` as JSON.
 */
export function columnText(text: string): string {
  const whole = text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '\ufffd') : whole;
}

/** The two long texts of a turn as its columns hold them; `exact` is `null` where that is all. */
export interface StoredTexts {
  readonly prompt: string;
  readonly response: string;
  readonly exact: string | null;
}

/** Each text is looked at once: a prompt is long, and every turn has one. */
export function storedTexts(prompt: string, response: string): StoredTexts {
  const stored = { prompt: columnText(prompt), response: columnText(response) };
  const broken = {
    ...(stored.prompt === prompt ? {} : { prompt }),
    ...(stored.response === response ? {} : { response }),
  };
  const isWhole = Object.keys(broken).length === 0;
  return { ...stored, exact: isWhole ? null : JSON.stringify(broken) };
}

/** The texts of the column `exact`, by the column that they belong to. */
export function readExact(exact: string | null): Readonly<Record<string, string>> {
  if (exact === null) return {};
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by storedTexts
  return JSON.parse(exact) as Record<string, string>;
}
