// What @vizprompt/rag exports. Written by scripts/api-surface.mjs; do not edit.

// @vizprompt/rag

export interface Analyzer extends TextAnalyzer {
    readonly spec?: AnalyzerSpec;
    words(text: string): readonly Word[];
    readings(basic: string): readonly string[];
}

export type AnalyzerSpec = {
    readonly kind: 'compact';
    readonly dictionary: string;
} | {
    readonly kind: 'segmenter';
} | {
    readonly kind: 'bigram';
} | {
    readonly kind: 'kuromojin';
};

export declare class AozoraChunkingStrategy implements ChunkingStrategy {
    #private;
    readonly id: string;
    constructor(options?: ChunkingOptions);
    chunk(document: SourceDocument): Promise<readonly Chunk[]>;
}

export declare class AutoChunkingStrategy implements ChunkingStrategy {
    #private;
    readonly id: string;
    constructor(options?: ChunkingOptions);
    strategyFor(document: Pick<SourceDocument, 'filePath' | 'text'>): ChunkingStrategy;
    chunk(document: SourceDocument): Promise<readonly Chunk[]>;
}

export interface BackendStats {
    readonly chunks: number;
    readonly documents: number;
    readonly terms: number;
    readonly bytes: number;
    readonly analyzer: string;
}

export interface CacheService<Value> {
    get(key: string): Promise<Value | null>;
    set(key: string, value: Value, ttl?: number): Promise<void>;
    invalidate(pattern: string): Promise<void>;
}

export declare class Chunk implements ChunkFields {
    #private;
    readonly title: string;
    readonly content: string;
    readonly filePath: string;
    readonly startLine: number;
    readonly endLine: number;
    readonly chunkIndex: number;
    readonly novelId: string;
    readonly tags: readonly string[];
    readonly headingPath: readonly string[];
    readonly overlap: number;
    readonly ordinal: number;
    constructor(fields: ChunkFields, ordinal?: number);
    get own(): string;
    get baseId(): string;
    get id(): string;
    get hash(): string;
}

export interface ChunkFields {
    readonly title: string;
    readonly content: string;
    readonly filePath: string;
    readonly startLine: number;
    readonly endLine: number;
    readonly chunkIndex: number;
    readonly novelId: string;
    readonly tags?: readonly string[];
    readonly headingPath?: readonly string[];
    readonly overlap?: number;
}

export interface ChunkingOptions {
    readonly maxTokens?: number;
    readonly overlap?: number;
    readonly counter?: TokenCounter;
    readonly counterId?: string;
}

export interface ChunkingStrategy {
    readonly id: string;
    chunk(document: SourceDocument): Promise<readonly Chunk[]>;
}

export type CompactAnalyzerOptions = DictionaryOptions;

export interface ContextWriter {
    readonly id: string;
    write(chunk: Chunk, options: LongOptions): Promise<string>;
}

export interface CuttingOptions {
    readonly analyzer?: Analyzer;
    readonly chunking?: ChunkingStrategy;
}

export interface Diversity {
    readonly lambda?: number;
    readonly depth?: number;
}

export interface DocumentRef {
    readonly novelId: string;
    readonly filePath: string;
}

export interface EvaluateOptions extends LongOptions {
    readonly k?: number;
    readonly filter?: SearchFilter;
}

export interface Evaluation {
    readonly k: number;
    readonly questions: number;
    readonly hitAt1: Measure;
    readonly hitAtK: Measure;
    readonly mrr: Measure;
    readonly ndcg: Measure;
    readonly empty: number;
    readonly degraded: number;
    readonly ranks: readonly number[];
}

export interface EvaluationQuestion {
    readonly question: string;
    readonly relevant: readonly string[];
    readonly group?: string;
}

export interface Fusion {
    readonly by?: 'scores' | 'ranks';
    readonly weights?: {
        readonly keyword: number;
        readonly vector: number;
    };
    readonly rankConstant?: number;
    readonly depth?: number;
    readonly inStore?: boolean;
}

export interface HitSnippet {
    readonly text: string;
    readonly highlights: readonly (readonly [
        start: number,
        end: number
    ])[];
}

export declare class HybridBackend extends BaseBackend {
    #private;
    readonly events: TypedEvents<RagEvents>;
    protected readonly chunking: ChunkingStrategy;
    protected readonly title = "the hybrid index";
    private constructor();
    static open(options: HybridBackendOptions): Promise<HybridBackend>;
    catchUp(): Promise<number>;
    stats(): Promise<BackendStats>;
    compact(options?: LongOptions): Promise<void>;
    protected write(changes: readonly DocumentChange[], { signal }: LongOptions): Promise<UpdateReport>;
    protected answer(query: string, options: SearchOptions): Promise<SearchResults>;
    protected release(): Promise<void>;
}

export interface HybridBackendOptions extends VectorIndexOptions {
    readonly keyword: SearchBackend;
    readonly chunking?: ChunkingStrategy;
    readonly fusion?: Fusion;
    readonly analyzer?: Analyzer;
    readonly rerank?: Reranking;
    readonly mmr?: Diversity;
    readonly vectorTimeoutMs?: number;
    readonly retryAfterMs?: number;
}

export interface IndexReport {
    readonly indexed: number;
    readonly unchanged: number;
}

export interface IndexedDocument extends DocumentRef {
    readonly chunks: number;
}

export declare class IndexingError extends RagError {
    constructor(message: string, details?: ErrorDetails, code?: 'indexing-failed' | 'index-locked' | 'index-corrupt');
    static isInstance(value: unknown): value is IndexingError;
}

export declare class KeywordFlexBackend extends BaseBackend {
    #private;
    readonly events: TypedEvents<RagEvents>;
    protected readonly chunking: ChunkingStrategy;
    protected readonly title = "the index in memory";
    private constructor();
    static open(options: KeywordFlexBackendOptions): Promise<KeywordFlexBackend>;
    stats(): Promise<BackendStats>;
    compact({ signal }?: LongOptions): Promise<void>;
    protected write(changes: readonly DocumentChange[]): Promise<UpdateReport>;
    protected answer(query: string, options: SearchOptions): Promise<SearchResults>;
    protected release(): Promise<void>;
}

export interface KeywordFlexBackendOptions extends CuttingOptions {
    readonly synonyms?: Synonyms;
}

export interface LongOptions {
    readonly signal?: AbortSignal;
}

export declare const MAX_QUERY_LENGTH = 4096;

export declare class MarkdownChunkingStrategy implements ChunkingStrategy {
    #private;
    readonly id: string;
    constructor(options?: ChunkingOptions);
    chunk(document: SourceDocument): Promise<readonly Chunk[]>;
}

export interface Measure {
    readonly mean: number;
    readonly low: number;
    readonly high: number;
}

export interface Morpheme {
    readonly start: number;
    readonly end: number;
    readonly surface: string;
    readonly basic: string;
    readonly reading: string;
    readonly features: readonly string[];
}

export interface MorphologicalAnalyzer extends Analyzer {
    morphemes(text: string): readonly Morpheme[];
}

export type Occurrence = 'should' | 'must' | 'not';

export interface PartClause extends QueryRange {
    readonly kind: 'part';
    readonly occur: Occurrence;
    readonly text: string;
    readonly at: 'front' | 'back' | 'anywhere';
}

export interface PathClause extends QueryRange {
    readonly kind: 'path';
    readonly occur: 'must' | 'not';
    readonly glob: string;
}

export interface PhraseClause extends QueryRange {
    readonly kind: 'phrase';
    readonly occur: 'must' | 'not';
    readonly text: string;
    readonly field: 'any' | 'title';
}

export declare class PlainTextChunkingStrategy implements ChunkingStrategy {
    #private;
    readonly id: string;
    constructor(options?: ChunkingOptions);
    chunk(document: SourceDocument): Promise<readonly Chunk[]>;
}

export interface Progress {
    readonly done: number;
    readonly total?: number;
}

export declare class ProjectNotFoundError extends RagError {
    constructor(message: string, details?: ErrorDetails);
    static isInstance(value: unknown): value is ProjectNotFoundError;
}

export interface Query {
    readonly source: string;
    readonly clauses: readonly QueryClause[];
}

export type QueryClause = WordsClause | PhraseClause | PartClause | RegexClause | TagClause | PathClause;

export interface QueryRange {
    readonly start: number;
    readonly end: number;
}

export declare class RagError extends CodedError<RagErrorCode> {
    constructor(code: RagErrorCode, message: string, details?: ErrorDetails, name?: string);
    static isInstance(value: unknown): value is RagError;
}

export type RagErrorCode = 'project-not-found' | 'indexing-failed' | 'query-invalid' | 'search-failed' | 'dictionary-failed' | 'index-locked' | 'index-corrupt' | 'model-mismatch' | 'invalid-input' | 'closed';

export interface RagEvents {
    'index:progress': Progress & {
        readonly chunks: number;
    };
    'index:committed': {
        readonly added: number;
        readonly removed: number;
    };
    'index:discarded': {
        readonly reason: string;
    };
    'index:merged': {
        readonly segments: number;
        readonly chunks: number;
    };
    'index:merge-failed': {
        readonly error: unknown;
    };
    'vectors:progress': Progress;
    'vectors:queued': {
        readonly chunks: number;
        readonly error: unknown;
    };
    'vectors:caught-up': {
        readonly chunks: number;
    };
    'search:degraded': {
        readonly error: unknown;
    };
}

export interface RegexClause extends QueryRange {
    readonly kind: 'regex';
    readonly occur: 'must' | 'not';
    readonly source: string;
    readonly flags: string;
}

export interface Reranking {
    score(query: string, hits: readonly SearchHit[], options: LongOptions): Promise<readonly number[]>;
    readonly depth?: number;
}

export interface RetrieverOptions {
    readonly expand?: SearchOptions['expand'];
    readonly filter?: SearchFilter;
}

export interface ScorePart {
    readonly name: string;
    readonly value: number;
}

export interface SearchBackend {
    readonly specVersion: 1;
    add(chunks: Iterable<Chunk> | AsyncIterable<Chunk>, options?: LongOptions): Promise<void>;
    removeByFile(document: DocumentRef): Promise<number>;
    updateFile(document: SourceDocument, options?: LongOptions): Promise<UpdateReport>;
    updateChunks(document: DocumentRef, chunks: readonly Chunk[], options?: LongOptions): Promise<UpdateReport>;
    search(query: string, options?: SearchOptions): Promise<SearchResults>;
    searchAll(query: string, options?: SearchOptions): AsyncIterable<SearchHit>;
    stats(): Promise<BackendStats>;
    compact(options?: LongOptions): Promise<void>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export declare class SearchCache<Value = SearchResults> implements CacheService<Value> {
    #private;
    constructor(options?: SearchCacheOptions);
    get(key: string): Promise<Value | null>;
    set(key: string, value: Value, ttl?: number): Promise<void>;
    invalidate(pattern: string): Promise<void>;
    remember(key: string, make: () => Promise<Value>, ttl?: number): Promise<Value>;
}

export interface SearchCacheOptions {
    readonly maxEntries?: number;
    readonly ttl?: number;
    readonly now?: () => number;
}

export declare class SearchError extends RagError {
    readonly position?: number;
    constructor(message: string, details?: ErrorDetails & {
        readonly position?: number;
    }, code?: 'query-invalid' | 'search-failed');
    static isInstance(value: unknown): value is SearchError;
}

export interface SearchFilter {
    readonly projects?: readonly string[];
    readonly files?: readonly string[];
    readonly tags?: readonly string[];
}

export interface SearchHit {
    readonly id: string;
    readonly score: number;
    readonly snippet: string;
    readonly match: HitSnippet;
    readonly payload: {
        readonly file: string;
        readonly start: number;
        readonly end: number;
        readonly tags?: readonly string[];
    };
    readonly novelId: string;
    readonly title: string;
    readonly headingPath: readonly string[];
    readonly content: string;
    readonly context?: {
        readonly text: string;
        readonly start: number;
        readonly end: number;
    };
    readonly explanation?: readonly ScorePart[];
}

export interface SearchOptions extends LongOptions {
    readonly k?: number;
    readonly offset?: number;
    readonly filter?: SearchFilter;
    readonly explain?: boolean;
    readonly expand?: {
        readonly before?: number;
        readonly after?: number;
    };
}

export interface SearchResults {
    readonly hits: readonly SearchHit[];
    readonly total: number;
    readonly hint?: string;
    readonly degraded?: boolean;
}

export declare class SegmentBackend extends BaseBackend {
    #private;
    readonly events: TypedEvents<RagEvents>;
    readonly ready: Promise<void>;
    protected readonly chunking: ChunkingStrategy;
    protected readonly title: string;
    private constructor();
    static open(options: SegmentBackendOptions): Promise<SegmentBackend>;
    index(documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>, { signal }?: LongOptions): Promise<IndexReport>;
    documents(): readonly IndexedDocument[];
    stats(): Promise<BackendStats>;
    compact({ signal }?: LongOptions): Promise<void>;
    protected release(): Promise<void>;
    protected answer(query: string, options: SearchOptions): Promise<SearchResults>;
    protected write(changes: readonly DocumentChange[]): Promise<UpdateReport>;
    protected stampOf({ text, tags }: SourceDocument): string;
}

export interface SegmentBackendOptions extends CuttingOptions {
    readonly folder: string;
    readonly synonyms?: Synonyms;
    readonly on?: {
        readonly [Name in keyof RagEvents]?: Listener<RagEvents[Name]>;
    };
    readonly mayFork?: boolean;
    readonly lockTimeoutMs?: number;
    readonly logger?: Logger;
}

export interface SourceDocument {
    readonly novelId: string;
    readonly filePath: string;
    readonly text: string;
    readonly tags?: readonly string[];
}

export declare class SqliteFtsBackend extends BaseBackend {
    #private;
    readonly events: TypedEvents<RagEvents>;
    protected readonly chunking: ChunkingStrategy;
    protected readonly title: string;
    private constructor();
    static open(options: SqliteFtsBackendOptions): Promise<SqliteFtsBackend>;
    stats(): Promise<BackendStats>;
    compact({ signal }?: LongOptions): Promise<void>;
    protected write(changes: readonly DocumentChange[], { signal }: LongOptions): Promise<UpdateReport>;
    protected answer(query: string, options: SearchOptions): Promise<SearchResults>;
    protected release(): Promise<void>;
}

export interface SqliteFtsBackendOptions extends CuttingOptions {
    readonly database: Database;
    readonly synonyms?: Synonyms;
    readonly name?: string;
}

export type SynonymGroup = readonly string[];

export interface SynonymMatch {
    readonly start: number;
    readonly end: number;
    readonly alternatives: readonly (readonly string[])[];
}

export interface Synonyms {
    readonly size: number;
    expand(words: readonly Word[], text: string): readonly SynonymMatch[];
}

export interface TagClause extends QueryRange {
    readonly kind: 'tag';
    readonly occur: 'must' | 'not';
    readonly tag: string;
}

export interface UpdateReport {
    readonly added: number;
    readonly removed: number;
    readonly kept: number;
}

export declare class VectorBackend extends BaseBackend {
    #private;
    readonly events: TypedEvents<RagEvents>;
    protected readonly chunking: ChunkingStrategy;
    protected readonly title = "the index of vectors";
    private constructor();
    static open(options: VectorBackendOptions): Promise<VectorBackend>;
    catchUp(): Promise<number>;
    stats(): Promise<BackendStats>;
    compact({ signal }?: LongOptions): Promise<void>;
    protected write(changes: readonly DocumentChange[], { signal }: LongOptions): Promise<UpdateReport>;
    protected answer(source: string, options: SearchOptions): Promise<SearchResults>;
    protected release(): Promise<void>;
}

export interface VectorBackendOptions extends VectorIndexOptions {
    readonly chunking?: ChunkingStrategy;
}

export interface VectorIndexOptions {
    readonly database: Database;
    readonly store: VectorStore;
    readonly embeddings: EmbeddingModel;
    readonly name?: string;
    readonly context?: ContextWriter;
    readonly minScore?: number;
    readonly onUnavailable?: 'fallback' | 'throw';
}

export interface Word {
    readonly start: number;
    readonly end: number;
    readonly basic: string;
    readonly reading: string;
    readonly pos: string;
    readonly isContent: boolean;
    readonly extra?: readonly string[];
}

export interface WordsClause extends QueryRange {
    readonly kind: 'words';
    readonly occur: Occurrence;
    readonly text: string;
    readonly field: 'any' | 'title' | 'reading';
}

export declare function bigramAnalyzer(): Analyzer;

export declare function citationOf({ source: { uri, start, end } }: Passage): string;

export declare function compactAnalyzer(options?: CompactAnalyzerOptions): Promise<MorphologicalAnalyzer>;

export declare function evaluate(backend: SearchBackend, questions: readonly EvaluationQuestion[], { k, filter, signal }?: EvaluateOptions): Promise<Evaluation>;

export declare function formatEvaluation(evaluations: Readonly<Record<string, Evaluation>>): string;

export declare function kuromojinAnalyzer(): Promise<MorphologicalAnalyzer>;

export declare function parseQuery(source: string): Query;

export declare function parseSynonyms(source: string): readonly SynonymGroup[];

export declare function projectPatterns(project: string): readonly string[];

export declare function readSynonyms(source: string, analyzer: Analyzer): Synonyms;

export declare function retriever(backend: SearchBackend, options?: RetrieverOptions): Retriever;

export declare function searchKey(projects: readonly string[] | undefined, query: string, options?: SearchOptions): string;

export declare function segmenterAnalyzer(): Analyzer;

// @vizprompt/rag/testing

export interface BackendParts {
    readonly analyzer: Analyzer;
    readonly chunking: ChunkingStrategy;
}

export type OpenBackend = (parts: BackendParts) => Promise<OpenedBackend>;

export interface OpenedBackend {
    readonly backend: SearchBackend;
    reopen?(parts: BackendParts): Promise<SearchBackend>;
    close(): Promise<void>;
}

export interface SearchBackendSubject {
    readonly backend: SearchBackend;
    readonly analyzed: readonly string[];
    another(): Promise<SearchBackend>;
    reopen(analyzerId?: string): Promise<SearchBackend>;
}

export interface SearchBackendSuiteOptions extends Omit<SuiteOptions<SearchBackendSubject>, 'open'> {
    readonly open: OpenBackend;
    readonly isPersistent?: boolean;
}

export declare function openSubject(open: OpenBackend): Promise<OpenedSubject<SearchBackendSubject>>;

export declare const paragraphs: ChunkingStrategy;

export declare const persistentBackendCases: readonly ContractCase<SearchBackendSubject>[];

export declare function scriptAnalyzer(id?: string): Analyzer;

export declare const searchBackendCases: readonly ContractCase<SearchBackendSubject>[];

export declare function testSearchBackend(options: SearchBackendSuiteOptions): void;
