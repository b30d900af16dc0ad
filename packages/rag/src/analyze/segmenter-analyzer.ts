import { type Analyzer, type Word, termsOfWords } from './analyzer.ts';
import { foreignWords } from './foreign-words.ts';
import {
  foldLongVowel,
  isKana,
  toKatakana,
  hasJapanese,
  ONLY_SIGNS,
  WRITTEN,
} from '../dictionary/kana-and-scripts.ts';
import { toWordText, addRuby, joinOverlaps, placeWord } from './normal-text.ts';
import { piecesOf } from './lattice.ts';

/** Changes whenever the same segments would give other words. */
const VERSION = 9;
/** Particles and endings, which the segmenter does not distinguish from other words. */
const FORM_WORDS = new Set(
  'は が を に で と も の へ や か ね よ な だ た て ば し から まで より など です ます ない う ん'.split(
    ' ',
  ),
);

/**
 * Returns an analyzer on `Intl.Segmenter`: it needs no dictionary, but knows neither basic forms nor parts of
 * speech. Its words depend on the version of ICU, which is part of its `id`.
 */
export function segmenterAnalyzer(): Analyzer {
  const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

  function words(original: string): readonly Word[] {
    const normal = toWordText(original);
    const found: Word[] = [];
    let at = 0;
    for (const piece of piecesOf(normal.text)) {
      addPiece(found, piece, at);
      at += piece.length;
    }
    const placed = found.map((word) => placeWord(word, normal.offsets));
    return addRuby(joinOverlaps(placed), normal);
  }

  function addPiece(found: Word[], piece: string, at: number): void {
    let reached = 0;
    for (const { index, segment, isWordLike = false } of segmenter.segment(piece)) {
      const end = index + segment.length;
      if (index < reached || !WRITTEN.test(segment)) continue;
      if (hasJapanese(segment)) {
        found.push(japaneseWord(segment, at + index, isWordLike));
        continue;
      }
      const foreign = foreignWords(piece, index, end, at);
      for (const word of foreign) found.push(word);
      reached = (foreign.at(-1)?.end ?? at) - at;
    }
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

function japaneseWord(segment: string, start: number, isWordLike: boolean): Word {
  return {
    start,
    end: start + segment.length,
    basic: foldLongVowel(segment).toLowerCase(),
    reading: isKana(segment) ? toKatakana(segment) : '',
    pos: '',
    isContent: isWordLike && !FORM_WORDS.has(segment) && !ONLY_SIGNS.test(segment),
  };
}
