/**
 * Retrieval for Japanese first: chunks, analysers, an index and its query language.
 *
 * @module @vizprompt/rag
 */
export { Chunk, type ChunkFields } from './chunk/chunk.ts';
export type { ChunkingStrategy, SourceDocument } from './chunk/chunking-strategy.ts';
export type { Analyzer, AnalyzerSpec, Word } from './analyze/analyzer.ts';
export type {
  BackendStats,
  DocumentRef,
  HitSnippet,
  LongOptions,
  ScorePart,
  SearchBackend,
  SearchFilter,
  SearchHit,
  SearchOptions,
  SearchResults,
  UpdateReport,
} from './backends/search-backend.ts';
export {
  KeywordFlexBackend,
  type KeywordFlexBackendOptions,
} from './backends/keyword-flex-backend.ts';
export { SqliteFtsBackend, type SqliteFtsBackendOptions } from './backends/sqlite-fts-backend.ts';
export {
  IndexingError,
  ProjectNotFoundError,
  RagError,
  SearchError,
  type RagErrorCode,
} from './errors.ts';
