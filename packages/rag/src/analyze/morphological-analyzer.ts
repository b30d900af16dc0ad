import { type Analyzer, type AnalyzerSpec, termsOfWords } from './analyzer.ts';
import { isKana, toKatakana } from '../dictionary/kana-and-scripts.ts';
import type { Morpheme } from './morpheme.ts';
import { morphemeWords, toDictionaryText, type Morphology } from './morphemes.ts';
import { toNormalText } from './normal-text.ts';

/** Changes whenever the same morphemes would give other words. */
const VERSION = 8;

/** An analyzer that goes by a dictionary of Japanese. */
export interface MorphologicalAnalyzer extends Analyzer {
  /**
   * Returns the morphemes of a text in normal form, as the dictionary has them and before anything is joined
   * or left out. Offsets are those of the normal form.
   */
  morphemes(text: string): readonly Morpheme[];
}

/** Makes an analyzer of what cuts Japanese. */
export function morphologicalAnalyzer(
  morphology: Morphology,
  spec: AnalyzerSpec,
): MorphologicalAnalyzer {
  const words = morphemeWords(morphology);
  return {
    specVersion: 1,
    id: `${morphology.id}/words-${VERSION}`,
    spec,
    words,
    analyze: (text, mode) => termsOfWords(words(text), mode),
    morphemes: (text) => morphology.cut(toDictionaryText(toNormalText(text).text)),
    readings: (basic) => (isKana(basic) ? [toKatakana(basic)] : morphology.readings(basic)),
  };
}
