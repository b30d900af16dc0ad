// What @vizprompt/providers exports. Written by scripts/api-surface.mjs; do not edit.

// @vizprompt/providers

export interface Activity<Input = unknown, Output = unknown> {
    readonly specVersion: 1;
    readonly name: string;
    readonly input?: JsonObject;
    readonly output?: JsonObject;
    run(input: Input, context: ActivityContext): Promise<Output>;
}

export interface ActivityContext {
    readonly key: string;
    readonly signal: AbortSignal;
    emit(name: string, payload: JsonObject): void;
    readonly budget?: Budget;
    readonly recorder?: TurnRecorder;
}

export interface AppendOptions {
    readonly durable?: boolean;
}

export interface Budget {
    readonly specVersion: 1;
    readonly remaining: Spending;
    reserve(estimate: Spending): Reservation;
}

export declare class ChatCollector {
    #private;
    get isFinished(): boolean;
    get hasOutput(): boolean;
    get unfinished(): string;
    add(event: ChatEvent): void;
    result(): ChatResult;
}

export type ChatEvent = StartEvent | DeltaEvent | ToolCallDeltaEvent | PartEvent | FinishEvent;

export interface ChatModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly address?: string;
    readonly capabilities: ModelCapabilities;
    stream(request: ChatRequest): AsyncIterable<ChatEvent>;
    generate(request: ChatRequest): Promise<ChatResult>;
    prepare?(): Promise<void>;
    countTokens?(request: TokenCountRequest): Promise<TokenCount>;
}

export interface ChatRequest {
    readonly messages: readonly Message[];
    readonly tools?: readonly Tool[] | undefined;
    readonly toolChoice?: ToolChoice | undefined;
    readonly output?: OutputFormat | undefined;
    readonly maxOutputTokens?: number | undefined;
    readonly temperature?: number | undefined;
    readonly topP?: number | undefined;
    readonly topK?: number | undefined;
    readonly stop?: readonly string[] | undefined;
    readonly seed?: number | undefined;
    readonly reasoning?: ReasoningEffort | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly timeout?: Timeouts | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly providerOptions?: ProviderMeta;
}

export interface ChatResult {
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

export interface ChatWarning {
    readonly message: string;
    readonly field?: string;
}

export declare abstract class CodedError<Code extends string = string> extends Error {
    readonly code: Code;
    readonly context: Readonly<Record<string, unknown>>;
    constructor(name: string, code: Code, message: string, details?: ErrorDetails);
    toJSON(): ErrorJson;
}

export interface CopyReport {
    readonly files: number;
    readonly rows: number;
}

export interface CopyStorageOptions {
    readonly components?: readonly {
        readonly name: string;
        readonly migrations: readonly Migration[];
    }[];
    readonly signal?: AbortSignal;
    onProgress?(report: CopyReport): void;
}

export interface CreateLoggerOptions {
    readonly level?: LogLevel | 'silent';
    readonly sinks: readonly LogSink[];
    readonly fields?: LogFields;
    readonly clock?: () => Date;
}

export interface CutSnippetOptions {
    readonly maxLength?: number;
    readonly from?: number;
    readonly weights?: readonly number[];
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

export interface DeltaEvent {
    readonly type: 'text-delta' | 'reasoning-delta';
    readonly index: number;
    readonly text: string;
}

export type Dialect = 'sqlite' | 'postgres';

export declare const ERASED = "[erased]";

export interface EmbeddingModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly maxBatch: number;
    readonly dimensions?: number;
    embed(request: EmbeddingRequest): Promise<EmbeddingResult>;
}

export interface EmbeddingRequest {
    readonly values: readonly string[];
    readonly kind?: 'query' | 'document' | undefined;
    readonly signal?: AbortSignal | undefined;
}

export interface EmbeddingResult {
    readonly vectors: readonly Float32Array[];
    readonly usage: Usage;
}

export interface EraseOptions {
    readonly speaker: string;
    readonly texts?: readonly string[] | undefined;
    readonly mentions?: boolean | undefined;
    readonly dryRun?: boolean | undefined;
    readonly signal?: AbortSignal | undefined;
}

export interface ErasedPlace {
    readonly place: string;
    readonly count: number;
}

export declare class Eraser {
    #private;
    constructor(speaker: string, { mentions, texts }?: Pick<EraseOptions, 'mentions' | 'texts'>);
    isSpeaker(name: unknown): boolean;
    name(name: string): string;
    learn(text: string): void;
    learnJson(value: JsonValue): void;
    clean(text: string): string;
    cleanJson(value: JsonValue): JsonValue;
    isTakenFrom(title: string): boolean;
    isMentioned(text: string): boolean;
}

export declare class ErasureCounts {
    #private;
    add(place: string, count?: number): void;
    get isEmpty(): boolean;
    list(): readonly ErasedPlace[];
}

export interface ErasureReport {
    readonly speaker?: string;
    readonly dryRun: boolean;
    readonly erased: readonly ErasedPlace[];
    readonly remains: readonly Remainder[];
}

export interface ErrorDetails {
    readonly cause?: unknown;
    readonly context?: Readonly<Record<string, unknown>>;
}

export interface ErrorJson {
    readonly name: string;
    readonly code: string;
    readonly message: string;
    readonly context: Readonly<Record<string, unknown>>;
    readonly cause?: string;
}

export interface EventSource<Events extends object> {
    on<Name extends keyof Events & string>(name: Name, listener: Listener<Events[Name]>): Unsubscribe;
    once<Name extends keyof Events & string>(name: Name, listener: Listener<Events[Name]>): Unsubscribe;
}

export interface FileChange extends WriteCondition {
    readonly key: string;
    readonly content: string | Uint8Array | null;
}

export interface FileEntry {
    readonly key: string;
    readonly size: number;
    readonly version: string;
}

export interface FilePart {
    readonly type: 'file';
    readonly mediaType: string;
    readonly data: Uint8Array | URL;
    readonly name?: string;
    readonly meta?: ProviderMeta;
}

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

export interface FinishEvent {
    readonly type: 'finish';
    readonly reason: FinishReason;
    readonly rawReason?: string;
    readonly usage: Usage;
    readonly meta?: ProviderMeta;
}

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error' | 'unknown';

export interface FuseOptions {
    readonly k?: number | undefined;
    readonly weights?: readonly number[] | undefined;
}

export interface FusedQuery extends VectorQueryOptions {
    readonly vector: Float32Array;
    readonly sparse: SparseVector;
    readonly depth?: number;
    readonly rankConstant?: number;
    readonly weights?: {
        readonly vector: number;
        readonly sparse: number;
    };
}

export interface HeldLock {
    readonly lost: AbortSignal;
    release(): Promise<void>;
}

export interface HybridVectorStore extends VectorStore {
    queryFused(query: FusedQuery): Promise<readonly VectorMatch[]>;
}

export type JsonObject = {
    readonly [key: string]: JsonValue;
};

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | {
    readonly [key: string]: JsonValue;
};

export declare class LLMError extends CodedError<LLMErrorCode> {
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

export type LLMErrorCode = 'aborted' | 'timeout' | 'network' | 'rate_limit' | 'quota' | 'overloaded' | 'server' | 'auth' | 'permission' | 'not_found' | 'invalid_request' | 'context_length' | 'content_filter' | 'unsupported' | 'truncated' | 'bad_response' | 'output_parse';

export interface LLMErrorDetails extends ErrorDetails {
    readonly provider?: string;
    readonly modelId?: string;
    readonly status?: number;
    readonly requestId?: string;
    readonly retryAfterMs?: number;
    readonly outputStarted?: boolean;
    readonly partial?: ChatResult;
    readonly isRetryable?: boolean;
}

export declare const LLM_ERROR_CODES: readonly string[];

export type Listener<Payload> = (payload: Payload) => unknown;

export interface LockOptions {
    readonly timeoutMs?: number;
    readonly signal?: AbortSignal;
}

export interface LogEntry {
    readonly time: string;
    readonly level: LogLevel;
    readonly message: string;
    readonly fields: LogFields;
}

export type LogFields = Readonly<Record<string, unknown>>;

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

export type LogSink = (entry: LogEntry) => void;

export type Logger = {
    readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void;
};

export interface Message {
    readonly role: Role;
    readonly parts: readonly Part[];
    readonly meta?: ProviderMeta;
}

export interface Migration {
    readonly version: number;
    readonly name: string;
    up(tx: SqlExecutor, dialect: Dialect): Promise<void>;
}

export interface ModelCapabilities {
    readonly tools?: boolean;
    readonly jsonSchema?: boolean;
    readonly reasoning?: boolean;
    readonly inputMediaTypes?: readonly string[];
    readonly contextWindow?: number;
    readonly maxOutputTokens?: number;
}

export interface ModelRegistry {
    readonly specVersion: 1;
    model(name: string, settings?: ProviderSettings): ChatModel;
    embeddings(name: string, settings?: ProviderSettings): EmbeddingModel;
}

export type OutputFormat = {
    readonly type: 'text';
} | {
    readonly type: 'json';
    readonly schema?: JsonObject;
    readonly name?: string;
};

export type Part = TextPart | ReasoningPart | FilePart | ToolCallPart | ToolResultPart;

export interface PartEvent {
    readonly type: 'part';
    readonly index: number;
    readonly part: Part;
}

export interface Passage {
    readonly id: string;
    readonly text: string;
    readonly score: number;
    readonly source: PassageSource;
    readonly title?: string;
    readonly time?: string;
    readonly meta?: JsonObject;
}

export interface PassageSource {
    readonly kind: string;
    readonly uri: string;
    readonly start?: number;
    readonly end?: number;
}

export declare class PeerError extends CodedError<'peer-missing'> {
    constructor(name: string, cause: unknown);
    static isInstance(value: unknown): value is PeerError;
}

export type PinoLike = {
    readonly [Level in LogLevel]: (fields: object, message: string) => void;
};

export type ProviderMeta = Readonly<Record<string, JsonObject>>;

export interface ProviderSettings {
    readonly apiKey?: string | undefined;
    readonly baseURL?: string | undefined;
}

export interface ReadOptions {
    readonly maxBytes?: number;
}

export type ReasoningEffort = 'default' | 'none' | 'minimal' | 'low' | 'medium' | 'high';

export interface ReasoningPart {
    readonly type: 'reasoning';
    readonly text: string;
    readonly meta?: ProviderMeta;
}

export interface RedactOptions {
    readonly rules?: readonly RedactionRule[] | RuleChanges | undefined;
    readonly entropy?: number | undefined;
}

export interface RedactResult {
    readonly text: string;
    readonly redactions: readonly Redaction[];
}

export interface Redaction {
    readonly rule: string;
    readonly start: number;
    readonly end: number;
}

export interface RedactionRule {
    readonly name: string;
    readonly what?: string | undefined;
    readonly pattern: RegExp;
    readonly literal?: string | undefined;
    readonly keywords?: readonly string[] | undefined;
    readonly minLength?: number | undefined;
    readonly isAssigned?: boolean | undefined;
    readonly entropy?: number | undefined;
    readonly accepts?: ((match: RegExpExecArray) => boolean) | undefined;
}

export interface Remainder {
    readonly place: RemainingPlace;
    readonly count?: number;
}

export type RemainingPlace = 'git' | 'database-log' | 'backups' | 'mentions' | 'broken-files' | 'config' | 'dbos' | 'transcripts' | 'vector-server';

export interface Reservation {
    settle(actual: Spending): void;
}

export interface RetrieveOptions {
    readonly k?: number;
    readonly filter?: Readonly<Record<string, JsonValue>>;
    readonly signal?: AbortSignal;
}

export interface Retriever {
    readonly specVersion: 1;
    retrieve(query: string, options?: RetrieveOptions): Promise<readonly Passage[]>;
}

export type Role = 'system' | 'user' | 'assistant' | 'tool';

export type Row = Readonly<Record<string, SqlValue>>;

export interface RuleChanges {
    readonly add?: readonly RedactionRule[] | undefined;
    readonly remove?: readonly string[] | undefined;
}

export interface Snippet {
    readonly text: string;
    readonly start: number;
    readonly highlights: readonly (readonly [
        start: number,
        end: number
    ])[];
}

export interface SnippetHit {
    readonly start: number;
    readonly end: number;
    readonly group: number;
}

export interface SparseVector {
    readonly indices: readonly number[];
    readonly values: readonly number[];
}

export interface Spending {
    readonly tokens?: number;
    readonly costUsd?: number;
}

export interface SqlExecutor {
    query<R extends object = Row>(sql: string, params?: readonly SqlParameter[]): Promise<R[]>;
    execute(sql: string, params?: readonly SqlParameter[]): Promise<{
        readonly changes: number;
    }>;
}

export type SqlParameter = SqlValue | boolean;

export type SqlValue = string | number | bigint | Uint8Array | null;

export interface StartEvent {
    readonly type: 'start';
    readonly id?: string;
    readonly model?: string;
    readonly warnings: readonly ChatWarning[];
}

export interface Statement {
    readonly sql: string;
    readonly params?: readonly SqlParameter[];
}

export interface Storage extends AsyncDisposable {
    readonly specVersion: 1;
    readonly files: FileStore;
    readonly database: Database;
    readonly cache: Database;
    close(): Promise<void>;
}

export declare class StorageError extends CodedError<StorageErrorCode> {
    constructor(code: StorageErrorCode, message: string, details?: ErrorDetails);
    static isInstance(value: unknown): value is StorageError;
}

export type StorageErrorCode = 'invalid-key' | 'outside-root' | 'invalid-text' | 'not-text' | 'too-large' | 'conflict' | 'lock-timeout' | 'busy' | 'misuse' | 'closed' | 'constraint' | 'sql' | 'newer-schema' | 'corrupt' | 'connection' | 'unsupported' | 'io';

export interface StoredFile {
    readonly data: Uint8Array;
    readonly text: string;
    readonly version: string;
}

export interface TextPart {
    readonly type: 'text';
    readonly text: string;
    readonly meta?: ProviderMeta;
}

export interface Timeouts {
    readonly totalMs?: number | undefined;
    readonly firstByteMs?: number | undefined;
    readonly idleMs?: number | undefined;
}

export interface TokenCount {
    readonly tokens: number;
    readonly exact: boolean;
}

export interface TokenCountRequest {
    readonly messages: readonly Message[];
    readonly tools?: readonly Tool[] | undefined;
    readonly signal?: AbortSignal | undefined;
}

export interface TokenCounter {
    count(text: string): TokenCount;
}

export type TokenEncoding = 'o200k_base' | 'cl100k_base';

export interface TokenEstimator extends TokenCounter {
    count(text: string): TokenCount;
    readonly factor: number;
    calibrate(text: string, tokens: number): void;
}

export interface Tool {
    readonly name: string;
    readonly description?: string;
    readonly parameters: JsonObject;
}

export interface ToolCallDeltaEvent {
    readonly type: 'tool-call-delta';
    readonly index: number;
    readonly id: string;
    readonly name: string;
    readonly inputDelta: string;
}

export interface ToolCallPart {
    readonly type: 'tool-call';
    readonly id: string;
    readonly name: string;
    readonly input: JsonValue;
    readonly meta?: ProviderMeta;
}

export type ToolChoice = 'auto' | 'none' | 'required' | {
    readonly tool: string;
};

export interface ToolResultPart {
    readonly type: 'tool-result';
    readonly id: string;
    readonly name: string;
    readonly output: JsonValue;
    readonly isError?: boolean;
    readonly meta?: ProviderMeta;
}

export interface TransactionOptions {
    readonly signal?: AbortSignal;
}

export interface Turn {
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

export interface TurnRecorder {
    readonly specVersion: 1;
    record(turn: Turn): Promise<void>;
}

export type TurnStatus = 'pending' | 'done' | 'failed' | 'aborted';

export declare class TypedEvents<Events extends object> implements EventSource<Events> {
    #private;
    constructor(options?: TypedEventsOptions);
    on<Name extends keyof Events & string>(name: Name, listener: Listener<Events[Name]>): Unsubscribe;
    once<Name extends keyof Events & string>(name: Name, listener: Listener<Events[Name]>): Unsubscribe;
    emit<Name extends keyof Events & string>(name: Name, payload: Events[Name]): void;
    listenerCount(name: keyof Events & string): number;
}

export interface TypedEventsOptions {
    readonly logger?: Logger;
}

export type Unsubscribe = () => void;

export interface Usage {
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly reasoningTokens?: number;
    readonly cachedInputTokens?: number;
    readonly estimated?: boolean;
    readonly raw?: JsonValue;
}

export declare const VISIBLE_HTML_STYLE: string;

export interface VectorCallOptions {
    readonly signal?: AbortSignal;
}

export type VectorCondition = VectorFilterValue | {
    readonly anyOf: readonly VectorFilterValue[];
} | {
    readonly allOf: readonly VectorFilterValue[];
};

export declare class VectorError extends CodedError<VectorErrorCode> {
    constructor(code: VectorErrorCode, message: string, details?: ErrorDetails);
    static isInstance(value: unknown): value is VectorError;
}

export type VectorErrorCode = 'unavailable' | 'dimension-mismatch' | 'model-mismatch' | 'invalid-input' | 'refused' | 'closed';

export type VectorFilter = Readonly<Record<string, VectorCondition>>;

export type VectorFilterValue = string | number | boolean;

export interface VectorMatch {
    readonly id: string;
    readonly score: number;
    readonly payload?: JsonObject;
}

export interface VectorQueryOptions extends VectorCallOptions {
    readonly k?: number;
    readonly filter?: VectorFilter;
}

export interface VectorRecord {
    readonly id: string;
    readonly vector: Float32Array;
    readonly payload?: JsonObject;
    readonly sparse?: SparseVector;
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

export interface WriteCondition {
    readonly ifVersion?: string | null;
}

export declare function canonicalJson(value: unknown): JsonValue;

export declare function collectChat(stream: AsyncIterable<ChatEvent>): Promise<ChatResult>;

export declare function consoleSink(): LogSink;

export declare function copyStorage(from: Storage, to: Storage, options?: CopyStorageOptions): Promise<CopyReport>;

export declare function createId(now?: number): string;

export declare function createLogger(options: CreateLoggerOptions): Logger;

export declare function createTokenEstimator(): TokenEstimator;

export declare function cutMiddle(text: string, fits: (text: string) => boolean, mark: (characters: number) => string): string;

export declare function cutSnippet(text: string, hits: readonly SnippetHit[], { maxLength, from, weights }?: CutSnippetOptions): Snippet;

export declare const defaultRedactionRules: readonly RedactionRule[];

export declare function omitUndefined<T extends object>(fields: T): {
    [K in keyof T]?: Exclude<T[K], undefined>;
};

export declare function escapeHtml(text: string): string;

export declare function escapeMermaid(text: string): string;

export declare function formatLogEntry(entry: LogEntry): string;

export declare function fuse(lists: readonly (readonly Passage[])[], options?: FuseOptions): readonly Passage[];

export declare function hasErrorMark(value: unknown, name: string): boolean;

export declare function importPeer<Module>(name: string, load: () => Promise<Module>): Promise<Module>;

export declare function isCharacterBorder(text: string, at: number): boolean;

export declare function isDeeperThan(value: unknown, levels: number): boolean;

export declare function isInsidePair(text: string, at: number): boolean;

export declare function isJsonObject(value: unknown): value is JsonObject;

export declare function isOutOfFiles(thrown: unknown): boolean;

export declare function isStorable(text: string): boolean;

export declare function keyProblem(key: string): string | undefined;

export declare function loadTokenCounter(encoding?: TokenEncoding): Promise<TokenCounter>;

export declare function mapStrings(value: JsonValue, change: (text: string) => string): JsonValue;

export declare function messageOf(thrown: unknown): string;

export declare function omitUndefined<T extends object>(fields: T): {
    [K in keyof T]?: Exclude<T[K], undefined>;
};

export declare function pinoSink(pino: PinoLike): LogSink;

export declare function purgeStorage(storage: Storage, parts?: readonly ('files' | 'database' | 'cache')[]): Promise<void>;

export declare function redact(text: string, options?: RedactOptions): RedactResult;

export declare const redactionRulesVersion = 3;

export declare const silentLogger: Logger;

export declare function textMessage(role: Role, text: string): Message;

export declare function textOf(source: Message | readonly Part[]): string;

export declare function toStorable(text: string): string;

export declare function untilAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T>;

export declare function visibleHtml(text: string): string;

export declare function visibleText(text: string): string;

// @vizprompt/providers/ai-sdk

export interface AiSdkEmbeddingModel {
    readonly specificationVersion: 'v3' | 'v4';
    readonly provider: string;
    readonly modelId: string;
    readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
    doEmbed(options: EmbeddingModelV3CallOptions): PromiseLike<{
        readonly embeddings: readonly (readonly number[])[];
        readonly usage?: {
            readonly tokens: number;
        };
        readonly response?: {
            readonly headers?: Record<string, string>;
        };
    }>;
}

export type AiSdkLanguageModel = LanguageModelV3 | LanguageModelV4Like;

export interface EmbeddingsFromAiSdkOptions {
    readonly dimensions?: number;
    readonly providerOptions?: (kind: 'query' | 'document') => ProviderMeta;
}

export interface FromAiSdkOptions {
    readonly capabilities?: ModelCapabilities;
}

export interface LanguageModelV4Like {
    readonly specificationVersion: 'v4';
    readonly provider: string;
    readonly modelId: string;
    doStream(options: CallOptionsV4): PromiseLike<{
        readonly stream: ReadableStream<AiSdkStreamPart>;
        readonly response?: {
            readonly headers?: Record<string, string>;
        };
    }>;
}

export declare function embeddingsFromAiSdk(model: AiSdkEmbeddingModel, options?: EmbeddingsFromAiSdkOptions): EmbeddingModel;

export declare function embeddingsToAiSdk(model: EmbeddingModel): EmbeddingModelV3;

export declare function fromAiSdk(model: AiSdkLanguageModel, options?: FromAiSdkOptions): ChatModel;

export declare function toAiSdk(model: ChatModel): LanguageModelV3;

// @vizprompt/providers/gemini

export interface GeminiConnection {
    readonly model: string;
    readonly apiKey?: string | undefined;
    readonly baseURL?: string | undefined;
    readonly apiVersion?: string | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly fetch?: Fetch | undefined;
}

export interface GeminiEmbeddingsOptions extends GeminiConnection {
    readonly dimensions?: number | undefined;
    readonly maxBatch?: number | undefined;
}

export interface GeminiOptions extends GeminiConnection {
    readonly capabilities?: ModelCapabilities | undefined;
}

export declare function gemini(options: GeminiOptions): ChatModel;

export declare function geminiEmbeddings(options: GeminiEmbeddingsOptions): EmbeddingModel;

// @vizprompt/providers/config

export declare const AMOUNT: Kind;

export declare const ANYTHING: Kind;

export declare const ARRAY: Kind;

export declare const AT_A_TIME: Kind;

export declare const COUNT: Kind;

export interface DecodedText {
    readonly text: string;
    readonly problem?: string;
}

export declare const FLAG: Kind;

export declare const FUNCTION: Kind;

export declare class JsonSyntaxError extends CodedError<'json-invalid'> {
    readonly place: TextPlace;
    constructor(problem: string, place: TextPlace);
    static isInstance(value: unknown): value is JsonSyntaxError;
}

export interface JsonText {
    readonly value: JsonValue;
    placeOf(path: readonly PropertyKey[], isKey?: boolean): TextPlace;
    offsetOf(path: readonly PropertyKey[], isKey?: boolean): number;
}

export interface Kind {
    readonly expected: string;
    readonly isOptional?: boolean;
    accepts(value: unknown): boolean;
}

export type Kinds<Options extends object> = {
    readonly [Key in keyof Required<Options>]: Kind;
};

export declare const LOGGER: Kind;

export declare const NUMBER: Kind;

export declare const OBJECT: Kind;

export interface OptionChecks {
    checkOptions<Options extends object>(what: string, given: Options, kinds: Kinds<Options>): void;
    checkKeys(what: string, given: object, known: readonly string[]): void;
    checkValues(what: string, given: object | undefined, kind: Kind): void;
    checkArgument(what: string, value: unknown, kind: Kind): void;
}

export declare const SIGNAL: Kind;

export declare const TEXT: Kind;

export declare const TEXTS: Kind;

export interface TextPlace {
    readonly line: number;
    readonly column: number;
}

export interface YamlDocument {
    readonly contents: unknown;
}

export interface YamlExcess {
    readonly problem: string;
    readonly offset: number;
}

export interface YamlLimits {
    readonly maxCharacters: number;
    readonly maxDepth?: number;
    readonly maxAliases?: number;
    readonly maxTokens?: number;
}

export interface YamlScanner {
    lex(source: string): Iterable<string>;
}

export declare function decodeUtf8(bytes: Uint8Array): DecodedText;

export declare function either(first: Kind, second: Kind): Kind;

export declare function guardYaml(scanner: YamlScanner, text: string, { maxCharacters, maxDepth, maxAliases, maxTokens }: YamlLimits): YamlExcess | undefined;

export declare function having(expected: string, ...members: readonly string[]): Kind;

export declare function listOf(expected: string, kind: Kind): Kind;

export declare function nearestName(name: string, known: readonly string[]): string | undefined;

export declare function oneOf(...values: readonly string[]): Kind;

export declare function optionChecks(toError: (message: string, context: Readonly<Record<string, unknown>>) => Error): OptionChecks;

export declare function optional(kind: Kind): Kind;

export declare function parseJsonText(text: string): JsonText;

export declare function placeAt(text: string, offset: number): TextPlace;

export declare function repeatedKey(document: {
    readonly contents: unknown;
}): number | undefined;

export declare function shownValue(value: unknown): string;

export declare function yamlOffset(document: YamlDocument, path: readonly PropertyKey[], isKey?: boolean): number;

// @vizprompt/providers/generate

export interface GenerateObjectOptions<Output> {
    readonly schema: Schema<Output>;
    readonly name?: string;
    readonly repair?: number;
}

export interface GeneratedObject<Output> {
    readonly object: Output;
    readonly result: ChatResult;
    readonly attempts: number;
    readonly usage: Usage;
}

export interface ReadySchema<Output> {
    readonly jsonSchema: JsonObject;
    validate(value: JsonValue): Promise<{
        readonly value: Output;
    } | {
        readonly issues: string[];
    }>;
}

export interface RunToolsOptions {
    readonly maxSteps?: number;
    readonly onEvent?: (event: ChatEvent, step: number) => void;
    readonly onMessage?: (message: Message) => void;
}

export interface RunnableTool {
    readonly name: string;
    describe(): Promise<Tool>;
    run(input: JsonValue, context: ToolContext): Promise<JsonValue>;
}

export type Schema<Output> = StandardSchema<Output> | JsonObject;

export type StandardResult<Output> = {
    readonly value: Output;
    readonly issues?: undefined;
} | {
    readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | {
            readonly key: PropertyKey;
        })[] | undefined;
    }[];
};

export interface StandardSchema<Output = unknown> {
    readonly '~standard': {
        readonly version: 1;
        readonly vendor: string;
        readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
        readonly jsonSchema?: {
            readonly input: (options: {
                readonly target: string;
            }) => Record<string, unknown>;
        };
    };
}

export interface ToolContext {
    readonly id: string;
    readonly signal?: AbortSignal;
}

export interface ToolDefinition<Input> {
    readonly name: string;
    readonly description?: string;
    readonly input: Schema<Input>;
    execute(input: Input, context: ToolContext): unknown;
}

export interface ToolRun {
    readonly text: string;
    readonly messages: readonly Message[];
    readonly steps: readonly ChatResult[];
    readonly usage: Usage;
    readonly isComplete: boolean;
}

export declare function defineTool<Input>(definition: ToolDefinition<Input>): RunnableTool;

export declare function generateObject<Output>(model: ChatModel, request: ChatRequest, { schema, name, repair }: GenerateObjectOptions<Output>): Promise<GeneratedObject<Output>>;

export declare function readySchema<Output>(schema: Schema<Output>): Promise<ReadySchema<Output>>;

export declare function runTools(model: ChatModel, request: ChatRequest, tools: readonly RunnableTool[], { maxSteps, onEvent, onMessage }?: RunToolsOptions): Promise<ToolRun>;

// @vizprompt/providers/middleware

export interface BudgetOptions {
    readonly prices?: PriceTable;
}

export interface CacheOptions {
    readonly store: FileStore;
    readonly folder?: string;
    readonly maxAgeMs?: number;
}

export interface CallEnded extends ObservedCall {
    readonly ms: number;
    readonly model?: string;
    readonly finishReason: FinishReason;
    readonly usage: Usage;
    readonly isWhole: boolean;
}

export interface CallFailed extends ObservedCall {
    readonly ms: number;
    readonly code: LLMErrorCode;
    readonly message: string;
}

export interface CassetteOptions {
    readonly store: FileStore;
    readonly folder?: string;
}

export interface FallbackFailure {
    readonly provider: string;
    readonly modelId: string;
    readonly code: LLMErrorCode;
    readonly message: string;
}

export interface FallbackOptions {
    readonly models: readonly ChatModel[];
    readonly when?: (error: LLMError) => boolean;
}

export interface Middleware {
    readonly name: string;
    stream(request: ChatRequest, next: (request: ChatRequest) => AsyncIterable<ChatEvent>, model: ChatModel): AsyncIterable<ChatEvent>;
}

export interface ModelEvents {
    'call:started': ObservedCall;
    'call:first-content': {
        readonly callId: string;
        readonly ms: number;
    };
    'call:ended': CallEnded;
    'call:failed': CallFailed;
}

export interface ObservedCall {
    readonly callId: string;
    readonly provider: string;
    readonly modelId: string;
}

export interface Price {
    readonly inputPerMillion: number;
    readonly outputPerMillion: number;
    readonly cachedInputPerMillion?: number;
}

export type PriceTable = Readonly<Record<string, Price>>;

export interface RateLimitOptions {
    readonly requestsPerMinute?: number;
    readonly tokensPerMinute?: number;
    readonly concurrency?: number;
    readonly windowMs?: number;
    readonly maxRetryAfterMs?: number;
}

export interface RetryNotice {
    readonly provider: string;
    readonly modelId: string;
    readonly attempt: number;
    readonly error: LLMError;
    readonly waitMs: number;
}

export interface RetryOptions {
    readonly retries?: number;
    readonly baseMs?: number;
    readonly maxMs?: number;
    readonly maxRetryAfterMs?: number;
    readonly random?: () => number;
    readonly onRetry?: (notice: RetryNotice) => void;
}

export declare function budget(allowance: Budget, { prices }?: BudgetOptions): Middleware;

export declare function cache(options: CacheOptions): Middleware;

export declare function compose(model: ChatModel, ...middleware: readonly Middleware[]): ChatModel;

export declare function costOf(usage: Usage, price: Price): number;

export declare function createBudget(limits: Spending): Budget;

export declare function events(target: Pick<TypedEvents<ModelEvents>, 'emit'>): Middleware;

export declare function fallback(...models: readonly ChatModel[]): Middleware;
export declare function fallback(options: FallbackOptions): Middleware;

export declare function rateLimit(options: RateLimitOptions): Middleware;

export declare function record({ store, folder }: CassetteOptions): Middleware;

export declare function redact(options?: RedactOptions): Middleware;

export declare function replay({ store, folder }: CassetteOptions): Middleware;

export declare function retry(options?: RetryOptions): Middleware;

export declare function retryEmbeddings(model: EmbeddingModel, options?: Omit<RetryOptions, 'onRetry'>): EmbeddingModel;

// @vizprompt/providers/node

export interface ClosableDatabase extends ExtensibleDatabase {
    close(): Promise<void>;
}

export interface ClosableFileStore extends FileStore, AsyncDisposable {
    close(): Promise<void>;
}

export interface ExtensibleDatabase extends Database {
    loadExtension(file: string): Promise<void>;
}

export interface LocalFileStoreOptions {
    readonly isWritable?: ((key: string) => boolean) | undefined;
    readonly onSetAside?: ((batch: SetAsideBatch) => void) | undefined;
}

export interface LockFolder {
    lock(name: string, options?: LockOptions): Promise<HeldLock>;
    close(): Promise<void>;
}

export interface OpenStorageOptions extends LocalFileStoreOptions {
    readonly durability?: 'full' | 'normal';
    readonly readOnly?: boolean;
    readonly logger?: Logger;
}

export interface SetAsideBatch {
    readonly path: string;
    readonly keys: readonly string[];
}

export interface SqliteDatabaseOptions {
    readonly path: string;
    readonly durability?: 'full' | 'normal';
    readonly busyTimeoutMs?: number;
    readonly backupBeforeMigration?: boolean;
    readonly whenCorrupt?: 'fail' | 'replace';
    readonly readOnly?: boolean;
    readonly mapBytes?: number;
    readonly logger?: Logger;
}

export interface StoragePaths {
    readonly files: string;
    readonly database?: string;
    readonly cache?: string;
}

export declare function fileSink(path: string): LogSink;

export declare function inMemoryStorage(): Promise<Storage>;

export declare function localFileStore(folder: string, { isWritable, onSetAside }?: LocalFileStoreOptions): Promise<ClosableFileStore>;

export declare function lockFolder(folder: string): LockFolder;

export declare function openStorage(where: string | StoragePaths, options?: OpenStorageOptions): Promise<Storage>;

export declare function readSetAside(folder: string, path: string): Promise<readonly FileChange[]>;

export declare function sqliteDatabase(options: SqliteDatabaseOptions): ClosableDatabase;

// @vizprompt/providers/ollama

export interface OllamaConnection {
    readonly model: string;
    readonly host?: string | undefined;
    readonly baseURL?: string | undefined;
    readonly apiKey?: string | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly fetch?: Fetch | undefined;
}

export interface OllamaEmbeddingsOptions extends OllamaConnection {
    readonly dimensions?: number | undefined;
    readonly maxBatch?: number | undefined;
}

export interface OllamaOptions extends OllamaConnection {
    readonly contextWindow?: number | undefined;
    readonly keepAlive?: string | number | undefined;
    readonly capabilities?: ModelCapabilities | undefined;
}

export declare function ollama(options: OllamaOptions): ChatModel;

export declare function ollamaEmbeddings(options: OllamaEmbeddingsOptions): EmbeddingModel;

// @vizprompt/providers/openai

export interface OpenAIConnection {
    readonly model: string;
    readonly apiKey?: string | undefined;
    readonly baseURL?: string | undefined;
    readonly profile?: OpenAIProfileName | OpenAIProfile | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly fetch?: Fetch | undefined;
}

export interface OpenAIEmbeddingsOptions extends OpenAIConnection {
    readonly dimensions?: number | undefined;
    readonly maxBatch?: number | undefined;
}

export interface OpenAIOptions extends OpenAIConnection {
    readonly capabilities?: ModelCapabilities | undefined;
}

export interface OpenAIProfile {
    readonly name: string;
    readonly baseURL?: string;
    readonly keyName?: string;
    readonly streamUsage: boolean;
    readonly tokenLimitField: 'max_completion_tokens' | 'max_tokens';
    readonly systemRole: 'system' | 'developer';
    readonly jsonMode: 'schema' | 'schema-only' | 'object' | 'none';
    readonly embeddingFormat: 'float' | 'none';
    readonly reasoningIn: readonly string[];
    readonly reasoningOut: {
        readonly field: string;
        readonly when: 'never' | 'tool-turns' | 'always';
    };
    readonly reasoningEffort: 'reasoning_effort' | 'reasoning.effort' | 'none';
    readonly requireFinish: boolean;
    readonly toolChoice: boolean;
    readonly toolIds: 'any' | 'nine';
    readonly topK: boolean;
    readonly extraBody?: JsonObject;
}

export type OpenAIProfileName = 'openai' | 'lmstudio' | 'vllm' | 'llamacpp' | 'ollama' | 'openrouter' | 'groq' | 'deepseek' | 'mistral' | 'gemini-openai' | 'compatible';

export declare const openAIProfiles: Readonly<Record<OpenAIProfileName, OpenAIProfile>>;

export declare function openai(options: OpenAIOptions): ChatModel;

export declare function openaiEmbeddings(options: OpenAIEmbeddingsOptions): EmbeddingModel;

// @vizprompt/providers/otel

export interface OpenTelemetryOptions {
    readonly tracer?: Tracer;
    readonly meter?: Meter;
    readonly captureContent?: boolean;
}

export declare function openTelemetry(options?: OpenTelemetryOptions): Middleware;

// @vizprompt/providers/pgvector

export interface PgvectorStoreOptions extends SqlStoreOptions {
    readonly index?: 'hnsw' | 'none';
}

export declare function pgvectorStore(options: PgvectorStoreOptions): VectorStore;

// @vizprompt/providers/postgres

export interface PostgresStorageOptions {
    readonly connectionString: string;
    readonly namespace: string;
    readonly maxConnections?: number;
    readonly connectTimeoutMs?: number;
    readonly idleTransactionTimeoutMs?: number;
}

export declare function postgresStorage(options: PostgresStorageOptions): Promise<Storage>;

// @vizprompt/providers/qdrant

export interface QdrantStoreOptions {
    readonly url?: string;
    readonly apiKey?: string;
    readonly collection: string;
    readonly dimensions: number;
    readonly model?: string;
    readonly sparse?: boolean;
    readonly timeoutMs?: number;
}

export declare function qdrantStore(options: QdrantStoreOptions & {
    readonly sparse: true;
}): HybridVectorStore;
export declare function qdrantStore(options: QdrantStoreOptions): VectorStore;

// @vizprompt/providers/quantized

export interface QuantizedVectorsOptions extends SqlStoreOptions {
    readonly candidates?: number;
}

export declare function quantizedVectors(options: QuantizedVectorsOptions): VectorStore;

// @vizprompt/providers/registry

export interface ModelChoice extends ProviderSettings {
    readonly model: string;
}

export interface ModelRegistryOptions {
    readonly aliases?: Readonly<Record<string, string>>;
}

export type RegistryEntry = RegistrySettings | RegistryProvider | ((choice: ModelChoice) => ChatModel);

export interface RegistryProvider {
    readonly model?: (choice: ModelChoice) => ChatModel;
    readonly embeddings?: (choice: ModelChoice) => EmbeddingModel;
}

export interface RegistrySettings extends ProviderSettings {
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly profile?: OpenAIProfileName | undefined;
}

export declare function createModelRegistry(providers?: Readonly<Record<string, RegistryEntry>>, { aliases }?: ModelRegistryOptions): ModelRegistry;

// @vizprompt/providers/serving

export interface AllowedRequests {
    readonly allowedHosts: readonly string[];
    readonly allowedOrigins: readonly string[];
}

export declare class HeldInput extends Transform {
    #private;
    constructor(input: Readable, { patienceMs }?: HeldInputOptions);
    follow<Message extends object>(transport: RpcTransport<Message>): void;
    release(): void;
    _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void;
}

export interface HeldInputOptions {
    readonly patienceMs?: number | undefined;
}

export declare const LOCAL_HOSTS: readonly string[];

export interface RequestOrigin {
    readonly host?: string | undefined;
    readonly origin?: string | undefined;
}

export interface RequestRefusal {
    readonly status: 403 | 421;
    readonly code: 'host-not-allowed' | 'origin-not-allowed';
    readonly message: string;
}

export interface RpcTransport<Message extends object> {
    onmessage?: ((message: Message) => void) | undefined;
    send(message: Message): Promise<void>;
}

export declare const SERVING_HEADERS: Readonly<Record<string, string>>;

export interface ServedTo {
    readonly host?: string | undefined;
    readonly token?: string | undefined;
    readonly allowedHosts?: readonly string[] | undefined;
}

export interface StdioServer extends AsyncDisposable {
    readonly closed: Promise<void>;
    close(): Promise<void>;
}

export type TokenCheck = (given: string | undefined) => boolean;

export declare function bearerToken(authorization: string | undefined): string | undefined;

export declare function createRequestCheck({ allowedHosts, allowedOrigins, }: AllowedRequests): (request: RequestOrigin) => RequestRefusal | undefined;

export declare function createTokenCheck(token: string): TokenCheck;

export declare function hostName(host: string): string;

export declare function inAddress(host: string): string;

export declare function isSameHost(origin: string, host: string): boolean;

export declare function packageVersion(name: string, from: string): string;

export declare function serveHeld(held: HeldInput, output: Writable, handle: {
    close(): Promise<void>;
}): StdioServer;

export declare function servingProblem({ host, token, allowedHosts }: ServedTo): string | undefined;

// @vizprompt/providers/sqlite-vec

export interface SqlStoreOptions {
    readonly database: Database;
    readonly dimensions: number;
    readonly name?: string;
    readonly model?: string;
}

export declare function sqliteVecStore(options: SqlStoreOptions): VectorStore;

// @vizprompt/providers/testing

export interface CapCorpus {
    readonly rows: readonly TextRow[];
    readonly queries: readonly string[];
}

export interface CassetteOptions {
    readonly store: FileStore;
    readonly folder?: string;
}

export interface ChatModelSubject {
    readonly model: ChatModel;
}

export type ConnectionFault = {
    readonly type: 'reset-before-headers';
} | {
    readonly type: 'stall-before-headers';
} | ({
    readonly type: 'reset';
} & AfterOutput) | ({
    readonly type: 'stall';
} & AfterOutput) | ({
    readonly type: 'truncate';
} & AfterOutput) | ({
    readonly type: 'half-frame';
} & AfterOutput) | ({
    readonly type: 'bad-json';
} & AfterOutput) | ({
    readonly type: 'in-band-error';
    readonly message?: string;
    readonly code?: string | number;
} & AfterOutput);

export type ContentFault = {
    readonly type: 'no-usage';
} | {
    readonly type: 'empty';
} | {
    readonly type: 'bad-tool-json';
} | {
    readonly type: 'base64-ignored';
} | {
    readonly type: 'shuffled';
};

export interface ContractCase<Subject> {
    readonly name: string;
    run(subject: Subject): Promise<void>;
}

export interface ContractReport {
    readonly passed: readonly string[];
    readonly failed: readonly {
        readonly name: string;
        readonly error: unknown;
    }[];
}

export type FakeAnswer = string | readonly Part[] | {
    readonly parts: readonly Part[];
    readonly finishReason?: FinishReason;
    readonly usage?: Usage;
};

export interface FakeLLM {
    readonly url: string;
    readonly requests: readonly FakeRequest[];
    readonly openSockets: number;
    answer(...answers: readonly FakeAnswer[]): void;
    fail(...faults: readonly (Fault | readonly Fault[])[]): void;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export interface FakeLLMOptions {
    readonly answer?: FakeAnswer | ((request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>);
    readonly chunkSize?: number;
    readonly chunkDelayMs?: number;
    readonly reasoningField?: 'reasoning_content' | 'reasoning';
    readonly apiKey?: string;
    readonly models?: readonly string[];
    readonly contextLength?: number;
}

export interface FakeQdrant {
    readonly url: string;
    readonly calls: readonly QdrantCall[];
    set(state: 'up' | 'down' | 'hanging' | 500 | 429): void;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export interface FakeQdrantOptions {
    readonly apiKey?: string;
}

export interface FakeRequest {
    readonly wire: FakeWireName;
    readonly kind: FakeRequestKind;
    readonly model: string;
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: JsonObject;
    readonly isStream: boolean;
    readonly isClosedEarly: boolean;
}

export type FakeRequestKind = 'chat' | 'embeddings' | 'count' | 'models' | 'show';

export type FakeWireName = 'openai' | 'gemini' | 'ollama';

export type Fault = RefusalFault | ConnectionFault | TransportFault | ContentFault;

export interface FileStoreSubject {
    readonly files: FileStore;
    another(): Promise<FileStore>;
}

export interface HashEmbeddingsOptions {
    readonly dimensions?: number;
}

export interface OpenedSubject<Subject> {
    readonly subject: Subject;
    close(): Promise<void>;
}

export interface QdrantCall {
    readonly method: string;
    readonly path: string;
    readonly body: Fields;
}

export type RefusalFault = {
    readonly type: 'status';
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | object;
} | {
    readonly type: 'html';
    readonly status?: number;
} | {
    readonly type: 'not-json';
} | {
    readonly type: 'rate-limit';
    readonly form: 'seconds' | 'date' | 'ms' | 'retry-info' | 'message';
    readonly waitMs: number;
} | {
    readonly type: 'quota';
} | {
    readonly type: 'unsupported-field';
    readonly field: string;
};

export interface RetrieverSubject {
    readonly retriever: Retriever;
    readonly query: string;
    readonly matches: number;
}

export type Script = readonly ScriptedAnswer[] | ((request: ChatRequest, call: number) => ScriptedAnswer | Promise<ScriptedAnswer>);

export type ScriptedAnswer = string | readonly Part[] | {
    readonly parts: readonly Part[];
    readonly finishReason?: FinishReason;
    readonly usage?: Usage;
} | Error;

export interface ScriptedModel extends ChatModel {
    readonly calls: readonly ChatRequest[];
}

export interface ScriptedModelOptions {
    readonly provider?: string;
    readonly modelId?: string;
    readonly capabilities?: ModelCapabilities;
    readonly chunkSize?: number;
    readonly chunkDelayMs?: number;
}

export interface SuiteOptions<Subject> {
    readonly name: string;
    open(): Promise<OpenedSubject<Subject>>;
    readonly runner: TestRunner;
    readonly expectedFailures?: Readonly<Record<string, string>>;
}

export interface TestRunner {
    describe(name: string, define: () => void): unknown;
    it(name: string, run: () => Promise<void>): unknown;
}

export type TransportFault = {
    readonly type: 'split-utf8';
} | {
    readonly type: 'keep-alive';
} | {
    readonly type: 'crlf';
};

export interface VectorStoreSubject {
    readonly store: VectorStore;
    another(made?: {
        readonly dimensions?: number;
        readonly model?: string;
    }): Promise<VectorStore>;
}

export declare function capCorpus(size: number): CapCorpus;

export declare const chatModelCases: readonly ContractCase<ChatModelSubject>[];

export declare const databaseCases: readonly ContractCase<Database>[];

export declare function declareSuite<Subject>(contract: string, cases: readonly ContractCase<Subject>[], { name, open, runner, expectedFailures }: SuiteOptions<Subject>): void;

export declare const embeddingModelCases: readonly ContractCase<EmbeddingModel>[];

export declare const fileStoreCases: readonly ContractCase<FileStoreSubject>[];

export declare function hashEmbeddings({ dimensions }?: HashEmbeddingsOptions): EmbeddingModel;

export declare function measureCapRecall(index: TextIndex, queries: readonly string[], { cap }?: {
    readonly cap?: number;
}): Promise<number>;

export declare function record({ store, folder }: CassetteOptions): Middleware;

export declare function replay({ store, folder }: CassetteOptions): Middleware;

export declare const retrieverCases: readonly ContractCase<RetrieverSubject>[];

export declare function runContract<Subject>(cases: readonly ContractCase<Subject>[], open: () => Promise<OpenedSubject<Subject>>): Promise<ContractReport>;

export declare function scriptedModel(script: Script, options?: ScriptedModelOptions): ScriptedModel;

export declare function startFakeLLM(options?: FakeLLMOptions): Promise<FakeLLM>;

export declare function startFakeQdrant({ apiKey }?: FakeQdrantOptions): Promise<FakeQdrant>;

export declare const storageCases: readonly ContractCase<Storage>[];

export declare function testChatModel(options: SuiteOptions<ChatModelSubject>): void;

export declare function testDatabase(options: SuiteOptions<Database>): void;

export declare function testEmbeddingModel(options: SuiteOptions<EmbeddingModel>): void;

export declare function testFileStore(options: SuiteOptions<FileStoreSubject>): void;

export declare function testRetriever(options: SuiteOptions<RetrieverSubject>): void;

export declare function testStorage(options: SuiteOptions<Storage>): void;

export declare function testTextAnalyzer(options: SuiteOptions<TextAnalyzer>): void;

export declare function testTextIndex(options: SuiteOptions<Database>): void;

export declare function testVectorStore(options: SuiteOptions<VectorStoreSubject>): void;

export declare const textAnalyzerCases: readonly ContractCase<TextAnalyzer>[];

export declare const textIndexCases: readonly ContractCase<Database>[];

export declare const vectorStoreCases: readonly ContractCase<VectorStoreSubject>[];

// @vizprompt/providers/text

export interface MatchedGroup {
    readonly isWeak: boolean;
    readonly share: number;
    readonly weight: number;
    readonly count: number;
    readonly isComplete: boolean;
}

export interface PutRow extends Omit<TextRow, 'id'> {
    readonly id: RowNumber;
    readonly terms?: Readonly<Record<string, TermTexts>>;
    readonly isNew?: boolean;
}

export type RowNumber = number | Statement;

export interface ScoredRow {
    readonly id: number;
    readonly bits: number;
    readonly score: number;
}

export interface Snippet {
    readonly text: string;
    readonly start: number;
    readonly highlights: readonly (readonly [
        start: number,
        end: number
    ])[];
}

export interface SnippetOptions {
    readonly maxLength?: number;
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

export interface TextAnalyzer {
    readonly specVersion: 1;
    readonly id: string;
    analyze(text: string, mode: 'index' | 'query'): readonly Term[];
    terms?(text: string): TermTexts;
    find?(text: string, terms: readonly WantedTerm[]): readonly Term[];
}

export interface TextHit {
    readonly id: number;
    readonly score: number;
}

export interface TextIndex {
    readonly analyzer: TextAnalyzer;
    readonly isStale: boolean;
    put(row: PutRow): readonly Statement[];
    remove(id: RowNumber): readonly Statement[];
    optimize(): Promise<void>;
    check(): Promise<TextIndexReport>;
    rebuild(rows: AsyncIterable<TextRow> | Iterable<TextRow>): Promise<void>;
    search(query: string, options?: TextSearchOptions): Promise<readonly TextHit[]>;
    match(query: string, options?: TextMatchOptions): Promise<TextMatches>;
    snippet(text: string, query: string, options?: SnippetOptions): Snippet;
}

export interface TextIndexOptions {
    readonly name: string;
    readonly fields: Readonly<Record<string, number>>;
    readonly table: string;
    readonly key: string;
    readonly analyzer?: TextAnalyzer;
}

export interface TextIndexReport {
    readonly missing: readonly number[];
    readonly extra: readonly number[];
}

export interface TextMatchOptions extends Pick<TextSearchOptions, 'where'> {
    readonly tags?: readonly (readonly string[])[];
    readonly cap?: number;
    readonly last?: string;
    readonly signal?: AbortSignal;
}

export interface TextMatches {
    readonly groups: readonly MatchedGroup[];
    readonly rows: ReadonlyMap<number, number>;
    readonly last: ReadonlySet<number>;
}

export interface TextRow {
    readonly id: number;
    readonly fields: Readonly<Record<string, string>>;
    readonly tags?: readonly string[];
}

export interface TextSearchOptions {
    readonly limit?: number;
    readonly match?: 'any' | 'all';
    readonly where?: {
        readonly sql: string;
        readonly params?: readonly SqlParameter[];
    };
    readonly cap?: number;
}

export interface WantedTerm {
    readonly text: string;
    readonly isPrefix: boolean;
}

export interface WordAnalyzerOptions {
    readonly stems?: 'english' | 'none';
}

export declare function topK(rows: Iterable<readonly [
    id: number,
    bits: number
]>, count: number, scoreOf: (bits: number) => number): readonly ScoredRow[];

export declare function createTextIndex(database: Database, options: TextIndexOptions): Promise<TextIndex>;

export declare function joinedTerms({ line, extra }: TermTexts): TermTexts;

export declare function porterStem(word: string): string;

export declare function snippetOf(text: string, query: string, analyzer: TextAnalyzer, options?: SnippetOptions): Snippet;

export declare function termTexts(analyzer: TextAnalyzer, text: string): TermTexts;

export declare function topK(rows: Iterable<readonly [
    id: number,
    bits: number
]>, count: number, scoreOf: (bits: number) => number): readonly ScoredRow[];

export declare function wordAnalyzer({ stems }?: WordAnalyzerOptions): TextAnalyzer;

// @vizprompt/providers/transcripts

export interface CallFiles {
    readonly changes: readonly FileChange[];
    readonly read?: {
        readonly path: string;
        readonly text: string;
    } | undefined;
}

export type FileCall = Pick<TranscriptCall, 'cwd' | 'input' | 'tool'>;

export interface FileChange {
    readonly action: 'create' | 'edit' | 'delete';
    readonly path: string;
    readonly movedTo?: string | undefined;
    readonly how: {
        readonly kind: 'write';
        readonly text: string;
    } | {
        readonly kind: 'replace';
        readonly replacements: readonly Replacement[];
    } | {
        readonly kind: 'patch';
        readonly chunks: readonly PatchChunk[];
    } | {
        readonly kind: 'delete';
    } | {
        readonly kind: 'unknown';
    };
    readonly facts?: FileFacts | undefined;
}

export interface FileFacts {
    readonly oldText?: string | null | undefined;
    readonly newText?: string | undefined;
    readonly diff?: string | undefined;
    readonly lineChange?: number | undefined;
}

export interface FileLine {
    readonly text: string;
    readonly line: number;
    readonly offset: number;
    readonly isWhole: boolean;
    readonly bytes: number;
}

export interface ParsedLine {
    readonly value: JsonValue | undefined;
    readonly broken?: string | undefined;
}

export interface PatchChunk {
    readonly context: readonly string[];
    readonly oldLines: readonly string[];
    readonly newLines: readonly string[];
    readonly isAtEnd: boolean;
}

export interface ReadLinesOptions {
    readonly start?: number | undefined;
    readonly maxLineBytes?: number | undefined;
    readonly skipEmpty?: boolean | undefined;
    readonly signal?: AbortSignal | undefined;
}

export interface Replacement {
    readonly oldText: string;
    readonly newText: string;
    readonly all: boolean;
}

export declare const TRANSCRIPT_AGENTS: readonly [
    "claude-code",
    "codex",
    "copilot",
    "gemini",
    "pi"
];

export type TranscriptAgent = (typeof TRANSCRIPT_AGENTS)[number];

export interface TranscriptBlock {
    readonly type: 'other';
    readonly name: string;
    readonly kind: 'media' | 'note' | 'unknown';
    readonly key?: string | undefined;
    readonly raw: JsonValue;
}

export interface TranscriptCall {
    readonly type: 'tool-call';
    readonly id: string;
    readonly callId?: string | undefined;
    readonly key?: string | undefined;
    readonly tool: string;
    readonly input: JsonValue;
    readonly cwd?: string | undefined;
    readonly raw: JsonValue;
}

export interface TranscriptEntry {
    readonly agent: TranscriptAgent;
    readonly type: string;
    readonly kind: TranscriptKind;
    readonly place?: TranscriptPlace | undefined;
    readonly session?: TranscriptSession | undefined;
    readonly id?: string | undefined;
    readonly parent?: string | undefined;
    readonly carrier?: Pick<TranscriptEntry, 'id' | 'parent'> | undefined;
    readonly time?: string | undefined;
    readonly role: Role;
    readonly parts: readonly TranscriptPart[];
    readonly isSummary?: boolean | undefined;
    readonly isSidechain?: boolean | undefined;
    readonly subagent?: string | undefined;
    readonly hasFailed?: boolean | undefined;
    readonly isAborted?: boolean | undefined;
    readonly settlesCalls?: boolean | undefined;
    readonly model?: string | undefined;
    readonly usage?: JsonObject | undefined;
    readonly messageId?: string | undefined;
    readonly requestId?: string | undefined;
    readonly name?: string | undefined;
    readonly parentCall?: string | undefined;
    readonly attachments?: readonly JsonValue[] | undefined;
    readonly cwd?: string | undefined;
    readonly branch?: string | undefined;
    readonly title?: string | undefined;
    readonly titled?: string | undefined;
    readonly raw: JsonValue;
}

export type TranscriptKind = 'broken' | 'message' | 'note' | 'passing' | 'unknown';

export interface TranscriptLine {
    readonly text: string;
    readonly line?: number | undefined;
    readonly offset?: number | undefined;
    readonly isWhole?: boolean | undefined;
}

export type TranscriptPart = TranscriptBlock | TranscriptCall | TranscriptResult | TranscriptText;

export interface TranscriptPlace {
    readonly line: number;
    readonly offset: number;
}

export declare class TranscriptReader {
    #private;
    readonly state: TranscriptState;
    constructor({ agent, state, wellFormed: isWellFormed }?: TranscriptReaderOptions);
    get agent(): TranscriptAgent | undefined;
    get isForeign(): boolean;
    get sessions(): readonly TranscriptSession[];
    session(sourceId: string): TranscriptSession;
    read(line: ParsedLine | TranscriptLine | string): readonly TranscriptEntry[];
}

export interface TranscriptReaderOptions {
    readonly agent?: TranscriptAgent | undefined;
    readonly state?: TranscriptState | undefined;
    readonly wellFormed?: boolean | undefined;
}

export interface TranscriptResult {
    readonly type: 'tool-result';
    readonly id: string;
    readonly tool?: string | undefined;
    readonly output?: JsonValue | undefined;
    readonly details?: JsonValue | undefined;
    readonly success: boolean;
    readonly error?: string | undefined;
    readonly durationMs?: number | undefined;
    readonly isOfFiles?: boolean | undefined;
    readonly raw: JsonValue;
}

export interface TranscriptSession {
    readonly agent: TranscriptAgent;
    readonly sourceId: string;
    workspacePath?: string;
    startedAt?: string;
    metadata: {
        [key: string]: JsonValue;
    };
}

export type TranscriptSource = AsyncIterable<TranscriptLine | readonly TranscriptLine[] | string> | Iterable<TranscriptLine | readonly TranscriptLine[] | string>;

export interface TranscriptState {
    session: TranscriptSession | undefined;
    readonly usage: LruMap<string, {
        [name: string]: number;
    }>;
    readonly unmatched: LruMap<string, number>;
    readonly seen: LruMap<string, true>;
    readonly notes: {
        [name: string]: JsonValue;
    };
}

export interface TranscriptText {
    readonly type: 'text' | 'thinking';
    readonly key: string;
    readonly text: string;
    readonly subject?: string | undefined;
    readonly raw: JsonValue;
}

export declare function absolutePath(path: string, cwd: string | undefined): string;

export declare function callFiles(agent: TranscriptAgent, call: FileCall, result?: TranscriptResult): CallFiles;

export declare function changedText({ action, how, facts }: FileChange, oldText: string | undefined): string | undefined;

export declare function claudeResult(facts: {
    readonly id: string;
    readonly raw: JsonObject;
    readonly details: JsonValue | undefined;
}): TranscriptResult;

export declare function detectAgent(value: JsonValue): TranscriptAgent | undefined;

export declare function globalKey(session: string, id: string): string;

export declare function loadTranscriptState<State extends TranscriptState>(saved: JsonObject, state: State): State;

export declare function newTranscriptState(): TranscriptState;

export declare function parseLine(text: string): ParsedLine;

export declare function parseShallowJson(text: string): JsonValue | undefined;

export declare function readLines(path: string, options?: ReadLinesOptions): AsyncGenerator<readonly FileLine[]>;

export declare function readTranscript(source: TranscriptSource, options?: TranscriptReader | TranscriptReaderOptions): AsyncGenerator<TranscriptEntry>;

export declare function saveTranscriptState(state: TranscriptState): JsonObject;

export declare function textHash(text: string): string;

// @vizprompt/providers/trust

export interface NamedPath {
    readonly path: string;
    readonly folders: readonly string[];
    readonly what: string;
    readonly source: string;
}

export interface NamedServer {
    readonly provider: string;
    readonly address?: string | undefined;
    readonly keyName?: string | undefined;
    readonly source: string;
}

export declare class TrustError extends CodedError<TrustErrorCode> {
    constructor(code: TrustErrorCode, message: string, details?: ErrorDetails);
    static isInstance(value: unknown): value is TrustError;
}

export type TrustErrorCode = 'untrusted' | 'trust-unwritable';

export type TrustOption = boolean | ((request: TrustRequest) => boolean | Promise<boolean>);

export interface TrustRecord {
    readonly place: string;
    readonly uses: readonly string[];
    readonly time: string;
    readonly identity?: string | undefined;
}

export interface TrustRequest {
    readonly place?: string | undefined;
    readonly uses: readonly TrustUse[];
}

export interface TrustUse {
    readonly kind: 'address' | 'key' | 'path' | 'memory';
    readonly text: string;
    readonly source: string;
}

export declare function assertTrusted(request: TrustRequest, option?: TrustOption): Promise<void>;

export declare function foreignAddress({ provider, address }: NamedServer): string | undefined;

export declare function grantTrust({ place, uses, }: TrustRequest & {
    readonly place: string;
}): Promise<TrustRecord>;

export declare function isLoopbackAddress(address: string): boolean;

export declare function isTrackedByGit(path: string): boolean;

export declare function isTrusted(request: TrustRequest, option?: TrustOption): Promise<boolean>;

export declare function isWithin(folder: string, path: string): boolean;

export declare function leadsOutside(folder: string, path: string): boolean;

export declare function listTrust(): readonly TrustRecord[];

export declare function pathUses({ path, folders, what, source }: NamedPath): TrustUse[];

export declare function revokeTrust(place: string): Promise<boolean>;

export declare function serverUses({ provider, address, keyName, source }: NamedServer): TrustUse[];

export declare function trustFile(): string;

export declare function untrusted(request: TrustRequest): TrustError;

export declare function untrustedUses({ place, uses }: TrustRequest): readonly TrustUse[];
