/**
 * The characters of Japanese, for a class of a regular expression with the flag `v`. `ー` and `゛`
 * belong to no script.
 */
export const JAPANESE =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30fb\\u30fc\\u3005-\\u3007\\u309b\\u309c';

const ANY_JAPANESE = new RegExp(`[${JAPANESE}]`, 'v');

/** Whether a text has a character of Japanese. */
export function hasJapanese(text: string): boolean {
  return ANY_JAPANESE.test(text);
}

/** Whether a UTF-16 unit is one of the common characters of Japanese; the rare ones are not. */
export function isJapaneseUnit(unit: number): boolean {
  return (unit >= 0x3041 && unit <= 0x30ff) || (unit >= 0x4e00 && unit <= 0x9fff);
}

/** Whether a UTF-16 unit is one of these, and can be a word alone. */
export function isLetterUnit(unit: number): boolean {
  return (
    isJapaneseUnit(unit) &&
    (unit <= 0x3096 || (unit >= 0x30a1 && unit !== 0x30fb && unit !== 0x30fc))
  );
}

/** A text without a letter or number: signs, or marks that lengthen and repeat others. */
export const ONLY_SIGNS: RegExp = /^[^\p{L}\p{N}]*$|^[ー々゛゜・]+$/u;

/** A text with a letter, number or picture. */
export const WRITTEN: RegExp = /[\p{L}\p{M}\p{N}\p{Extended_Pictographic}]/u;
