/**
 * Full text search for Japanese and everything else, on any database of the SDK.
 *
 * @module @vizprompt/providers/text
 */
export { porterStem } from '../analysis/porter-stemmer.ts';
export { bestRows, topK, type ScoredRow } from './top-k.ts';
export { createTextIndex } from './create-text-index.ts';
export type { Snippet } from '../strings/cut-snippet.ts';
export { snippetOf, type SnippetOptions } from './snippet.ts';
export {
  joinedTerms,
  termTexts,
  type Term,
  type TermTexts,
  type TextAnalyzer,
  type WantedTerm,
} from '../analysis/text-analyzer.ts';
export type {
  PutRow,
  RowNumber,
  TextHit,
  TextIndex,
  TextIndexOptions,
  TextIndexReport,
  TextRow,
  TextSearchOptions,
  MatchedGroup,
  TextMatches,
  TextMatchOptions,
} from './text-index.ts';
export { wordAnalyzer, type WordAnalyzerOptions } from '../analysis/word-analyzer.ts';
