/** The distance in code units from hiragana to katakana of the same sound. */
const KANA_SHIFT = 0x60;
const ONLY_KATAKANA = /^[\u30a1-\u30fa\u30fc]+$/;
const ONLY_KANA = /^[\u3041-\u3096\u309d\u309e\u30a1-\u30fe]+$/;
/** From this length on, a long vowel at the end of a word in katakana is written or not. */
const FOLDED_LENGTH = 4;
const DAKUTEN = '\u3099';

/** Returns the same text with its hiragana turned to katakana. */
export function toKatakana(text: string): string {
  let katakana = '';
  for (let at = 0; at < text.length; at++) {
    katakana += String.fromCharCode(katakanaUnit(text.charCodeAt(at)));
  }
  return katakana;
}

/** Returns a UTF-16 unit, or the katakana of one that is hiragana. */
export function katakanaUnit(unit: number): number {
  return isHiragana(unit) ? unit + KANA_SHIFT : unit;
}

/** Returns the same text with its katakana turned to hiragana. */
export function toHiragana(text: string): string {
  let hiragana = '';
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    hiragana += String.fromCharCode(isHiragana(unit - KANA_SHIFT) ? unit - KANA_SHIFT : unit);
  }
  return hiragana;
}

/** Those that have katakana, as all kana and the two iteration marks do. */
function isHiragana(unit: number): boolean {
  return (unit >= 0x3041 && unit <= 0x3096) || unit === 0x309d || unit === 0x309e;
}

/** Checks whether a text is written in nothing but kana. */
export function isKana(text: string): boolean {
  return ONLY_KANA.test(text);
}

/** Takes the long vowel off the end of `サーバー`, but not of `コピー`. */
export function foldLongVowel(word: string): string {
  if (word.length < FOLDED_LENGTH || !word.endsWith('ー') || !ONLY_KATAKANA.test(word)) return word;
  return word.slice(0, -1);
}

/**
 * Returns the character that an iteration mark repeats: `ゝ` and `ヽ` the kana before it without a voicing mark,
 * `ゞ` and `ヾ` for that with one; the mark itself where there is none.
 */
export function expandIterationMark(mark: string, previous: string): string {
  if (!isKana(previous)) return mark;
  const plain = previous.normalize('NFD').charAt(0);
  if (mark === 'ゝ' || mark === 'ヽ') return plain;
  const composed = (plain + DAKUTEN).normalize('NFC');
  return composed.length === 1 ? composed : plain;
}

/**
 * The characters of Japanese, for a class of a regular expression with the flag `v`. `ー` and `゛`
 * belong to no script.
 */
export const JAPANESE =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30fb\\u30fc\\u3005-\\u3007\\u309b\\u309c';

const ANY_JAPANESE = new RegExp(`[${JAPANESE}]`, 'v');

/** Checks whether a text has a character of Japanese. */
export function hasJapanese(text: string): boolean {
  return ANY_JAPANESE.test(text);
}

/** Checks whether a UTF-16 unit is one of the common characters of Japanese; the rare ones are not. */
export function isJapaneseUnit(unit: number): boolean {
  return (unit >= 0x3041 && unit <= 0x30ff) || (unit >= 0x4e00 && unit <= 0x9fff);
}

/** Checks whether a UTF-16 unit is one of these, and can be a word alone. */
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

/** Returns a reading as it is inside of a compound: ビ of 花火. */
export function voiced(reading: string): string {
  return /^[カキクケコサシスセソタチツテトハヒフヘホ]/.test(reading)
    ? `${reading.slice(0, 1)}\u3099${reading.slice(1)}`.normalize('NFC')
    : reading;
}
