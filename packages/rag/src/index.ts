/**
 * Retrieval for Japanese first: chunks, analyzers, an index and its query language.
 *
 * @example
 * ```ts
 * const backend = await SegmentBackend.open({
 *   folder: './index',
 *   analyzer: await compactAnalyzer(),
 *   chunking: new AutoChunkingStrategy(),
 * });
 * await backend.updateFile({ novelId: '灯台', filePath: 'contents/01.md', text });
 * const { hits } = await backend.search('嵐の夜に灯を守ったのは誰？');
 * ```
 *
 * @module @vizprompt/rag
 */
export { Chunk, type ChunkFields } from './chunk/chunk.ts';
export type { ChunkingStrategy, SourceDocument } from './chunk/chunking-strategy.ts';
export type { ChunkingOptions } from './chunk/chunking-strategy.ts';
export { AutoChunkingStrategy } from './chunk/auto-chunking-strategy.ts';
export { MarkdownChunkingStrategy } from './chunk/markdown-chunking-strategy.ts';
export { PlainTextChunkingStrategy } from './chunk/plain-text-chunking-strategy.ts';
export { AozoraChunkingStrategy } from './chunk/aozora-chunking-strategy.ts';
export type { Analyzer, Word } from './analyze/analyzer.ts';
export { bigramAnalyzer } from './analyze/bigram-analyzer.ts';
export { compactAnalyzer } from './analyze/compact-analyzer.ts';
export { kuromojinAnalyzer } from './analyze/kuromojin-analyzer.ts';
export { segmenterAnalyzer } from './analyze/segmenter-analyzer.ts';
export { readSynonyms, type Synonyms } from './contract/synonyms.ts';
export { compileThesaurus, type CompileThesaurusOptions } from './thesaurus/compile-thesaurus.ts';
export {
  openThesaurus,
  type OpenThesaurusOptions,
  type Thesaurus,
} from './thesaurus/open-thesaurus.ts';
export type { ThesaurusFacts } from './thesaurus/open-thesaurus.ts';
export type {
  BackendStats,
  DocumentRef,
  IndexReport,
  LongOptions,
  SearchBackend,
  SearchFilter,
  SearchHit,
  SearchOptions,
  SearchResults,
  UpdateReport,
} from './contract/search-backend.ts';
export { MAX_QUERY_LENGTH, parseQuery } from './query/parse-query.ts';
export type { Query, QueryClause } from './query/query.ts';
export type { CacheService } from './cache/search-cache.ts';
export { SearchCache, type SearchCacheOptions } from './cache/search-cache.ts';
export { projectPatterns, searchKey } from './cache/search-cache.ts';
export {
  KeywordFlexBackend,
  type KeywordFlexBackendOptions,
} from './backends/keyword-flex-backend.ts';
export {
  SqlBackend,
  type SqlBackendOptions,
  type SqlSpaceOptions,
} from './backends/sql-backend.ts';
export { SqliteFtsBackend, type SqliteFtsBackendOptions } from './backends/sqlite-fts-backend.ts';
export {
  IndexingError,
  ProjectNotFoundError,
  RagError,
  SearchError,
  type RagErrorCode,
} from './errors.ts';
export type { LanguageOptions } from './contract/language-options.ts';
export type { CuttingOptions } from './contract/backend-options.ts';
export { BaseBackend } from './contract/base-backend.ts';
export { SegmentBackend, type IndexedDocument } from './backends/segment-backend.ts';
export type { DocumentChange } from './contract/document-change.ts';
export type { SegmentBackendOptions } from './backends/segment-backend.ts';
export { loadRagConfig } from './config/load-rag-config.ts';
export type { RagConfig } from './config/rag-config.ts';
export type { WrittenFile } from './files/file-operations-service.ts';
export type { FileArea } from './files/file-area.ts';
export type {
  NovelFile,
  NovelFileList,
  NovelProject,
  NovelText,
} from './project/novel-repository.ts';
export { NovelService } from './project/novel-service.ts';
export type { NovelServiceOptions } from './project/novel-service-options.ts';
export type { NovelSearchOptions } from './project/search-project.ts';
export { ProjectIndexer } from './indexing/project-indexer.ts';
export type { ProjectIndexerOptions } from './indexing/project-indexer-options.ts';
export type { ProjectBackend } from './contract/project-backend.ts';
export type { NovelTexts } from './project/read-texts.ts';
export type { RefreshReport } from './indexing/refresh-project.ts';
export { IndexerManager, type IndexerManagerOptions } from './indexing/indexer-manager.ts';
export { VectorBackend, type VectorBackendOptions } from './backends/vector-backend.ts';
export { HybridBackend, type HybridBackendOptions } from './backends/hybrid-backend.ts';
export type { HybridSides } from './hybrid/hybrid-search.ts';
export type { Fusion } from './hybrid/fuse-hits.ts';
export type { Reranking } from './hybrid/rerank-hits.ts';
export type { Diversity } from './hybrid/rerank-hits.ts';
export { citationOf, retriever, type RetrieverOptions } from './retrieval/retriever.ts';
export { evaluate, type Evaluation, type EvaluationQuestion } from './retrieval/evaluate.ts';
export { formatProposal } from './retrieval/propose-fusion.ts';
export { proposeFusion, type FusionProposal } from './retrieval/propose-fusion.ts';
export { formatEvaluation } from './retrieval/evaluate.ts';

// Types that the exports above use, so that declarations can name them
export type { AnalyzerSpec } from './analyze/analyzer.ts';
export type { Morpheme } from './analyze/analyzer.ts';
export type { MorphologicalAnalyzer } from './analyze/morphological-analyzer.ts';
export type { VectorConfig } from './config/rag-config.ts';
export type { SynonymMatch } from './contract/synonyms.ts';
export type { Cutting } from './contract/backend-options.ts';
export type { IndexingEvents, NovelEvents, Progress, RagEvents } from './events.ts';
export type { NovelRepository } from './project/novel-repository.ts';
export type { Measure } from './retrieval/evaluate.ts';
export type { ContextWriter } from './vector/embedder.ts';
export type {
  Database,
  EmbeddingModel,
  FileStore,
  JsonObject,
  Logger,
  Retriever,
  Storage,
  TokenCounter,
  TypedEvents,
  VectorStore,
} from '@vizprompt/providers';
export type { ErrorJson, Listener, TermTexts } from '@vizprompt/providers/internal';
export type { Term } from '@vizprompt/providers/text';
