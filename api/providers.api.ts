// What @vizprompt/providers exports. Written by scripts/api-surface.mjs; do not edit.

// @vizprompt/providers

interface Activity<Input = unknown, Output = unknown> {
    readonly specVersion: 1;
    readonly name: string;
    readonly input?: JsonObject;
    readonly output?: JsonObject;
    run(input: Input, context: ActivityContext): Promise<Output>;
}

interface ActivityContext {
    readonly key: string;
    readonly signal: AbortSignal;
    emit(name: string, payload: JsonObject): void;
    readonly budget?: Budget;
    readonly recorder?: TurnRecorder;
}

interface AppendOptions {
    readonly durable?: boolean;
}

interface Budget {
    readonly specVersion: 1;
    readonly remaining: Spending;
    reserve(estimate: Spending): Reservation;
}

type ChatEvent = StartEvent | DeltaEvent | ToolCallDeltaEvent | PartEvent | FinishEvent;

interface ChatModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly capabilities: ModelCapabilities;
    stream(request: ChatRequest): AsyncIterable<ChatEvent>;
    generate(request: ChatRequest): Promise<ChatResult>;
    countTokens?(request: TokenCountRequest): Promise<TokenCount>;
}

interface ChatRequest {
    readonly messages: readonly Message[];
    readonly tools?: readonly Tool[];
    readonly toolChoice?: ToolChoice;
    readonly output?: OutputFormat;
    readonly maxOutputTokens?: number;
    readonly temperature?: number;
    readonly topP?: number;
    readonly topK?: number;
    readonly stop?: readonly string[];
    readonly seed?: number;
    readonly reasoning?: ReasoningEffort;
    readonly signal?: AbortSignal;
    readonly timeout?: Timeouts;
    readonly headers?: Readonly<Record<string, string>>;
    readonly providerOptions?: ProviderMeta;
}

interface ChatResult {
    readonly id?: string;
    readonly model?: string;
    readonly parts: readonly Part[];
    readonly text: string;
    readonly finishReason: FinishReason;
    readonly rawFinishReason?: string;
    readonly usage: Usage;
    readonly warnings: readonly ChatWarning[];
    readonly meta?: ProviderMeta;
}

interface ChatWarning {
    readonly message: string;
    readonly field?: string;
}

abstract class CodedError<Code extends string = string> extends Error {
    readonly code: Code;
    readonly context: Readonly<Record<string, unknown>>;
    constructor(name: string, code: Code, message: string, details?: ErrorDetails);
    toJSON(): ErrorJson;
}

interface CopyReport {
    readonly files: number;
    readonly rows: number;
}

interface CopyStorageOptions {
    readonly components?: readonly {
        readonly name: string;
        readonly migrations: readonly Migration[];
    }[];
    readonly signal?: AbortSignal;
    onProgress?(report: CopyReport): void;
}

interface CreateLoggerOptions {
    readonly level?: LogLevel | 'silent';
    readonly sinks: readonly LogSink[];
    readonly fields?: LogFields;
    readonly clock?: () => Date;
}

interface Database extends SqlExecutor {
    readonly specVersion: 1;
    readonly dialect: Dialect;
    batch(statements: readonly Statement[]): Promise<readonly number[]>;
    transaction<T>(work: (tx: SqlExecutor) => Promise<T>, options?: TransactionOptions): Promise<T>;
    migrate(component: string, migrations: readonly Migration[]): Promise<void>;
    backup(path: string): Promise<void>;
}

interface DeltaEvent {
    readonly type: 'text-delta' | 'reasoning-delta';
    readonly index: number;
    readonly text: string;
}

type Dialect = 'sqlite' | 'postgres';

interface EmbeddingModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly maxBatch: number;
    readonly dimensions?: number;
    embed(request: EmbeddingRequest): Promise<EmbeddingResult>;
}

interface EmbeddingRequest {
    readonly values: readonly string[];
    readonly kind?: 'query' | 'document';
    readonly signal?: AbortSignal;
}

interface EmbeddingResult {
    readonly vectors: readonly Float32Array[];
    readonly usage: Usage;
}

interface ErrorDetails {
    readonly cause?: unknown;
    readonly context?: Readonly<Record<string, unknown>>;
}

interface ErrorJson {
    readonly name: string;
    readonly code: string;
    readonly message: string;
    readonly context: Readonly<Record<string, unknown>>;
    readonly cause?: string;
}

interface EventSource<Events extends object> {
    on<Name extends keyof Events & string>(name: Name, listener: Listener<Events[Name]>): Unsubscribe;
    once<Name extends keyof Events & string>(name: Name, listener: Listener<Events[Name]>): Unsubscribe;
}

interface FileChange extends WriteCondition {
    readonly key: string;
    readonly content: string | Uint8Array | null;
}

interface FileEntry {
    readonly key: string;
    readonly size: number;
    readonly version: string;
}

interface FilePart {
    readonly type: 'file';
    readonly mediaType: string;
    readonly data: Uint8Array | URL;
    readonly name?: string;
    readonly meta?: ProviderMeta;
}

interface FileStore {
    readonly specVersion: 1;
    read(key: string): Promise<StoredFile | null>;
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
}

interface FinishEvent {
    readonly type: 'finish';
    readonly reason: FinishReason;
    readonly rawReason?: string;
    readonly usage: Usage;
    readonly meta?: ProviderMeta;
}

type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error' | 'unknown';

interface FuseOptions {
    readonly k?: number;
    readonly weights?: readonly number[];
}

interface HeldLock {
    readonly lost: AbortSignal;
    release(): Promise<void>;
}

type JsonObject = {
    readonly [key: string]: JsonValue;
};

type JsonValue = string | number | boolean | null | readonly JsonValue[] | {
    readonly [key: string]: JsonValue;
};

class LLMError extends CodedError<LLMErrorCode> {
    readonly provider: string | undefined;
    readonly modelId: string | undefined;
    readonly status: number | undefined;
    readonly requestId: string | undefined;
    readonly retryAfterMs: number | undefined;
    readonly outputStarted: boolean;
    readonly partial: ChatResult | undefined;
    readonly isRetryable: boolean;
    constructor(code: LLMErrorCode, message: string, details?: LLMErrorDetails);
    static isInstance(value: unknown): value is LLMError;
}

type LLMErrorCode = 'aborted' | 'timeout' | 'network' | 'rate_limit' | 'quota' | 'overloaded' | 'server' | 'auth' | 'permission' | 'not_found' | 'invalid_request' | 'context_length' | 'content_filter' | 'unsupported' | 'truncated' | 'bad_response' | 'output_parse';

interface LLMErrorDetails extends ErrorDetails {
    readonly provider?: string;
    readonly modelId?: string;
    readonly status?: number;
    readonly requestId?: string;
    readonly retryAfterMs?: number;
    readonly outputStarted?: boolean;
    readonly partial?: ChatResult;
    readonly isRetryable?: boolean;
}

type Listener<Payload> = (payload: Payload) => unknown;

interface LockOptions {
    readonly timeoutMs?: number;
    readonly signal?: AbortSignal;
}

interface LogEntry {
    readonly time: string;
    readonly level: LogLevel;
    readonly message: string;
    readonly fields: LogFields;
}

type LogFields = Readonly<Record<string, unknown>>;

type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

type LogSink = (entry: LogEntry) => void;

type Logger = {
    readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void;
};

interface Message {
    readonly role: Role;
    readonly parts: readonly Part[];
    readonly meta?: ProviderMeta;
}

interface Migration {
    readonly version: number;
    readonly name: string;
    up(tx: SqlExecutor, dialect: Dialect): Promise<void>;
}

interface ModelCapabilities {
    readonly tools?: boolean;
    readonly jsonSchema?: boolean;
    readonly reasoning?: boolean;
    readonly inputMediaTypes?: readonly string[];
    readonly contextWindow?: number;
    readonly maxOutputTokens?: number;
}

interface ModelRegistry {
    readonly specVersion: 1;
    model(name: string, settings?: ProviderSettings): ChatModel;
    embeddings(name: string, settings?: ProviderSettings): EmbeddingModel;
}

type OutputFormat = {
    readonly type: 'text';
} | {
    readonly type: 'json';
    readonly schema?: JsonObject;
    readonly name?: string;
};

type Part = TextPart | ReasoningPart | FilePart | ToolCallPart | ToolResultPart;

interface PartEvent {
    readonly type: 'part';
    readonly index: number;
    readonly part: Part;
}

interface Passage {
    readonly id: string;
    readonly text: string;
    readonly score: number;
    readonly source: PassageSource;
    readonly title?: string;
    readonly time?: string;
    readonly meta?: JsonObject;
}

interface PassageSource {
    readonly kind: string;
    readonly uri: string;
    readonly start?: number;
    readonly end?: number;
}

class PeerError extends CodedError<'peer-missing'> {
    constructor(name: string, cause: unknown);
    static isInstance(value: unknown): value is PeerError;
}

type PinoLike = {
    readonly [Level in LogLevel]: (fields: object, message: string) => void;
};

type ProviderMeta = Readonly<Record<string, JsonObject>>;

interface ProviderSettings {
    readonly apiKey?: string;
    readonly baseURL?: string;
}

type ReasoningEffort = 'default' | 'none' | 'minimal' | 'low' | 'medium' | 'high';

interface ReasoningPart {
    readonly type: 'reasoning';
    readonly text: string;
    readonly meta?: ProviderMeta;
}

interface RedactOptions {
    readonly rules?: readonly RedactionRule[];
    readonly entropy?: number;
}

interface RedactResult {
    readonly text: string;
    readonly redactions: readonly Redaction[];
}

interface Redaction {
    readonly rule: string;
    readonly start: number;
    readonly end: number;
}

interface RedactionRule {
    readonly name: string;
    readonly pattern: RegExp;
}

interface Reservation {
    settle(actual: Spending): void;
}

interface RetrieveOptions {
    readonly k?: number;
    readonly filter?: Readonly<Record<string, JsonValue>>;
    readonly signal?: AbortSignal;
}

interface Retriever {
    readonly specVersion: 1;
    retrieve(query: string, options?: RetrieveOptions): Promise<readonly Passage[]>;
}

type Role = 'system' | 'user' | 'assistant' | 'tool';

type Row = Readonly<Record<string, SqlValue>>;

interface Spending {
    readonly tokens?: number;
    readonly costUsd?: number;
}

interface SqlExecutor {
    query<R extends object = Row>(sql: string, params?: readonly SqlParameter[]): Promise<R[]>;
    execute(sql: string, params?: readonly SqlParameter[]): Promise<{
        readonly changes: number;
    }>;
}

type SqlParameter = SqlValue | boolean;

type SqlValue = string | number | bigint | Uint8Array | null;

interface StartEvent {
    readonly type: 'start';
    readonly id?: string;
    readonly model?: string;
    readonly warnings: readonly ChatWarning[];
}

interface Statement {
    readonly sql: string;
    readonly params?: readonly SqlParameter[];
}

interface Storage extends AsyncDisposable {
    readonly specVersion: 1;
    readonly files: FileStore;
    readonly database: Database;
    readonly cache: Database;
    close(): Promise<void>;
}

class StorageError extends CodedError<StorageErrorCode> {
    constructor(code: StorageErrorCode, message: string, details?: ErrorDetails);
    static isInstance(value: unknown): value is StorageError;
}

type StorageErrorCode = 'invalid-key' | 'outside-root' | 'invalid-text' | 'not-text' | 'conflict' | 'lock-timeout' | 'busy' | 'misuse' | 'closed' | 'constraint' | 'sql' | 'newer-schema' | 'corrupt' | 'connection' | 'unsupported' | 'io';

interface StoredFile {
    readonly data: Uint8Array;
    readonly text: string;
    readonly version: string;
}

interface TextPart {
    readonly type: 'text';
    readonly text: string;
    readonly meta?: ProviderMeta;
}

interface Timeouts {
    readonly totalMs?: number;
    readonly firstByteMs?: number;
    readonly idleMs?: number;
}

interface TokenCount {
    readonly tokens: number;
    readonly exact: boolean;
}

interface TokenCountRequest {
    readonly messages: readonly Message[];
    readonly tools?: readonly Tool[];
    readonly signal?: AbortSignal;
}

interface TokenCounter {
    count(text: string): TokenCount;
}

type TokenEncoding = 'o200k_base' | 'cl100k_base';

interface TokenEstimator extends TokenCounter {
    count(text: string): TokenCount;
    readonly factor: number;
    calibrate(text: string, tokens: number): void;
}

interface Tool {
    readonly name: string;
    readonly description?: string;
    readonly parameters: JsonObject;
}

interface ToolCallDeltaEvent {
    readonly type: 'tool-call-delta';
    readonly index: number;
    readonly id: string;
    readonly name: string;
    readonly inputDelta: string;
}

interface ToolCallPart {
    readonly type: 'tool-call';
    readonly id: string;
    readonly name: string;
    readonly input: JsonValue;
    readonly meta?: ProviderMeta;
}

type ToolChoice = 'auto' | 'none' | 'required' | {
    readonly tool: string;
};

interface ToolResultPart {
    readonly type: 'tool-result';
    readonly id: string;
    readonly name: string;
    readonly output: JsonValue;
    readonly isError?: boolean;
    readonly meta?: ProviderMeta;
}

interface TransactionOptions {
    readonly signal?: AbortSignal;
}

interface Turn {
    readonly id: string;
    readonly conversationId: string;
    readonly follows: readonly string[];
    readonly kind: 'turn' | 'aggregate' | 'summary';
    readonly status: TurnStatus;
    readonly speaker: string;
    readonly input: readonly Part[];
    readonly output: readonly Part[];
    readonly model?: string;
    readonly usage?: Usage;
    readonly error?: ErrorJson;
    readonly startedAt: string;
    readonly endedAt?: string;
}

interface TurnRecorder {
    readonly specVersion: 1;
    record(turn: Turn): Promise<void>;
}

type TurnStatus = 'pending' | 'done' | 'failed' | 'aborted';

class TypedEvents<Events extends object> implements EventSource<Events> {
    #private;
    constructor(options?: TypedEventsOptions);
    on<Name extends keyof Events & string>(name: Name, listener: Listener<Events[Name]>): Unsubscribe;
    once<Name extends keyof Events & string>(name: Name, listener: Listener<Events[Name]>): Unsubscribe;
    emit<Name extends keyof Events & string>(name: Name, payload: Events[Name]): void;
    listenerCount(name: keyof Events & string): number;
}

interface TypedEventsOptions {
    readonly logger?: Logger;
}

type Unsubscribe = () => void;

interface Usage {
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly reasoningTokens?: number;
    readonly cachedInputTokens?: number;
    readonly estimated?: boolean;
    readonly raw?: JsonValue;
}

type VectorFilter = Readonly<Record<string, JsonValue>>;

interface VectorMatch {
    readonly id: string;
    readonly score: number;
    readonly payload?: JsonObject;
}

interface VectorRecord {
    readonly id: string;
    readonly vector: Float32Array;
    readonly payload?: JsonObject;
}

interface VectorStore {
    readonly specVersion: 1;
    readonly dimensions: number;
    upsert(records: readonly VectorRecord[]): Promise<void>;
    delete(ids: readonly string[]): Promise<void>;
    query(vector: Float32Array, options?: {
        readonly k?: number;
        readonly filter?: VectorFilter;
        readonly signal?: AbortSignal;
    }): Promise<readonly VectorMatch[]>;
    count(filter?: VectorFilter): Promise<number>;
}

interface WriteCondition {
    readonly ifVersion?: string | null;
}

function collectChat(stream: AsyncIterable<ChatEvent>): Promise<ChatResult>;

function consoleSink(): LogSink;

function copyStorage(from: Storage, to: Storage, options?: CopyStorageOptions): Promise<CopyReport>;

function createLogger(options: CreateLoggerOptions): Logger;

function createTokenEstimator(): TokenEstimator;

const defaultRedactionRules: readonly RedactionRule[];

function formatLogEntry(entry: LogEntry): string;

function fuse(lists: readonly (readonly Passage[])[], options?: FuseOptions): readonly Passage[];

function hasErrorMark(value: unknown, name: string): boolean;

function importPeer<Module>(name: string, load: () => Promise<Module>): Promise<Module>;

function loadTokenCounter(encoding?: TokenEncoding): Promise<TokenCounter>;

function messageOf(thrown: unknown): string;

function pinoSink(pino: PinoLike): LogSink;

function redact(text: string, options?: RedactOptions): RedactResult;

const silentLogger: Logger;

function textMessage(role: Role, text: string): Message;

function textOf(source: Message | readonly Part[]): string;

// @vizprompt/providers/node

interface ClosableDatabase extends Database {
    close(): Promise<void>;
}

interface ClosableFileStore extends FileStore {
    close(): Promise<void>;
}

interface OpenStorageOptions {
    readonly durability?: 'full' | 'normal';
}

interface SqliteDatabaseOptions {
    readonly path: string;
    readonly durability?: 'full' | 'normal';
    readonly busyTimeoutMs?: number;
    readonly backupBeforeMigration?: boolean;
}

interface StoragePaths {
    readonly files: string;
    readonly database?: string;
    readonly cache?: string;
}

function fileSink(path: string): LogSink;

function inMemoryStorage(): Promise<Storage>;

function localFileStore(folder: string): Promise<ClosableFileStore>;

function openStorage(where: string | StoragePaths, options?: OpenStorageOptions): Promise<Storage>;

function sqliteDatabase(options: SqliteDatabaseOptions): ClosableDatabase;

// @vizprompt/providers/postgres

interface PostgresStorageOptions {
    readonly connectionString: string;
    readonly namespace: string;
    readonly maxConnections?: number;
    readonly connectTimeoutMs?: number;
}

function postgresStorage(options: PostgresStorageOptions): Promise<Storage>;

// @vizprompt/providers/text

interface Snippet {
    readonly text: string;
    readonly start: number;
    readonly highlights: readonly (readonly [
        start: number,
        end: number
    ])[];
}

interface SnippetOptions {
    readonly maxLength?: number;
}

interface Term {
    readonly text: string;
    readonly start: number;
    readonly end: number;
    readonly position?: number;
    readonly group?: number;
    readonly isPrefix?: boolean;
    readonly isWeak?: boolean;
}

interface TextAnalyzer {
    readonly specVersion: 1;
    readonly id: string;
    analyze(text: string, mode: 'index' | 'query'): readonly Term[];
}

interface TextHit {
    readonly id: number;
    readonly score: number;
}

interface TextIndex {
    readonly analyzer: TextAnalyzer;
    readonly isStale: boolean;
    put(row: TextRow): readonly Statement[];
    remove(id: number): readonly Statement[];
    rebuild(rows: AsyncIterable<TextRow> | Iterable<TextRow>): Promise<void>;
    search(query: string, options?: TextSearchOptions): Promise<readonly TextHit[]>;
    snippet(text: string, query: string, options?: SnippetOptions): Snippet;
}

interface TextIndexOptions {
    readonly name: string;
    readonly fields: Readonly<Record<string, number>>;
    readonly table: string;
    readonly key: string;
    readonly analyzer?: TextAnalyzer;
}

interface TextRow {
    readonly id: number;
    readonly fields: Readonly<Record<string, string>>;
}

interface TextSearchOptions {
    readonly limit?: number;
    readonly match?: 'any' | 'all';
    readonly where?: {
        readonly sql: string;
        readonly params?: readonly SqlParameter[];
    };
    readonly cap?: number;
}

function createTextIndex(database: Database, options: TextIndexOptions): Promise<TextIndex>;

function snippetOf(text: string, query: string, analyzer: TextAnalyzer, { maxLength }?: SnippetOptions): Snippet;

function wordAnalyzer(): TextAnalyzer;

// @vizprompt/providers/testing

interface CapCorpus {
    readonly rows: readonly TextRow[];
    readonly queries: readonly string[];
}

interface ChatModelSubject {
    readonly model: ChatModel;
}

interface ContractCase<Subject> {
    readonly name: string;
    run(subject: Subject): Promise<void>;
}

interface ContractReport {
    readonly passed: readonly string[];
    readonly failed: readonly {
        readonly name: string;
        readonly error: unknown;
    }[];
}

interface FileStoreSubject {
    readonly files: FileStore;
    another(): Promise<FileStore>;
}

interface HashEmbeddingsOptions {
    readonly dimensions?: number;
}

interface OpenedSubject<Subject> {
    readonly subject: Subject;
    close(): Promise<void>;
}

type Script = readonly ScriptedAnswer[] | ((request: ChatRequest, call: number) => ScriptedAnswer | Promise<ScriptedAnswer>);

type ScriptedAnswer = string | readonly Part[] | {
    readonly parts: readonly Part[];
    readonly finishReason?: FinishReason;
    readonly usage?: Usage;
} | Error;

interface ScriptedModel extends ChatModel {
    readonly calls: readonly ChatRequest[];
}

interface ScriptedModelOptions {
    readonly provider?: string;
    readonly modelId?: string;
    readonly capabilities?: ModelCapabilities;
    readonly chunkSize?: number;
    readonly chunkDelayMs?: number;
}

interface SuiteOptions<Subject> {
    readonly name: string;
    open(): Promise<OpenedSubject<Subject>>;
    readonly runner: TestRunner;
    readonly expectedFailures?: Readonly<Record<string, string>>;
}

interface TestRunner {
    describe(name: string, define: () => void): unknown;
    it(name: string, run: () => Promise<void>): unknown;
}

function capCorpus(size: number): CapCorpus;

const chatModelCases: readonly ContractCase<ChatModelSubject>[];

const databaseCases: readonly ContractCase<Database>[];

const embeddingModelCases: readonly ContractCase<EmbeddingModel>[];

const fileStoreCases: readonly ContractCase<FileStoreSubject>[];

function hashEmbeddings({ dimensions }?: HashEmbeddingsOptions): EmbeddingModel;

function measureCapRecall(index: TextIndex, queries: readonly string[], { cap }?: {
    readonly cap?: number;
}): Promise<number>;

function runContract<Subject>(cases: readonly ContractCase<Subject>[], open: () => Promise<OpenedSubject<Subject>>): Promise<ContractReport>;

function scriptedModel(script: Script, options?: ScriptedModelOptions): ScriptedModel;

function testChatModel(options: SuiteOptions<ChatModelSubject>): void;

function testDatabase(options: SuiteOptions<Database>): void;

function testEmbeddingModel(options: SuiteOptions<EmbeddingModel>): void;

function testFileStore(options: SuiteOptions<FileStoreSubject>): void;

function testTextAnalyzer(options: SuiteOptions<TextAnalyzer>): void;

function testTextIndex(options: SuiteOptions<Database>): void;

const textAnalyzerCases: readonly ContractCase<TextAnalyzer>[];

const textIndexCases: readonly ContractCase<Database>[];
