/**
 * Full text search for Japanese and everything else, on any database of the SDK.
 *
 * @module @vizprompt/providers/text
 */
export { porterStem } from './porter.ts';
export { bestRows, type ScoredRow } from './best-rows.ts';
export { createTextIndex } from './create-text-index.ts';
export type { Snippet } from './cut-snippet.ts';
export { snippetOf, type SnippetOptions } from './snippet.ts';
export {
  joinedTerms,
  termTexts,
  type Term,
  type TermTexts,
  type TextAnalyzer,
  type WantedTerm,
} from './text-analyzer.ts';
export type {
  PutRow,
  RowNumber,
  TextHit,
  TextIndex,
  TextIndexOptions,
  TextIndexReport,
  TextRow,
  TextSearchOptions,
} from './text-index.ts';
export type { MatchedGroup, TextMatches, TextMatchOptions } from './text-matches.ts';
export { wordAnalyzer, type WordAnalyzerOptions } from './word-analyzer.ts';
