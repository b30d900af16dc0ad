import type { Analyzer, Word } from '../analyze/analyzer.ts';

const WORD = /\p{sc=Han}+|\p{sc=Hiragana}+|\p{sc=Katakana}+|[\p{L}\p{N}]+|[^\s]/gu;

/** Readings and parts that a dictionary would know. */
const READINGS: Readonly<Record<string, readonly string[]>> = {
  灯台: ['トウダイ'],
  海: ['ウミ'],
  鍵: ['カギ'],
};
const PARTS: Readonly<Record<string, readonly string[]>> = { 灯台守: ['灯台', '守'] };

/**
 * Returns an analyzer that cuts where the script changes: enough to test an index with, without a dictionary.
 * It knows how 灯台, 海 and 鍵 are read, and what 灯台守 is made of.
 */
export function scriptAnalyzer(id = 'script-1'): Analyzer {
  const words = (text: string): readonly Word[] =>
    [...text.matchAll(WORD)].map(({ 0: word, index }) => {
      const basic = word.normalize('NFKC').toLowerCase();
      const isContent =
        /[\p{sc=Han}\p{sc=Katakana}\p{L}\p{N}]/u.test(word) && !/^[ぁ-ん]{1,2}$/u.test(word);
      const end = index + word.length;
      const extra = Object.hasOwn(PARTS, basic) ? PARTS[basic] : undefined;
      const facts = { start: index, end, basic, reading: '', pos: '', isContent };
      return extra ? { ...facts, extra } : facts;
    });
  return {
    specVersion: 1,
    id,
    words,
    readings: (basic) => {
      if (Object.hasOwn(READINGS, basic)) return READINGS[basic] ?? [];
      return /^[ァ-ヶー]+$/u.test(basic) ? [basic] : katakanaOf(basic);
    },
    analyze: (text) =>
      words(text)
        .filter(({ isContent }) => isContent)
        .map(({ basic, start, end }, position) => ({ text: basic, start, end, position })),
  };
}

function katakanaOf(basic: string): readonly string[] {
  if (!/^[ぁ-んー]+$/u.test(basic)) return [];
  return [basic.replaceAll(/[ぁ-ん]/gu, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60))];
}
