/** The languages that {@link guessLanguage} distinguishes. */
export type Language = 'ja' | 'en';

/** Kana, and signs that only Japanese text has. */
const JAPANESE = /[\u3041-\u30ff\uff66-\uff9f。、「」]/g;
const HAN = /\p{Script=Han}/gu;
/** The length of the beginning that decides, in UTF-16 units. */
const SAMPLE = 4000;
/** The least share of kana and kanji in Japanese text. */
const LEAST_SHARE = 0.1;

/**
 * Guesses the language of a text: Japanese if there are kana, and they and kanji make up a tenth of its
 * beginning; else English.
 */
export function guessLanguage(text: string): Language {
  const sample = text.slice(0, SAMPLE);
  const kana = sample.match(JAPANESE)?.length ?? 0;
  const han = sample.match(HAN)?.length ?? 0;
  return kana > 0 && kana + han > sample.length * LEAST_SHARE ? 'ja' : 'en';
}
