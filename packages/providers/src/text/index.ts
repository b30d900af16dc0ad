/**
 * Full text search for Japanese and everything else, on any database of the SDK.
 *
 * @module @vizprompt/providers/text
 */
export {
  topK,
  /** @deprecated Use `topK`. */
  topK as bestRows,
} from '../collections/top-k.ts';
export { createTextIndex } from './create-text-index.ts';
export type { Snippet } from '../strings/cut-snippet.ts';
export { snippetOf } from './snippet.ts';
export type { Term, TermTexts, TextAnalyzer } from '../analysis/text-analyzer.ts';
export type {
  MatchedGroup,
  NewRow,
  NewRows,
  TextHit,
  TextIndex,
  TextIndexOptions,
  TextIndexReport,
  TextRow,
  TextSearchOptions,
  TextMatches,
  TextMatchOptions,
} from './text-index.ts';
export { wordAnalyzer, type WordAnalyzerOptions } from '../analysis/word-analyzer.ts';
export type { Database } from '../index.ts';
