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
    chunk(document: SourceDocument, { signal }?: CutControl): Promise<readonly Chunk[]>;
}

export declare class AutoChunkingStrategy implements ChunkingStrategy {
    #private;
    readonly id: string;
    constructor(options?: ChunkingOptions);
    strategyFor(document: Pick<SourceDocument, 'filePath' | 'text'>): ChunkingStrategy;
    chunk(document: SourceDocument, options?: CutControl): Promise<readonly Chunk[]>;
}

export interface BackendStats {
    readonly chunks: number;
    readonly documents: number;
    readonly terms: number;
    readonly bytes: number;
    readonly analyzer: string;
}

export declare abstract class BaseBackend implements SearchBackend {
    #private;
    readonly specVersion = 1;
    protected abstract readonly chunking: ChunkingStrategy;
    protected abstract readonly title: string;
    protected abstract write(changes: readonly DocumentChange[], options: LongOptions): Promise<UpdateReport>;
    protected indexInGroups(documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>, options: LongOptions, { differs, onIndexed, groupChunks, groupDocuments, prepare, }: GroupIndexing): Promise<IndexReport>;
    protected abstract answer(query: string, options: SearchOptions, choose?: ChooseHits): Promise<SearchResults>;
    protected abstract release(): Promise<void>;
    abstract stats(): Promise<BackendStats>;
    abstract compact(options?: LongOptions): Promise<void>;
    protected stampOf(_document: SourceDocument): string | undefined;
    add(chunks: Iterable<Chunk> | AsyncIterable<Chunk>, options?: LongOptions): Promise<void>;
    removeByFile(document: DocumentRef): Promise<number>;
    updateFile(document: SourceDocument, options?: LongOptions): Promise<UpdateReport>;
    updateFiles(documents: readonly SourceDocument[], removed?: readonly DocumentRef[], options?: LongOptions): Promise<UpdateReport>;
    writeDocuments(changes: readonly DocumentChange[], options?: LongOptions): Promise<UpdateReport>;
    updateChunks(document: DocumentRef, chunks: readonly Chunk[], options?: LongOptions): Promise<UpdateReport>;
    search(query: string, options?: SearchOptions): Promise<SearchResults>;
    searchChosen(query: string, options: SearchOptions, choose: ChooseHits): Promise<SearchResults>;
    searchAll(query: string, options?: SearchOptions): AsyncIterable<SearchHit>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
    protected get isClosed(): boolean;
    protected assertOpen(): void;
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
    readonly startColumn: number | undefined;
    readonly endLine: number;
    readonly chunkIndex: number;
    readonly novelId: string;
    readonly tags: readonly string[];
    readonly headingPath: readonly string[];
    readonly overlap: number;
    readonly ordinal: number;
    constructor(fields: ChunkFields, ordinal?: number);
    get own(): string;
    get endColumn(): number | undefined;
    get baseId(): string;
    get id(): string;
    get hash(): string;
}

export interface ChunkFields extends ChunkPosition {
    readonly title: string;
    readonly content: string;
    readonly filePath: string;
    readonly novelId: string;
    readonly tags?: readonly string[];
    readonly headingPath?: readonly string[];
    readonly overlap?: number;
}

export interface ChunkingOptions {
    readonly maxTokens?: number | undefined;
    readonly overlap?: number | undefined;
    readonly chapters?: boolean | undefined;
    readonly counter?: TokenCounter | undefined;
    readonly counterId?: string | undefined;
}

export interface ChunkingStrategy {
    readonly id: string;
    chunk(document: SourceDocument, options?: CutControl): Promise<readonly Chunk[]>;
}

export interface CompileThesaurusOptions {
    readonly source: string;
    readonly analyzer: Analyzer;
    readonly path: string;
    readonly notice?: string | undefined;
}

export interface ContextWriter {
    readonly id: string;
    write(chunk: Chunk, options: LongOptions): Promise<string>;
}

export type Cutting<Options extends CuttingOptions> = Options & {
    readonly analyzer: Analyzer;
    readonly chunking: ChunkingStrategy;
};

export interface CuttingOptions {
    readonly analyzer?: Analyzer | undefined;
    readonly chunking?: ChunkingStrategy | undefined;
}

export interface Database extends SqlExecutor {
    readonly specVersion: 1;
    readonly dialect: Dialect;
    batch(statements: readonly Statement[]): Promise<readonly number[]>;
    batchRows(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>;
    transaction<T>(work: (tx: SqlExecutor) => Promise<T>, options?: TransactionOptions): Promise<T>;
    migrate(component: string, migrations: readonly Migration[]): Promise<void>;
    backup(path: string): Promise<void>;
    purge?(): Promise<void>;
}

export interface Diversity {
    readonly lambda?: number | undefined;
    readonly depth?: number | undefined;
}

export interface DocumentChange extends DocumentRef {
    readonly chunks: readonly Chunk[];
    readonly isAddition?: boolean;
    readonly stamp?: string;
}

export interface DocumentRef {
    readonly novelId: string;
    readonly filePath: string;
}

export interface EmbeddingModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly maxBatch: number;
    readonly dimensions?: number;
    embed(request: EmbeddingRequest): Promise<EmbeddingResult>;
}

export interface ErrorJson {
    readonly name: string;
    readonly code: string;
    readonly message: string;
    readonly context: Readonly<Record<string, unknown>>;
    readonly cause?: string;
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
    readonly group?: string | undefined;
}

export type FileArea = 'settings' | 'contents';

export interface FileStore {
    readonly specVersion: 1;
    read(key: string, options?: ReadOptions): Promise<StoredFile | null>;
    write(key: string, content: string | Uint8Array, condition?: WriteCondition): Promise<{
        readonly version: string;
    }>;
    writeMany(changes: readonly FileChange[]): Promise<readonly (string | null)[]>;
    append(key: string, content: string | Uint8Array, options?: AppendOptions): Promise<{
        readonly version: string;
    }>;
    delete(key: string, condition?: WriteCondition): Promise<boolean>;
    list(prefix: string): AsyncIterable<FileEntry>;
    lock(name: string, options?: LockOptions): Promise<HeldLock>;
    purge?(): Promise<void>;
}

export interface Fusion {
    readonly gate?: number | undefined;
    readonly by?: 'scores' | 'ranks' | undefined;
    readonly weights?: {
        readonly keyword: number;
        readonly vector: number;
    } | undefined;
    readonly rankConstant?: number | undefined;
    readonly depth?: number | undefined;
    readonly inStore?: boolean | undefined;
}

export interface FusionProposal {
    readonly words: Evaluation;
    readonly vectors: Evaluation;
    readonly tried: readonly TriedFusion[];
    readonly proposed?: TriedFusion;
}

export declare class HybridBackend extends BaseBackend {
    #private;
    readonly events: TypedEvents<RagEvents>;
    readonly ready: Promise<void>;
    protected readonly chunking: ChunkingStrategy;
    protected readonly title = "the hybrid index";
    private constructor();
    static open(options: HybridBackendOptions): Promise<HybridBackend>;
    catchUp(): Promise<number>;
    index(documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>, options?: LongOptions): Promise<IndexReport>;
    documents(): Promise<readonly DocumentRef[]>;
    sides(query: string, options?: LongOptions & Pick<SearchOptions, 'filter'>): Promise<HybridSides>;
    stats(): Promise<BackendStats>;
    compact(options?: LongOptions): Promise<void>;
    protected write(changes: readonly DocumentChange[], { signal }: LongOptions): Promise<UpdateReport>;
    protected answer(query: string, options: SearchOptions): Promise<SearchResults>;
    protected release(): Promise<void>;
}

export interface HybridBackendOptions extends VectorIndexOptions {
    readonly keyword: SearchBackend & Pick<ProjectBackend, 'ready'>;
    readonly chunking?: ChunkingStrategy | undefined;
    readonly fusion?: Fusion | undefined;
    readonly analyzer?: Analyzer | undefined;
    readonly rerank?: Reranking | undefined;
    readonly mmr?: Diversity | undefined;
    readonly vectorTimeoutMs?: number | undefined;
    readonly onClosed?: (() => Promise<void>) | undefined;
    readonly retryAfterMs?: number | undefined;
}

export interface HybridSides extends KeywordFacts {
    readonly keyword: readonly SearchHit[];
    readonly vector: readonly SearchHit[];
}

export interface IndexReport {
    readonly indexed: number;
    readonly unchanged: number;
}

export interface IndexedDocument extends DocumentRef {
    readonly chunks: number;
}

export declare class IndexerManager {
    #private;
    constructor(options: IndexerManagerOptions);
    get projects(): readonly string[];
    use<T>(project: string, work: (indexer: ProjectIndexer) => Promise<T>): Promise<T>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export interface IndexerManagerOptions {
    readonly open: (project: string, options: {
        readonly signal: AbortSignal;
    }) => Promise<ProjectIndexer>;
    readonly idleMs?: number | undefined;
    readonly logger?: Logger | undefined;
}

export declare class IndexingError extends RagError {
    constructor(message: string, details?: ErrorDetails, code?: 'indexing-failed' | 'index-locked' | 'index-corrupt');
    static isInstance(value: unknown): value is IndexingError;
}

export interface IndexingEvents {
    'index:waiting': object;
    'index:started': {
        readonly files: number;
        readonly removed: number;
    };
    'index:progress': Progress & {
        readonly path: string;
    };
    'index:finished': {
        readonly indexed: number;
        readonly removed: number;
        readonly unchanged: number;
        readonly failed: number;
    };
    'index:failed': {
        readonly error: unknown;
    };
    'index:changed': {
        readonly byOthers: boolean;
    };
    'file:indexed': {
        readonly path: string;
    };
    'file:removed': {
        readonly path: string;
    };
    'file:failed': {
        readonly path: string;
        readonly error: IndexingError;
    };
    'watch:ready': {
        readonly isPolling: boolean;
    };
    'watch:failed': {
        readonly error: unknown;
    };
}

export type JsonObject = {
    readonly [key: string]: JsonValue;
};

export declare class KeywordFlexBackend extends BaseBackend {
    #private;
    readonly events: TypedEvents<RagEvents>;
    protected readonly chunking: ChunkingStrategy;
    protected readonly title = "the index in memory";
    private constructor();
    static open(options?: KeywordFlexBackendOptions): Promise<KeywordFlexBackend>;
    stats(): Promise<BackendStats>;
    compact(options?: LongOptions): Promise<void>;
    protected write(changes: readonly DocumentChange[]): Promise<UpdateReport>;
    protected answer(query: string, options: SearchOptions): Promise<SearchResults>;
    protected release(): Promise<void>;
}

export interface KeywordFlexBackendOptions extends LanguageOptions {
}

export interface LanguageOptions extends CuttingOptions {
    readonly synonyms?: Synonyms | undefined;
    readonly thesaurus?: Synonyms | undefined;
    readonly romaji?: boolean | undefined;
}

export type Listener<Payload> = (payload: Payload) => unknown;

export type Logger = {
    readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void;
};

export interface LongOptions {
    readonly signal?: AbortSignal | undefined;
}

export declare const MAX_QUERY_LENGTH = 4096;

export declare class MarkdownChunkingStrategy implements ChunkingStrategy {
    #private;
    readonly id: string;
    constructor(options?: ChunkingOptions);
    chunk(document: SourceDocument, { signal }?: CutControl): Promise<readonly Chunk[]>;
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

export interface NovelEvents {
    'dictionary:progress': Progress;
    'project:progress': Progress & {
        readonly novelId: string;
    };
    'file:written': {
        readonly novelId: string;
        readonly path: string;
        readonly created: boolean;
    };
    'file:failed': {
        readonly novelId: string;
        readonly path: string;
        readonly error: IndexingError;
    };
    'file:indexed': {
        readonly novelId: string;
        readonly path: string;
    };
    'file:removed': {
        readonly novelId: string;
        readonly path: string;
    };
    'index:failed': {
        readonly novelId: string;
        readonly error: unknown;
    };
    'search:degraded': {
        readonly novelId: string;
        readonly error: unknown;
    };
    'vectors:queued': {
        readonly novelId: string;
        readonly chunks: number;
        readonly error: unknown;
    };
    'vectors:refused': {
        readonly novelId: string;
        readonly chunks: readonly RefusedChunk[];
    };
    'vectors:weak': {
        readonly novelId: string;
        readonly questions: number;
        readonly agreed: number;
    };
    'vectors:caught-up': {
        readonly novelId: string;
        readonly chunks: number;
    };
}

export interface NovelFile {
    readonly path: string;
    readonly bytes: number;
    readonly modified: string;
    readonly preview: string;
    readonly problem?: string;
}

export interface NovelFileList {
    readonly files: readonly NovelFile[];
    readonly total: number;
    readonly nextOffset?: number;
}

export interface NovelProject {
    readonly id: string;
    readonly title: string;
    readonly author?: string;
    readonly description?: string;
    readonly tags: readonly string[];
    readonly metadata: JsonObject;
    readonly problem?: string;
}

export interface NovelRepository {
    listProjects(): Promise<readonly NovelProject[]>;
    getProject(projectId: string): Promise<NovelProject>;
    getSettings(projectId: string, page?: Page): Promise<NovelFileList>;
    getContent(projectId: string, page?: Page): Promise<NovelFileList>;
    getInstructions(projectId: string): Promise<NovelFileList>;
    readText(projectId: string, area: FileArea | 'instructions', file: string, range?: LineRange): Promise<NovelText>;
    writeText(projectId: string, area: FileArea, file: string, content: string, options?: WriteFileOptions): Promise<WrittenFile>;
}

export interface NovelSearchOptions extends Omit<SearchOptions, 'filter'> {
    readonly area?: FileArea | undefined;
    readonly files?: readonly string[] | undefined;
    readonly tags?: readonly string[] | undefined;
}

export declare class NovelService implements AsyncDisposable {
    #private;
    readonly events: TypedEvents<NovelEvents>;
    readonly repository: NovelRepository;
    readonly searchLimits: RagConfig['search'];
    private constructor();
    static open(options: NovelServiceOptions): Promise<NovelService>;
    listProjects(): Promise<readonly NovelProject[]>;
    getProject(projectId: string): Promise<NovelProject>;
    list(projectId: string, place: Place, page?: Page): Promise<NovelFileList>;
    read(projectId: string, place: Place, request?: TextRequest): Promise<NovelTexts>;
    search(projectId: string, query: string, options?: NovelSearchOptions): Promise<SearchResults>;
    searchAll(projectId: string, query: string, options?: NovelSearchOptions): AsyncIterable<SearchHit>;
    proposeFusion(projectId: string, questions: readonly EvaluationQuestion[], options?: Omit<EvaluateOptions, 'filter'>): Promise<FusionProposal | undefined>;
    index(projectId: string, options?: LongOptions): Promise<RefreshReport>;
    watch(projectId: string, options?: LongOptions): Promise<void>;
    add(projectId: string, area: FileArea, file: string, content: string, options?: WriteFileOptions): Promise<WrittenFile>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export interface NovelServiceOptions {
    readonly config: RagConfig;
    readonly analyzer?: Analyzer | undefined;
    readonly thesaurus?: Synonyms | undefined;
    readonly openBackend?: ((indexFolder: string, cutting: Cutting<LanguageOptions>) => Promise<SearchBackend>) | undefined;
    readonly storage?: Storage | undefined;
    readonly embeddings?: EmbeddingModel | undefined;
    readonly indexFolder?: ((projectId: string) => string) | undefined;
    readonly maxFileBytes?: number | undefined;
    readonly watch?: boolean | undefined;
    readonly usePolling?: boolean | undefined;
    readonly idleMs?: number | undefined;
    readonly on?: {
        readonly [Name in keyof NovelEvents]?: Listener<NovelEvents[Name]> | undefined;
    } | undefined;
    readonly logger?: Logger | undefined;
}

export interface NovelText {
    readonly path: string;
    readonly text: string;
    readonly startLine: number;
    readonly startColumn?: number;
    readonly endLine: number;
    readonly endColumn?: number;
    readonly totalLines: number;
    readonly nextLine?: number;
    readonly nextColumn?: number;
    readonly problem?: string;
}

export interface NovelTexts {
    readonly files: readonly NovelText[];
    readonly total: number;
    readonly nextOffset?: number;
}

export interface OpenThesaurusOptions {
    readonly path: string;
    readonly analyzer: Analyzer;
}

export declare class PlainTextChunkingStrategy implements ChunkingStrategy {
    #private;
    readonly id: string;
    constructor(options?: ChunkingOptions);
    chunk(document: SourceDocument, { signal }?: CutControl): Promise<readonly Chunk[]>;
}

export interface Progress {
    readonly done: number;
    readonly total?: number;
}

export interface ProjectBackend extends SearchBackend {
    updateFiles?(documents: readonly SourceDocument[], removed?: readonly DocumentRef[], options?: LongOptions): Promise<unknown>;
    index?(documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>, options?: LongOptions): Promise<unknown>;
    documents?(): Iterable<DocumentRef> | Promise<Iterable<DocumentRef>>;
    readonly ready?: Promise<void>;
}

export declare class ProjectIndexer {
    #private;
    readonly backend: SearchBackend;
    readonly events: TypedEvents<IndexingEvents>;
    private constructor();
    static open(options: ProjectIndexerOptions): Promise<ProjectIndexer>;
    refresh(options?: LongOptions): Promise<RefreshReport>;
    watch(options?: LongOptions): Promise<void>;
    catchUp(options?: LongOptions): Promise<void>;
    hasDocuments(): Promise<boolean>;
    search(query: string, options?: SearchOptions): Promise<SearchResults>;
    searchAll(query: string, options?: SearchOptions): AsyncIterable<SearchHit>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export interface ProjectIndexerOptions extends CuttingOptions {
    readonly project: string;
    readonly folder: string;
    readonly indexFolder?: string | undefined;
    readonly indexName?: string | undefined;
    readonly openBackend?: ((indexFolder: string) => Promise<ProjectBackend>) | undefined;
    readonly locks?: Pick<FileStore, 'lock'> | undefined;
    readonly maxFileBytes?: number | undefined;
    readonly debounceMs?: number | undefined;
    readonly usePolling?: boolean | undefined;
    readonly pollMs?: number | undefined;
    readonly rescanMs?: number | undefined;
    readonly cache?: CacheService<SearchResults> | undefined;
    readonly on?: {
        readonly [Name in keyof IndexingEvents]?: Listener<IndexingEvents[Name]> | undefined;
    } | undefined;
    readonly logger?: Logger | undefined;
}

export declare class ProjectNotFoundError extends RagError {
    constructor(message: string, details?: ErrorDetails);
    static isInstance(value: unknown): value is ProjectNotFoundError;
}

export interface Query {
    readonly source: string;
    readonly clauses: readonly QueryClause[];
}

export type QueryClause = {
    readonly start: number;
    readonly end: number;
} & ({
    readonly kind: 'words';
    readonly occur: 'should' | 'must' | 'not';
    readonly text: string;
    readonly field: 'any' | 'title' | 'reading';
} | {
    readonly kind: 'phrase';
    readonly occur: 'must' | 'not';
    readonly text: string;
    readonly field: 'any' | 'title';
} | {
    readonly kind: 'part';
    readonly occur: 'should' | 'must' | 'not';
    readonly text: string;
    readonly at: 'front' | 'back' | 'anywhere';
} | {
    readonly kind: 'regex';
    readonly occur: 'must' | 'not';
    readonly source: string;
    readonly flags: string;
} | {
    readonly kind: 'tag';
    readonly occur: 'must' | 'not';
    readonly tag: string;
} | {
    readonly kind: 'path';
    readonly occur: 'must' | 'not';
    readonly glob: string;
});

export interface RagConfig {
    readonly vector: 'none' | VectorConfig;
    readonly backend?: 'files' | 'postgres';
    readonly database?: string;
    readonly projectRoot: string;
    readonly chunk: {
        readonly maxTokens: number;
        readonly overlap: number;
        readonly chapters: boolean;
    };
    readonly thesaurus?: string;
    readonly flex: {
        readonly profile: FlexProfile;
    };
    readonly search: {
        readonly defaultK: number;
        readonly maxK: number;
        readonly romaji?: boolean;
    };
    readonly log?: {
        readonly file: string;
        readonly level: 'debug' | 'info' | 'warn' | 'error';
    };
}

export declare class RagError extends CodedError<RagErrorCode> {
    constructor(code: RagErrorCode, message: string, details?: ErrorDetails, name?: string);
    static isInstance(value: unknown): value is RagError;
}

export type RagErrorCode = 'project-not-found' | 'indexing-failed' | 'query-invalid' | 'search-failed' | 'dictionary-failed' | 'index-locked' | 'index-corrupt' | 'config-invalid' | 'path-invalid' | 'file-not-found' | 'file-exists' | 'file-invalid' | 'file-failed' | 'model-mismatch' | 'invalid-input' | 'closed';

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
    'vectors:refused': {
        readonly chunks: readonly RefusedChunk[];
    };
    'vectors:caught-up': {
        readonly chunks: number;
    };
    'vectors:weak': {
        readonly questions: number;
        readonly agreed: number;
    };
    'search:degraded': {
        readonly error: unknown;
    };
}

export interface RefreshReport {
    readonly indexed: number;
    readonly removed: number;
    readonly unchanged: number;
    readonly failed: number;
}

export interface Reranking {
    score(query: string, hits: readonly SearchHit[], options: LongOptions): Promise<readonly number[]>;
    readonly depth?: number | undefined;
}

export interface Retriever {
    readonly specVersion: 1;
    retrieve(query: string, options?: RetrieveOptions): Promise<readonly Passage[]>;
}

export interface RetrieverOptions {
    readonly expand?: SearchOptions['expand'] | undefined;
    readonly filter?: SearchFilter | undefined;
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
    readonly maxEntries?: number | undefined;
    readonly ttl?: number | undefined;
    readonly clock?: (() => Date) | undefined;
}

export declare class SearchError extends RagError {
    readonly position?: number;
    constructor(message: string, details?: ErrorDetails & {
        readonly position?: number;
    }, code?: 'query-invalid' | 'search-failed');
    static isInstance(value: unknown): value is SearchError;
}

export interface SearchFilter {
    readonly projects?: readonly string[] | undefined;
    readonly files?: readonly string[] | undefined;
    readonly tags?: readonly string[] | undefined;
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
        readonly startColumn?: number;
        readonly endColumn?: number;
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
    readonly limit?: number | undefined;
    readonly k?: number | undefined;
    readonly offset?: number | undefined;
    readonly filter?: SearchFilter | undefined;
    readonly explain?: boolean | undefined;
    readonly expand?: {
        readonly before?: number | undefined;
        readonly after?: number | undefined;
    } | undefined;
}

export interface SearchResults {
    readonly hits: readonly SearchHit[];
    readonly total: number;
    readonly hint?: string;
    readonly degraded?: boolean;
    readonly incomplete?: boolean;
}

export declare class SegmentBackend extends BaseBackend {
    #private;
    readonly events: TypedEvents<RagEvents>;
    protected readonly chunking: ChunkingStrategy;
    protected readonly title: string;
    private constructor();
    static open(options: SegmentBackendOptions): Promise<SegmentBackend>;
    get ready(): Promise<void>;
    index(documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>, options?: LongOptions): Promise<IndexReport>;
    expectMany(_documents: AsyncIterable<SourceDocument>, _options?: LongOptions): Promise<void>;
    documents(): readonly IndexedDocument[];
    stats(): Promise<BackendStats>;
    compact(options?: LongOptions): Promise<void>;
    protected release(): Promise<void>;
    protected answer(query: string, options: SearchOptions, choose?: ChooseHits): Promise<SearchResults>;
    protected write(changes: readonly DocumentChange[], options: LongOptions): Promise<UpdateReport>;
    protected stampOf({ text, tags }: SourceDocument): string;
}

export interface SegmentBackendOptions extends LanguageOptions {
    readonly folder: string;
    readonly on?: {
        readonly [Name in keyof RagEvents]?: Listener<RagEvents[Name]> | undefined;
    } | undefined;
    readonly mayFork?: boolean | undefined;
    readonly lockTimeoutMs?: number | undefined;
    readonly logger?: Logger | undefined;
}

export interface SourceDocument {
    readonly novelId: string;
    readonly filePath: string;
    readonly text: string;
    readonly tags?: readonly string[];
}

export declare class SqlBackend extends BaseBackend {
    #private;
    readonly events: TypedEvents<RagEvents>;
    protected readonly chunking: ChunkingStrategy;
    protected readonly title: string;
    private constructor();
    static open(options: SqlBackendOptions): Promise<SqlBackend>;
    static deleteSpace(options: SqlSpaceOptions): Promise<void>;
    index(documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>, options?: LongOptions): Promise<IndexReport>;
    documents(): Promise<readonly DocumentRef[]>;
    stats(): Promise<BackendStats>;
    compact(options?: LongOptions): Promise<void>;
    protected stampOf({ text, tags }: SourceDocument): string;
    writeTogether(database: Database, changes: readonly DocumentChange[], also: (tx: SqlExecutor) => Promise<void>, options?: LongOptions): Promise<UpdateReport | undefined>;
    protected write(changes: readonly DocumentChange[], options: LongOptions, also?: (tx: SqlExecutor) => Promise<void>): Promise<UpdateReport>;
    protected answer(query: string, options: SearchOptions, choose?: ChooseHits): Promise<SearchResults>;
    protected release(): Promise<void>;
}

export interface SqlBackendOptions extends LanguageOptions, SqlSpaceOptions {
}

export interface SqlSpaceOptions {
    readonly database: Database;
    readonly name?: string | undefined;
    readonly space?: string | undefined;
}

export declare class SqliteFtsBackend extends BaseBackend {
    #private;
    readonly events: TypedEvents<RagEvents>;
    protected readonly chunking: ChunkingStrategy;
    protected readonly title: string;
    private constructor();
    static open(options: SqliteFtsBackendOptions): Promise<SqliteFtsBackend>;
    stats(): Promise<BackendStats>;
    compact(options?: LongOptions): Promise<void>;
    protected write(changes: readonly DocumentChange[], { signal }: LongOptions): Promise<UpdateReport>;
    protected answer(query: string, options: SearchOptions): Promise<SearchResults>;
    protected release(): Promise<void>;
}

export interface SqliteFtsBackendOptions extends LanguageOptions {
    readonly database: Database;
    readonly name?: string | undefined;
}

export interface Storage extends AsyncDisposable {
    readonly specVersion: 1;
    readonly files: FileStore;
    readonly database: Database;
    readonly cache: Database;
    close(): Promise<void>;
}

export interface SynonymMatch {
    readonly start: number;
    readonly end: number;
    readonly alternatives: readonly (readonly string[])[];
}

export interface Synonyms {
    readonly size: number;
    expand(words: readonly Word[], text: string): readonly SynonymMatch[];
}

export interface Term {
    readonly text: string;
    readonly start: number;
    readonly end: number;
    readonly position?: number;
    readonly group?: number;
    readonly isPrefix?: boolean;
    readonly isWeak?: boolean;
}

export interface TermTexts {
    readonly line: readonly string[];
    readonly extra: readonly string[];
}

export interface Thesaurus extends Synonyms {
    readonly facts: ThesaurusFacts;
}

export interface ThesaurusFacts {
    readonly groups: number;
    readonly words: number;
    readonly analyzer: string;
    readonly notice: string;
}

export interface TokenCounter {
    count(text: string): TokenCount;
}

export declare class TypedEvents<Events extends object> implements EventSource<Events> {
    #private;
    constructor(options?: TypedEventsOptions);
    on<Name extends keyof Events & string>(name: Name, listener: Listener<Events[Name]>): Unsubscribe;
    once<Name extends keyof Events & string>(name: Name, listener: Listener<Events[Name]>): Unsubscribe;
    emit<Name extends keyof Events & string>(name: Name, payload: Events[Name]): void;
    listenerCount(name: keyof Events & string): number;
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
    index(documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>, options?: LongOptions): Promise<IndexReport>;
    documents(): Promise<readonly DocumentRef[]>;
    stats(): Promise<BackendStats>;
    compact(options?: LongOptions): Promise<void>;
    protected write(changes: readonly DocumentChange[], { signal }: LongOptions): Promise<UpdateReport>;
    protected answer(source: string, options: SearchOptions): Promise<SearchResults>;
    protected release(): Promise<void>;
}

export interface VectorBackendOptions extends VectorIndexOptions {
    readonly chunking?: ChunkingStrategy | undefined;
}

export interface VectorConfig {
    readonly enabled: boolean;
    readonly provider: 'qdrant' | 'none';
    readonly qdrant?: {
        readonly url: string;
        readonly apiKey?: string;
        readonly collection: string;
    };
    readonly embedding: {
        readonly model: string;
        readonly dimensions: number;
    };
    readonly fusion?: {
        readonly gate?: number;
        readonly weight?: number;
    };
}

export interface VectorStore {
    readonly specVersion: 1;
    readonly dimensions: number;
    upsert(records: readonly VectorRecord[], options?: VectorCallOptions): Promise<void>;
    delete(ids: readonly string[], options?: VectorCallOptions): Promise<void>;
    query(vector: Float32Array, options?: VectorQueryOptions): Promise<readonly VectorMatch[]>;
    count(filter?: VectorFilter, options?: VectorCallOptions): Promise<number>;
    purge?(): Promise<void>;
    close(): Promise<void>;
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

export interface WrittenFile {
    readonly path: string;
    readonly bytes: number;
    readonly created: boolean;
}

export declare function bigramAnalyzer(): Analyzer;

export declare function citationOf(passage: Passage): string;

export declare function compactAnalyzer(options?: CompactAnalyzerOptions): Promise<MorphologicalAnalyzer>;

export declare function compileThesaurus(options: CompileThesaurusOptions): ThesaurusFacts;

export declare function evaluate(backend: Pick<SearchBackend, 'search'>, questions: readonly EvaluationQuestion[], options?: EvaluateOptions): Promise<Evaluation>;

export declare function formatEvaluation(evaluations: Readonly<Record<string, Evaluation>>): string;

export declare function formatProposal(proposal: FusionProposal): string;

export declare function kuromojinAnalyzer(): Promise<MorphologicalAnalyzer>;

export declare function loadRagConfig(options?: LoadRagConfigOptions): Promise<RagConfig>;

export declare function openThesaurus(options: OpenThesaurusOptions): Thesaurus;

export declare function parseQuery(source: string): Query;

export declare function projectPatterns(project: string): readonly string[];

export declare function proposeFusion(backend: Pick<HybridBackend, 'sides'>, questions: readonly EvaluationQuestion[], options?: EvaluateOptions): Promise<FusionProposal>;

export declare function readSynonyms(source: string, analyzer: Analyzer): Synonyms;

export declare function retriever(backend: SearchBackend, options?: RetrieverOptions): Retriever;

export declare function searchKey(projects: readonly string[] | undefined, query: string, options?: SearchOptions): string;

export declare function segmenterAnalyzer(): Analyzer;

// @vizprompt/rag/mcp

export type Logger = {
    readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void;
};

export interface NovelHttpServer extends AsyncDisposable {
    readonly url: string;
    close(): Promise<void>;
}

export interface NovelMcpOptions {
    readonly name?: string | undefined;
    readonly logger?: Logger | undefined;
}

export interface ServeNovelHttpOptions extends NovelMcpOptions {
    readonly host?: string | undefined;
    readonly port?: number | undefined;
    readonly path?: string | undefined;
    readonly token?: string | undefined;
    readonly allowedHosts?: readonly string[] | undefined;
    readonly allowedOrigins?: readonly string[] | undefined;
    readonly maxRequests?: number | undefined;
    readonly maxRequestsPerClient?: number | undefined;
    readonly maxStreams?: number | undefined;
}

export interface ServeNovelStdioOptions extends NovelMcpOptions {
    readonly input?: Readable | undefined;
    readonly output?: Writable | undefined;
    readonly patienceMs?: number | undefined;
}

export interface StdioServer extends AsyncDisposable {
    readonly closed: Promise<void>;
    close(): Promise<void>;
}

export declare function createNovelMcpServer(service: NovelService, options?: NovelMcpOptions): Promise<McpServer>;

export declare function serveNovelHttp(service: NovelService, options?: ServeNovelHttpOptions): Promise<NovelHttpServer>;

export declare function serveNovelStdio(service: NovelService, given?: ServeNovelStdioOptions): Promise<StdioServer>;

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

export interface OpenedSubject<Subject> {
    readonly subject: Subject;
    close(): Promise<void>;
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

export interface SearchBackendSubject {
    readonly backend: SearchBackend;
    readonly analyzed: readonly string[];
    another(): Promise<SearchBackend>;
    reopen(analyzerId?: string): Promise<SearchBackend>;
}

export interface SearchBackendSuiteOptions extends Omit<SuiteOptions<SearchBackendSubject>, 'open'> {
    readonly open: OpenBackend;
    readonly isPersistent?: boolean | undefined;
}

export interface TestRunner {
    describe(name: string, define: () => void): unknown;
    it(name: string, run: () => Promise<void>): unknown;
}

export declare function openSubject(open: OpenBackend): Promise<OpenedSubject<SearchBackendSubject>>;

export declare const paragraphs: ChunkingStrategy;

export declare const persistentBackendCases: readonly ContractCase<SearchBackendSubject>[];

export declare function scriptAnalyzer(id?: string): Analyzer;

export declare const searchBackendCases: readonly ContractCase<SearchBackendSubject>[];

export declare function testSearchBackend(options: SearchBackendSuiteOptions): void;
