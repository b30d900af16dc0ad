import type { Analyzer, Word } from './analyzer.ts';
import { foreignWords } from './foreign-words.ts';
import { foldLongVowel, isKana, toKatakana } from './kana.ts';
import { toNormalText } from './normal-text.ts';
import { addRuby, placeWord } from './place-words.ts';
import { hasJapanese, ONLY_SIGNS } from './scripts.ts';
import { termsOfWords } from './terms-of-words.ts';

/** Changes whenever the same segments would give other words. */
const VERSION = 1;
/** Particles and endings, which the segmenter does not tell from other words. */
const FORM_WORDS = new Set(
  'は が を に で と も の へ や か ね よ な だ た て ば し から まで より など です ます ない う ん'.split(
    ' ',
  ),
);

/**
 * An analyser on `Intl.Segmenter`: it needs no dictionary, but knows neither basic forms nor parts of
 * speech. Its words depend on the version of ICU, which is part of its `id`.
 */
export function segmenterAnalyzer(): Analyzer {
  const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

  function words(original: string): readonly Word[] {
    const normal = toNormalText(original);
    const found: Word[] = [];
    let reached = 0;
    for (const { index, segment, isWordLike = false } of segmenter.segment(normal.text)) {
      const end = index + segment.length;
      if (index < reached || segment.trim() === '') continue;
      if (!hasJapanese(segment)) {
        if (ONLY_SIGNS.test(segment) && !isWordLike) continue;
        for (const word of foreignWords(normal.text, index, end, 0)) found.push(word);
        reached = found.at(-1)?.end ?? 0;
        continue;
      }
      found.push({
        start: index,
        end,
        basic: foldLongVowel(segment).toLowerCase(),
        reading: isKana(segment) ? toKatakana(segment) : '',
        pos: '',
        isContent: isWordLike && !FORM_WORDS.has(segment) && !ONLY_SIGNS.test(segment),
      });
    }
    return addRuby(
      found.map((word) => placeWord(word, normal.offsets)),
      normal,
    );
  }

  return {
    specVersion: 1,
    id: `segmenter-${VERSION}/icu-${process.versions['icu'] ?? 'unknown'}`,
    spec: { kind: 'segmenter' },
    words,
    analyze: (text, mode) => termsOfWords(words(text), mode),
    readings: (basic) => (isKana(basic) ? [toKatakana(basic)] : []),
  };
}
