import { toStorable } from '@vizprompt/providers';

/**
 * The two long texts of a turn as its columns hold them, and where these are not the texts themselves,
 * `exact`: those as JSON. Otherwise it is `null`.
 */
export interface StoredTexts {
  readonly prompt: string;
  readonly response: string;
  readonly exact: string | null;
}

/** Each text is looked at once: a prompt is long, and every turn has one. */
export function storedTexts(prompt: string, response: string): StoredTexts {
  const stored = { prompt: toStorable(prompt), response: toStorable(response) };
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
