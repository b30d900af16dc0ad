/**
 * Marks over and under letters of Latin and Greek, points of Hebrew, and the vowels and hamzas of Arabic, in decomposed
 * text. Marks of other scripts (Devanagari, Thai, the voicing marks of kana, й of Cyrillic) make other letters.
 */
const MARKS =
  /(?<=[\p{sc=Latin}\p{sc=Greek}]\p{Mn}{0,8})\p{Mn}|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]/gu;

/**
 * Letters that do not decompose, as keyboards without them write them.
 *
 * Source: Latin-ASCII of Unicode CLDR (https://github.com/unicode-org/cldr/blob/main/common/transforms/Latin-ASCII.xml);
 * ё is written е in most Russian texts.
 */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ł', 'l'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['þ', 'th'],
  ['ŧ', 't'],
  ['ё', 'е'],
]);
const ANY_LETTER = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'g');

const ASCII = /^[\0-\x7f]*$/;

/** Returns a word in lower case without its accents: `café` and `cafe`, `Straße` and `Strasse` are found by each other. */
export function foldAccents(lower: string): string {
  if (ASCII.test(lower)) return lower;
  const bare = lower.normalize('NFD').replace(MARKS, '').normalize('NFC');
  // A word of marks alone stays.
  if (bare === '') return lower;
  return bare.replace(ANY_LETTER, (letter) => LETTERS.get(letter) ?? letter);
}
