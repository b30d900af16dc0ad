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
    readonly durable?: boolean | undefined;
}

export interface Budget {
    readonly specVersion: 1;
    readonly remaining: Spending;
    reserve(estimate: Spending): Reservation;
}

export type ChatEvent = StartEvent | DeltaEvent | ToolCallDeltaEvent | PartEvent | FinishEvent;

export type ChatInput = string | (Omit<ChatRequest, 'messages'> & ({
    readonly messages: readonly (Message | ContentMessage)[];
    readonly prompt?: undefined;
} | {
    readonly messages?: readonly (Message | ContentMessage)[] | undefined;
    readonly prompt: string;
}));

export interface ChatModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly address?: string;
    readonly capabilities: ModelCapabilities;
    stream(request: ChatInput): AsyncIterable<ChatEvent>;
    generate(request: ChatInput): Promise<ChatResult>;
    prepare?(): Promise<void>;
    countTokens?(request: TokenCountRequest): Promise<TokenCount>;
    listModels?(options?: ListModelsOptions): Promise<readonly ModelInfo[]>;
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
    readonly providerOptions?: ProviderMeta | undefined;
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

export interface CheckedChange extends WriteCondition {
    readonly key: string;
    readonly content: Uint8Array | null;
}

export declare abstract class CodedError<Code extends string = string> extends Error {
    readonly code: Code;
    readonly context: Readonly<Record<string, unknown>>;
    constructor(name: string, code: Code, message: string, details?: ErrorDetails);
    toJSON(): ErrorJson;
}

export interface ContentMessage {
    readonly role: string;
    readonly content?: string | readonly (object | string)[] | null | undefined;
    readonly tool_calls?: readonly object[] | null | undefined;
    readonly tool_call_id?: string | undefined;
    readonly name?: string | null | undefined;
    readonly providerOptions?: object | undefined;
}

export interface CopyReport {
    readonly files: number;
    readonly rows: number;
}

export interface CopyStorageOptions {
    readonly components?: readonly {
        readonly name: string;
        readonly migrations: readonly Migration[];
    }[] | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly onProgress?: ((report: CopyReport) => void) | undefined;
}

export interface CreateLoggerOptions {
    readonly level?: LogLevel | 'silent' | undefined;
    readonly sinks: readonly LogSink[];
    readonly fields?: LogFields | undefined;
    readonly clock?: (() => Date) | undefined;
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

export type Dialect = 'sqlite' | 'postgres';

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

export interface ErasureReport {
    readonly speaker?: string;
    readonly dryRun: boolean;
    readonly erased: readonly ErasedPlace[];
    readonly remains: readonly Remainder[];
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
    readonly name?: string | undefined;
    readonly meta?: ProviderMeta | undefined;
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

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error' | 'unknown';

export interface FuseOptions {
    readonly k?: number | undefined;
    readonly weights?: readonly number[] | undefined;
}

export interface FusedQuery extends VectorQueryOptions {
    readonly vector: Float32Array;
    readonly sparse: SparseVector;
    readonly depth?: number | undefined;
    readonly rankConstant?: number | undefined;
    readonly weights?: {
        readonly vector: number;
        readonly sparse: number;
    } | undefined;
}

export interface HeldLock {
    readonly lost: AbortSignal;
    release(): Promise<void>;
}

export interface HybridVectorStore extends VectorStore {
    queryFused(query: FusedQuery): Promise<readonly VectorMatch[]>;
}

export declare class InputError extends CodedError<'invalid-input'> {
    constructor(message: string, details?: ErrorDetails);
    static isInstance(value: unknown): value is InputError;
}

export type IsFound = (start: number, end: number) => boolean;

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

export interface ListModelsOptions {
    readonly signal?: AbortSignal | undefined;
}

export interface LockOptions {
    readonly timeoutMs?: number | undefined;
    readonly signal?: AbortSignal | undefined;
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
    readonly meta?: ProviderMeta | undefined;
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

export interface ModelInfo {
    readonly id: string;
    readonly name?: string;
    readonly capabilities: ModelCapabilities;
    readonly raw: JsonValue;
}

export interface ModelRegistry {
    readonly specVersion: 1;
    model(name: string, settings?: ProviderSettings): ChatModel;
    embeddings(name: string, settings?: ProviderSettings): EmbeddingModel;
    listModels?(provider: string, settings?: ProviderSettings): Promise<readonly ModelInfo[]>;
}

export type Offsets = readonly [
    start: number,
    end: number
];

export type OutputFormat = {
    readonly type: 'text';
} | {
    readonly type: 'json';
    readonly schema?: JsonObject | undefined;
    readonly name?: string | undefined;
};

export type Part = TextPart | ReasoningPart | FilePart | ToolCallPart | ToolResultPart | SourcePart;

export interface Passage {
    readonly id: string;
    readonly text: string;
    readonly score: number;
    readonly source: PassageSource;
    readonly title?: string;
    readonly time?: string;
    readonly meta?: JsonObject;
}

export declare class PeerError extends CodedError<'peer-missing'> {
    constructor(name: string, cause: unknown);
    static isInstance(value: unknown): value is PeerError;
}

export type ProviderMeta = Readonly<Record<string, JsonObject>>;

export interface ProviderSettings {
    readonly apiKey?: string | undefined;
    readonly baseURL?: string | undefined;
}

export interface ReadOptions {
    readonly maxBytes?: number | undefined;
}

export type ReasoningEffort = 'default' | 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export interface ReasoningPart {
    readonly type: 'reasoning';
    readonly text: string;
    readonly meta?: ProviderMeta | undefined;
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
    readonly minValue?: number | undefined;
    readonly entropy?: number | undefined;
    readonly mayFollow?: ((text: string, keyword: number) => boolean) | undefined;
    readonly is?: ((secret: string) => boolean) | undefined;
    readonly accepts?: ((match: RegExpExecArray) => boolean) | undefined;
    readonly find?: ((text: string, isFound: IsFound) => readonly Offsets[]) | undefined;
    readonly secretAfter?: ((text: string, keyword: number, end: number) => Offsets | undefined) | undefined;
    readonly secretsAfter?: ((text: string, keyword: number, end: number) => readonly Offsets[] | undefined) | undefined;
    readonly skim?: ((text: string, keyword: number, end: number) => number | undefined) | undefined;
}

export interface Remainder {
    readonly place: RemainingPlace;
    readonly count?: number;
}

export interface Reservation {
    settle(actual: Spending): void;
}

export interface RetrieveOptions {
    readonly limit?: number | undefined;
    readonly k?: number | undefined;
    readonly filter?: Readonly<Record<string, JsonValue>> | undefined;
    readonly conversation?: string | undefined;
    readonly signal?: AbortSignal | undefined;
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

export interface SourcePart {
    readonly type: 'source';
    readonly url?: string;
    readonly title?: string;
    readonly text?: string;
    readonly meta?: ProviderMeta;
}

export interface SparseVector {
    readonly indices: readonly number[];
    readonly values: readonly number[];
}

export interface Spending {
    readonly tokens?: number | undefined;
    readonly costUsd?: number | undefined;
}

export interface SqlExecutor {
    query<R extends object = Row>(sql: string, params?: readonly SqlParameter[]): Promise<R[]>;
    execute(sql: string, params?: readonly SqlParameter[]): Promise<{
        readonly changes: number;
    }>;
}

export type SqlParameter = SqlValue | boolean;

export type SqlValue = string | number | bigint | Uint8Array | null;

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

export type StorageErrorCode = 'invalid-key' | 'outside-root' | 'invalid-text' | 'not-text' | 'too-large' | 'conflict' | 'lock-timeout' | 'busy' | 'misuse' | 'closed' | 'constraint' | 'sql' | 'newer-schema' | 'corrupt' | 'connection' | 'unsupported' | 'no-sqlite' | 'io';

export interface StoredFile {
    readonly data: Uint8Array;
    readonly text: string;
    readonly version: string;
}

export interface TextPart {
    readonly type: 'text';
    readonly text: string;
    readonly meta?: ProviderMeta | undefined;
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
    readonly messages: readonly (Message | ContentMessage)[];
    readonly tools?: readonly Tool[] | undefined;
    readonly signal?: AbortSignal | undefined;
}

export interface TokenCounter {
    count(text: string): TokenCount;
}

export interface TokenEstimator extends TokenCounter {
    count(text: string): TokenCount;
    readonly factor: number;
    calibrate(text: string, tokens: number): void;
}

export interface Tool {
    readonly name: string;
    readonly description?: string | undefined;
    readonly parameters: JsonObject;
}

export interface ToolCallPart {
    readonly type: 'tool-call';
    readonly id: string;
    readonly name: string;
    readonly input: JsonValue;
    readonly meta?: ProviderMeta | undefined;
}

export type ToolChoice = 'auto' | 'none' | 'required' | {
    readonly tool: string;
};

export interface ToolResultPart {
    readonly type: 'tool-result';
    readonly id: string;
    readonly name: string;
    readonly output: JsonValue;
    readonly isError?: boolean | undefined;
    readonly meta?: ProviderMeta | undefined;
}

export interface TransactionOptions {
    readonly isolation?: 'serializable' | 'read-committed' | undefined;
    readonly signal?: AbortSignal | undefined;
}

export interface Turn {
    readonly id: string;
    readonly conversationId: string;
    readonly follows: readonly string[];
    readonly kind: 'turn' | 'aggregate' | 'summary';
    readonly status: TurnStatus;
    readonly speaker: string;
    readonly askedBy?: string;
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

export interface Usage {
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly reasoningTokens?: number;
    readonly cachedInputTokens?: number;
    readonly cacheWriteInputTokens?: number;
    readonly estimated?: boolean;
    readonly raw?: JsonValue;
}

export interface VectorCallOptions {
    readonly signal?: AbortSignal | undefined;
}

export declare class VectorError extends CodedError<VectorErrorCode> {
    constructor(code: VectorErrorCode, message: string, details?: ErrorDetails);
    static isInstance(value: unknown): value is VectorError;
}

export type VectorErrorCode = 'unavailable' | 'dimension-mismatch' | 'model-mismatch' | 'invalid-input' | 'refused' | 'closed';

export type VectorFilter = Readonly<Record<string, VectorCondition>>;

export interface VectorMatch {
    readonly id: string;
    readonly score: number;
    readonly payload?: JsonObject;
}

export interface VectorQueryOptions extends VectorCallOptions {
    readonly limit?: number | undefined;
    readonly k?: number | undefined;
    readonly filter?: VectorFilter | undefined;
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

export declare function assertKey(key: string): void;

export declare function assertLockName(name: string): void;

export declare function assertVersion(key: string, found: string | null, condition: WriteCondition): void;

export declare function checkChanges(changes: readonly FileChange[]): CheckedChange[];

export declare function collectChat(stream: AsyncIterable<ChatEvent>): Promise<ChatResult>;

export declare function consoleSink(): LogSink;

export declare function copyStorage(from: Storage, to: Storage, options?: CopyStorageOptions): Promise<CopyReport>;

export declare function createId(now?: number): string;

export declare function createLogger(options: CreateLoggerOptions): Logger;

export declare function createTokenEstimator(): TokenEstimator;

export declare const defaultRedactionRules: readonly RedactionRule[];

export declare function fuse(lists: readonly (readonly Passage[])[], options?: FuseOptions): readonly Passage[];

export declare function loadTokenCounter(encoding?: TokenEncoding): Promise<TokenCounter>;

export declare function messageOf(thrown: unknown): string;

export declare function pinoSink(pino: PinoLike): LogSink;

export declare function purgeStorage(storage: Storage, parts?: readonly ('files' | 'database' | 'cache')[]): Promise<void>;

export declare function readChatInput(input: ChatInput): ChatRequest;

export declare function redact(text: string, options?: RedactOptions): RedactResult;

export declare const redactionRulesVersion = 11;

export declare function storedFile(key: string, data: Uint8Array, version: string): StoredFile;

export declare function textMessage(role: Role, text: string): Message;

export declare function textOf(source: Message | readonly Part[]): string;

// @vizprompt/providers/anthropic

export interface AnthropicConnection {
    readonly model: string;
    readonly apiKey?: string | undefined;
    readonly baseURL?: string | undefined;
    readonly betas?: readonly string[] | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly fetch?: Fetch | undefined;
}

export interface AnthropicOptions extends AnthropicConnection {
    readonly cache?: '5m' | '1h' | undefined;
    readonly capabilities?: ModelCapabilities | undefined;
}

export interface ChatModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly address?: string;
    readonly capabilities: ModelCapabilities;
    stream(request: ChatInput): AsyncIterable<ChatEvent>;
    generate(request: ChatInput): Promise<ChatResult>;
    prepare?(): Promise<void>;
    countTokens?(request: TokenCountRequest): Promise<TokenCount>;
    listModels?(options?: ListModelsOptions): Promise<readonly ModelInfo[]>;
}

export declare function anthropic(options: AnthropicOptions): ChatModel;

// @vizprompt/providers/ai-sdk

export interface AiSdkChoice extends ProviderSettings {
    readonly model: string;
}

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

export interface ChatModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly address?: string;
    readonly capabilities: ModelCapabilities;
    stream(request: ChatInput): AsyncIterable<ChatEvent>;
    generate(request: ChatInput): Promise<ChatResult>;
    prepare?(): Promise<void>;
    countTokens?(request: TokenCountRequest): Promise<TokenCount>;
    listModels?(options?: ListModelsOptions): Promise<readonly ModelInfo[]>;
}

export interface EmbeddingModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly maxBatch: number;
    readonly dimensions?: number;
    embed(request: EmbeddingRequest): Promise<EmbeddingResult>;
}

export interface EmbeddingsFromAiSdkOptions {
    readonly dimensions?: number | undefined;
    readonly providerOptions?: ((kind: 'query' | 'document') => ProviderMeta) | undefined;
}

export interface FromAiSdkOptions {
    readonly capabilities?: ModelCapabilities | undefined;
}

export interface RecallMiddleware {
    readonly specificationVersion: 'v3';
    transformParams<Params extends RecallParams>(options: {
        params: Params;
    }): Promise<Params>;
}

export interface RecallMiddlewareOptions {
    readonly limit?: number | undefined;
    readonly k?: number | undefined;
    readonly filter?: Readonly<Record<string, JsonValue>> | undefined;
    readonly maxCharacters?: number | undefined;
    readonly onError?: ((error: unknown) => void) | undefined;
    readonly title?: string | undefined;
}

export interface RecallParams {
    prompt: {
        role: string;
        content: unknown;
    }[];
    abortSignal?: AbortSignal | undefined;
}

export interface RetrieverTool {
    readonly description: string;
    readonly inputSchema: {
        readonly '~standard': {
            readonly version: 1;
            readonly vendor: string;
            readonly types?: {
                readonly input: RetrieverToolInput;
                readonly output: RetrieverToolInput;
            };
            validate(value: unknown): Checked;
            readonly jsonSchema: {
                input(options: unknown): Record<string, unknown>;
                output(options: unknown): Record<string, unknown>;
            };
        };
    };
    execute(input: RetrieverToolInput, options?: {
        readonly abortSignal?: AbortSignal | undefined;
    }): Promise<FoundPassage[]>;
}

export interface RetrieverToolInput {
    readonly query: string;
}

export interface RetrieverToolOptions {
    readonly description: string;
    readonly limit?: number | undefined;
    readonly k?: number | undefined;
    readonly maxCharacters?: number | undefined;
    readonly filter?: Readonly<Record<string, JsonValue>> | undefined;
}

export declare function aiSdkEmbeddings(choice: AiSdkChoice): EmbeddingModel;

export declare function aiSdkModel(choice: AiSdkChoice): ChatModel;

export declare function embeddingsFromAiSdk(model: AiSdkEmbeddingModel, options?: EmbeddingsFromAiSdkOptions): EmbeddingModel;

export declare function embeddingsToAiSdk(model: EmbeddingModel): EmbeddingModelV3;

export declare function fromAiSdk(model: AiSdkLanguageModel, options?: FromAiSdkOptions): ChatModel;

export declare function recallMiddleware(retriever: Retriever, options?: RecallMiddlewareOptions): RecallMiddleware;

export declare function retrieverTool(retriever: Retriever, options: RetrieverToolOptions): RetrieverTool;

export declare function toAiSdk(model: ChatModel): LanguageModelV3;

// @vizprompt/providers/gemini

export interface ChatModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly address?: string;
    readonly capabilities: ModelCapabilities;
    stream(request: ChatInput): AsyncIterable<ChatEvent>;
    generate(request: ChatInput): Promise<ChatResult>;
    prepare?(): Promise<void>;
    countTokens?(request: TokenCountRequest): Promise<TokenCount>;
    listModels?(options?: ListModelsOptions): Promise<readonly ModelInfo[]>;
}

export interface EmbeddingModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly maxBatch: number;
    readonly dimensions?: number;
    embed(request: EmbeddingRequest): Promise<EmbeddingResult>;
}

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
    readonly maxBatchTokens?: number | undefined;
}

export interface GeminiOptions extends GeminiConnection {
    readonly capabilities?: ModelCapabilities | undefined;
}

export declare function gemini(options: GeminiOptions): ChatModel;

export declare function geminiEmbeddings(options: GeminiEmbeddingsOptions): EmbeddingModel;

// @vizprompt/providers/config

export interface DecodedText {
    readonly text: string;
    readonly problem?: string;
}

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

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | {
    readonly [key: string]: JsonValue;
};

export interface TextPlace {
    readonly line: number;
    readonly column: number;
}

export interface YamlDocument {
    readonly contents: unknown;
}

export declare function decodeUtf8(bytes: Uint8Array): DecodedText;

export declare function nearestName(name: string, known: readonly string[]): string | undefined;

export declare function parseJsonText(text: string): JsonText;

export declare function yamlOffset(document: YamlDocument, path: readonly PropertyKey[], isKey?: boolean): number;

// @vizprompt/providers/generate

export interface ChatModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly address?: string;
    readonly capabilities: ModelCapabilities;
    stream(request: ChatInput): AsyncIterable<ChatEvent>;
    generate(request: ChatInput): Promise<ChatResult>;
    prepare?(): Promise<void>;
    countTokens?(request: TokenCountRequest): Promise<TokenCount>;
    listModels?(options?: ListModelsOptions): Promise<readonly ModelInfo[]>;
}

export interface GenerateObjectOptions<Output> {
    readonly schema: Schema<Output>;
    readonly name?: string | undefined;
    readonly repair?: number | undefined;
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
    readonly maxSteps?: number | undefined;
    readonly onEvent?: ((event: ChatEvent, step: number) => void) | undefined;
    readonly maxRepairs?: number;
    readonly onRepair?: (repair: ToolRepair) => void;
    readonly onMessage?: ((message: Message) => void) | undefined;
}

export interface RunnableTool {
    readonly name: string;
    describe(): Promise<Tool>;
    run(input: JsonValue, context: ToolContext): Promise<JsonValue>;
}

export type Schema<Output> = StandardSchema<Output> | JsonObject;

export interface StandardSchema<Output = unknown> {
    readonly '~standard': {
        readonly version: 1;
        readonly vendor: string;
        readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
        readonly jsonSchema?: {
            readonly input: (options: {
                readonly target: string;
            }) => Record<string, unknown>;
        } | undefined;
    };
}

export interface ToolRepair {
    readonly step: number;
    readonly repair: number;
    readonly tool?: string;
    readonly input?: string;
    readonly error: LLMError;
}

export interface ToolRun {
    readonly text: string;
    readonly messages: readonly Message[];
    readonly steps: readonly ChatResult[];
    readonly usage: Usage;
    readonly isComplete: boolean;
}

export declare function defineTool<Input>(definition: ToolDefinition<Input>): RunnableTool;

export declare function generateObject<Output>(model: ChatModel, input: ChatInput, options: GenerateObjectOptions<Output>): Promise<GeneratedObject<Output>>;

export declare function readySchema<Output>(schema: Schema<Output>): Promise<ReadySchema<Output>>;

export declare function runTools(model: ChatModel, input: ChatInput, tools: readonly RunnableTool[], { maxSteps, maxRepairs, onEvent, onMessage, onRepair }?: RunToolsOptions): Promise<ToolRun>;

// @vizprompt/providers/mcp

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | {
    readonly [key: string]: JsonValue;
};

export interface McpClient {
    listTools(params?: {
        readonly cursor?: string;
    }, options?: object): Promise<object>;
    callTool(params: {
        readonly name: string;
        readonly arguments?: Record<string, unknown>;
    }, options?: object, more?: object): Promise<object>;
    getServerVersion(): {
        readonly name: string;
    } | undefined;
    getServerCapabilities?(): object | undefined;
    getInstructions?(): string | undefined;
}

export interface McpProgress {
    readonly progress: number;
    readonly total?: number | undefined;
    readonly message?: string | undefined;
}

export interface McpToolInfo {
    readonly server: string;
    readonly tool: string;
}

export interface McpToolProgress extends McpToolInfo, McpProgress {
    readonly id: string;
}

export interface McpTools {
    readonly tools: readonly RunnableTool[];
    find(name: string): McpToolInfo | undefined;
    refresh(): Promise<void>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export interface McpToolsOptions {
    readonly prefix?: string | ((tool: McpToolInfo) => string) | undefined;
    readonly filter?: ((tool: McpToolInfo) => boolean) | undefined;
    readonly timeoutMs?: number | undefined;
    readonly onProgress?: ((progress: McpToolProgress) => void) | undefined;
    readonly watch?: boolean | undefined;
    readonly onChange?: ((tools: readonly RunnableTool[]) => void) | undefined;
    readonly onError?: ((error: LLMError) => void) | undefined;
}

export interface RunnableTool {
    readonly name: string;
    describe(): Promise<Tool>;
    run(input: JsonValue, context: ToolContext): Promise<JsonValue>;
}

export declare function mcpTools(clients: McpClient | readonly McpClient[], options?: McpToolsOptions): Promise<McpTools>;

// @vizprompt/providers/middleware

export interface BudgetOptions {
    readonly prices?: PriceTable | undefined;
}

export interface CacheOptions {
    readonly store: FileStore;
    readonly folder?: string | undefined;
    readonly maxAgeMs?: number | undefined;
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
    readonly folder?: string | undefined;
}

export interface ChatModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly address?: string;
    readonly capabilities: ModelCapabilities;
    stream(request: ChatInput): AsyncIterable<ChatEvent>;
    generate(request: ChatInput): Promise<ChatResult>;
    prepare?(): Promise<void>;
    countTokens?(request: TokenCountRequest): Promise<TokenCount>;
    listModels?(options?: ListModelsOptions): Promise<readonly ModelInfo[]>;
}

export interface FallbackFailure {
    readonly provider: string;
    readonly modelId: string;
    readonly code: LLMErrorCode;
    readonly message: string;
}

export interface FallbackOptions {
    readonly models: readonly ChatModel[];
    readonly when?: ((error: LLMError) => boolean) | undefined;
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
    readonly cachedInputPerMillion?: number | undefined;
    readonly cacheWriteInputPerMillion?: number | undefined;
    readonly reasoningPerMillion?: number | undefined;
}

export type PriceTable = Readonly<Record<string, Price>>;

export interface RateLimitOptions {
    readonly requestsPerMinute?: number | undefined;
    readonly tokensPerMinute?: number | undefined;
    readonly concurrency?: number | undefined;
    readonly windowMs?: number | undefined;
    readonly maxRetryAfterMs?: number | undefined;
}

export interface RetryNotice {
    readonly provider: string;
    readonly modelId: string;
    readonly attempt: number;
    readonly error: LLMError;
    readonly waitMs: number;
}

export interface RetryOptions {
    readonly retries?: number | undefined;
    readonly baseMs?: number | undefined;
    readonly maxMs?: number | undefined;
    readonly maxRetryAfterMs?: number | undefined;
    readonly random?: (() => number) | undefined;
    readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
}

export declare function budget(allowance: Budget, options?: BudgetOptions): Middleware;

export declare function cache(options: CacheOptions): Middleware;

export declare function compose(model: ChatModel, ...middleware: readonly Middleware[]): ChatModel;

export declare function createBudget(limits: Spending): Budget;

export declare function events(target: Pick<TypedEvents<ModelEvents>, 'emit'>): Middleware;

export declare function fallback(...models: readonly ChatModel[]): Middleware;
export declare function fallback(options: FallbackOptions): Middleware;

export declare function rateLimit(options: RateLimitOptions): Middleware;

export declare function record(options: CassetteOptions): Middleware;

export declare function redact(options?: RedactOptions): Middleware;

export declare function replay(options: CassetteOptions): Middleware;

export declare function retry(options?: RetryOptions): Middleware;

export declare function retryEmbeddings(model: EmbeddingModel, options?: Omit<RetryOptions, 'onRetry'>): EmbeddingModel;

// @vizprompt/providers/node

export interface ClosableDatabase extends ExtensibleDatabase {
    close(): Promise<void>;
}

export interface ClosableFileStore extends FileStore, AsyncDisposable {
    close(): Promise<void>;
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
    readonly durability?: 'full' | 'normal' | undefined;
    readonly readOnly?: boolean | undefined;
    readonly driver?: SqliteDriverName | undefined;
    readonly logger?: Logger | undefined;
}

export interface SetAsideBatch {
    readonly path: string;
    readonly keys: readonly string[];
}

export interface SqliteDatabaseOptions {
    readonly path: string;
    readonly durability?: 'full' | 'normal' | undefined;
    readonly busyTimeoutMs?: number | undefined;
    readonly backupBeforeMigration?: boolean | undefined;
    readonly whenCorrupt?: 'fail' | 'replace' | undefined;
    readonly readOnly?: boolean | undefined;
    readonly mapBytes?: number | undefined;
    readonly driver?: SqliteDriverName | undefined;
    readonly logger?: Logger | undefined;
}

export type SqliteDriverName = (typeof SQLITE_DRIVERS)[number];

export interface Storage extends AsyncDisposable {
    readonly specVersion: 1;
    readonly files: FileStore;
    readonly database: Database;
    readonly cache: Database;
    close(): Promise<void>;
}

export declare function fileSink(path: string): LogSink;

export declare function inMemoryStorage(): Promise<Storage>;

export declare function localFileStore(folder: string, settings?: LocalFileStoreOptions): Promise<ClosableFileStore>;

export declare function lockFolder(folder: string): LockFolder;

export declare function openStorage(where: string | StoragePaths, options?: OpenStorageOptions): Promise<Storage>;

export declare function readSetAside(folder: string, path: string): Promise<readonly FileChange[]>;

export declare function sqliteDatabase(options: SqliteDatabaseOptions): ClosableDatabase;

// @vizprompt/providers/ollama

export interface ChatModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly address?: string;
    readonly capabilities: ModelCapabilities;
    stream(request: ChatInput): AsyncIterable<ChatEvent>;
    generate(request: ChatInput): Promise<ChatResult>;
    prepare?(): Promise<void>;
    countTokens?(request: TokenCountRequest): Promise<TokenCount>;
    listModels?(options?: ListModelsOptions): Promise<readonly ModelInfo[]>;
}

export interface EmbeddingModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly maxBatch: number;
    readonly dimensions?: number;
    embed(request: EmbeddingRequest): Promise<EmbeddingResult>;
}

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

export interface ChatModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly address?: string;
    readonly capabilities: ModelCapabilities;
    stream(request: ChatInput): AsyncIterable<ChatEvent>;
    generate(request: ChatInput): Promise<ChatResult>;
    prepare?(): Promise<void>;
    countTokens?(request: TokenCountRequest): Promise<TokenCount>;
    listModels?(options?: ListModelsOptions): Promise<readonly ModelInfo[]>;
}

export interface EmbeddingModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly maxBatch: number;
    readonly dimensions?: number;
    embed(request: EmbeddingRequest): Promise<EmbeddingResult>;
}

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
    readonly maxBatchTokens?: number | undefined;
}

export interface OpenAIOptions extends OpenAIConnection {
    readonly api?: 'chat' | 'responses' | undefined;
    readonly capabilities?: ModelCapabilities | undefined;
}

export interface OpenAIProfile {
    readonly name: string;
    readonly baseURL?: string | undefined;
    readonly keyName?: string | undefined;
    readonly streamUsage: boolean;
    readonly tokenLimitField: 'max_completion_tokens' | 'max_tokens';
    readonly systemRole: 'system' | 'developer' | 'user';
    readonly systemFirst?: boolean;
    readonly jsonMode: 'schema' | 'schema-only' | 'loose' | 'object' | 'none';
    readonly embeddingFormat: 'float' | 'none';
    readonly reasoningIn: readonly string[];
    readonly reasoningOut: {
        readonly field: string;
        readonly when: 'never' | 'tool-turns' | 'always' | 'required';
        readonly none?: string;
    };
    readonly reasoningEffort: 'reasoning_effort' | 'reasoning.effort' | 'thinking' | 'none';
    readonly efforts?: readonly Exclude<ReasoningEffort, 'default'>[] | undefined;
    readonly requireFinish: boolean;
    readonly toolChoice: boolean;
    readonly toolIds: 'any' | 'nine';
    readonly thinkTags?: boolean;
    readonly thinkingBlocks?: boolean;
    readonly topK: boolean;
    readonly extraBody?: JsonObject | undefined;
}

export type OpenAIProfileName = 'openai' | 'lmstudio' | 'vllm' | 'llamacpp' | 'ollama' | 'openrouter' | 'groq' | 'deepseek' | 'mistral' | 'gemini-openai' | 'compatible';

export interface OpenAIResponsesOptions extends OpenAIConnection {
    readonly capabilities?: ModelCapabilities | undefined;
    readonly store?: boolean | undefined;
    readonly serverTools?: readonly JsonObject[] | undefined;
}

export declare const openAIProfiles: Readonly<Record<OpenAIProfileName, OpenAIProfile>>;

export declare function openai(options: OpenAIOptions): ChatModel;

export declare function openaiEmbeddings(options: OpenAIEmbeddingsOptions): EmbeddingModel;

export declare function openaiResponses(options: OpenAIResponsesOptions): ChatModel;

// @vizprompt/providers/otel

export interface Middleware {
    readonly name: string;
    stream(request: ChatRequest, next: (request: ChatRequest) => AsyncIterable<ChatEvent>, model: ChatModel): AsyncIterable<ChatEvent>;
}

export interface OpenTelemetryOptions {
    readonly tracer?: Tracer | undefined;
    readonly meter?: Meter | undefined;
    readonly captureContent?: boolean | undefined;
}

export declare function openTelemetry(options?: OpenTelemetryOptions): Middleware;

// @vizprompt/providers/langgraph

export interface LangChainRetrieverOptions {
    readonly limit?: number | undefined;
    readonly k?: number | undefined;
    readonly filter?: Readonly<Record<string, JsonValue>> | undefined;
}

export interface LangGraphSaverOptions {
    readonly serde?: SerializerProtocol | undefined;
}

export interface Retriever {
    readonly specVersion: 1;
    retrieve(query: string, options?: RetrieveOptions): Promise<readonly Passage[]>;
}

export declare function langChainRetriever(retriever: Retriever, options?: LangChainRetrieverOptions): Promise<BaseRetriever<Record<string, unknown>>>;

export declare function langGraphSaver(database: Database, options?: LangGraphSaverOptions): Promise<BaseCheckpointSaver>;

// @vizprompt/providers/pgvector

export interface PgvectorStoreOptions extends SqlStoreOptions {
    readonly index?: 'hnsw' | 'none' | undefined;
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

export declare function pgvectorStore(options: PgvectorStoreOptions): VectorStore;

// @vizprompt/providers/postgres

export interface PostgresStorageOptions {
    readonly connectionString: string;
    readonly namespace: string;
    readonly maxConnections?: number | undefined;
    readonly connectTimeoutMs?: number | undefined;
    readonly idleTransactionTimeoutMs?: number | undefined;
}

export interface Storage extends AsyncDisposable {
    readonly specVersion: 1;
    readonly files: FileStore;
    readonly database: Database;
    readonly cache: Database;
    close(): Promise<void>;
}

export declare function postgresStorage(options: PostgresStorageOptions): Promise<Storage>;

// @vizprompt/providers/qdrant

export interface QdrantStoreOptions {
    readonly url?: string | undefined;
    readonly apiKey?: string | undefined;
    readonly collection: string;
    readonly dimensions: number;
    readonly model?: string | undefined;
    readonly sparse?: boolean | undefined;
    readonly timeoutMs?: number | undefined;
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

export declare function qdrantStore(options: QdrantStoreOptions & {
    readonly sparse: true;
}): HybridVectorStore;
export declare function qdrantStore(options: QdrantStoreOptions): VectorStore;

// @vizprompt/providers/quantized

export interface QuantizedVectorsOptions extends SqlStoreOptions {
    readonly candidates?: number | undefined;
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

export declare function quantizedVectors(options: QuantizedVectorsOptions): VectorStore;

// @vizprompt/providers/registry

export interface ModelChoice extends ProviderSettings {
    readonly model: string;
}

export interface ModelRegistry {
    readonly specVersion: 1;
    model(name: string, settings?: ProviderSettings): ChatModel;
    embeddings(name: string, settings?: ProviderSettings): EmbeddingModel;
    listModels?(provider: string, settings?: ProviderSettings): Promise<readonly ModelInfo[]>;
}

export interface ModelRegistryOptions {
    readonly aliases?: Readonly<Record<string, string>> | undefined;
}

export type OpenAIProfileName = 'openai' | 'lmstudio' | 'vllm' | 'llamacpp' | 'ollama' | 'openrouter' | 'groq' | 'deepseek' | 'mistral' | 'gemini-openai' | 'compatible';

export interface RegistrySettings extends ProviderSettings {
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly profile?: OpenAIProfileName | undefined;
}

export declare function createModelRegistry(providers?: Readonly<Record<string, RegistryEntry>>, options?: ModelRegistryOptions): ModelRegistry;

// @vizprompt/providers/serving

export declare class HeldInput extends Transform {
    #private;
    constructor(input: Readable, options?: HeldInputOptions);
    follow<Message extends object>(transport: RpcTransport<Message>): void;
    release(): void;
    _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void;
}

export interface HeldInputOptions {
    readonly patienceMs?: number | undefined;
    readonly output?: Writable | undefined;
}

export declare class HeldOutput extends Writable {
    #private;
    constructor(output: Writable);
    get unreadBytes(): number;
    get isUnread(): boolean;
    whenRead(): Promise<void>;
    whenPassed(): Promise<void>;
    _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void;
    _final(done: () => void): void;
    _destroy(error: Error | null, done: (error?: Error | null) => void): void;
}

export declare const LOCAL_HOSTS: readonly string[];

export interface RpcTransport<Message extends object> {
    onmessage?: ((message: Message) => void) | undefined;
    onerror?: ((error: Error) => void) | undefined;
    send(message: Message): Promise<void>;
}

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

export declare function createTokenCheck(token: string): TokenCheck;

export declare function isSameHost(origin: string, host: string): boolean;

export declare function servingProblem(served: ServedTo): string | undefined;

// @vizprompt/providers/sqlite-vec

export interface SqlStoreOptions {
    readonly database: Database;
    readonly dimensions: number;
    readonly name?: string | undefined;
    readonly model?: string | undefined;
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

export declare function sqliteVecStore(options: SqlStoreOptions): VectorStore;

// @vizprompt/providers/static-embeddings

export interface EmbeddingModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly maxBatch: number;
    readonly dimensions?: number;
    embed(request: EmbeddingRequest): Promise<EmbeddingResult>;
}

export interface StaticEmbeddingsOptions {
    readonly folder: string;
    readonly model?: string | undefined;
    readonly dimensions?: number | undefined;
    readonly maxTokens?: number | undefined;
    readonly normalize?: boolean | undefined;
    readonly maxBatch?: number | undefined;
}

export declare function staticEmbeddings(options: StaticEmbeddingsOptions): EmbeddingModel;

// @vizprompt/providers/testing

export interface CapCorpus {
    readonly rows: readonly TextRow[];
    readonly queries: readonly string[];
}

export interface CassetteOptions {
    readonly store: FileStore;
    readonly folder?: string | undefined;
}

export interface ChatModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly address?: string;
    readonly capabilities: ModelCapabilities;
    stream(request: ChatInput): AsyncIterable<ChatEvent>;
    generate(request: ChatInput): Promise<ChatResult>;
    prepare?(): Promise<void>;
    countTokens?(request: TokenCountRequest): Promise<TokenCount>;
    listModels?(options?: ListModelsOptions): Promise<readonly ModelInfo[]>;
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
    readonly finishReason?: FinishReason | undefined;
    readonly usage?: Usage | undefined;
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
    readonly answer?: FakeAnswer | ((request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>) | undefined;
    readonly chunkSize?: number | undefined;
    readonly chunkDelayMs?: number | undefined;
    readonly reasoningField?: 'reasoning_content' | 'reasoning' | undefined;
    readonly apiKey?: string | undefined;
    readonly models?: readonly string[] | undefined;
    readonly contextLength?: number | undefined;
}

export interface FakeQdrant {
    readonly url: string;
    readonly calls: readonly QdrantCall[];
    set(state: 'up' | 'down' | 'hanging' | 500 | 429): void;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export interface FakeQdrantOptions {
    readonly apiKey?: string | undefined;
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

export type FakeWireName = 'openai' | 'responses' | 'gemini' | 'ollama' | 'anthropic';

export type Fault = RefusalFault | ConnectionFault | TransportFault | ContentFault;

export interface FileStoreSubject {
    readonly files: FileStore;
    another(): Promise<FileStore>;
}

export interface HashEmbeddingsOptions {
    readonly dimensions?: number | undefined;
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
    readonly finishReason?: FinishReason | undefined;
    readonly usage?: Usage | undefined;
} | Error;

export interface ScriptedModel extends ChatModel {
    readonly calls: readonly ChatRequest[];
}

export interface ScriptedModelOptions {
    readonly provider?: string | undefined;
    readonly modelId?: string | undefined;
    readonly capabilities?: ModelCapabilities | undefined;
    readonly chunkSize?: number | undefined;
    readonly chunkDelayMs?: number | undefined;
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

export interface TextRow {
    readonly id: number;
    readonly fields: Readonly<Record<string, string>>;
    readonly tags?: readonly string[];
    readonly terms?: Readonly<Record<string, TermTexts>>;
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

export declare function declareSuite<Subject>(contract: string, cases: readonly ContractCase<Subject>[], options: SuiteOptions<Subject>): void;

export declare const embeddingModelCases: readonly ContractCase<EmbeddingModel>[];

export declare const fileStoreCases: readonly ContractCase<FileStoreSubject>[];

export declare function hashEmbeddings(options?: HashEmbeddingsOptions): EmbeddingModel;

export declare function measureCapRecall(index: TextIndex, queries: readonly string[], options?: {
    readonly cap?: number;
}): Promise<number>;

export declare function record(options: CassetteOptions): Middleware;

export declare function replay(options: CassetteOptions): Middleware;

export declare const retrieverCases: readonly ContractCase<RetrieverSubject>[];

export declare function runContract<Subject>(cases: readonly ContractCase<Subject>[], open: () => Promise<OpenedSubject<Subject>>): Promise<ContractReport>;

export declare function scriptedModel(script: Script, options?: ScriptedModelOptions): ScriptedModel;

export declare function startFakeLLM(options?: FakeLLMOptions): Promise<FakeLLM>;

export declare function startFakeQdrant(options?: FakeQdrantOptions): Promise<FakeQdrant>;

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

export interface MatchedGroup {
    readonly isWeak: boolean;
    readonly share: number;
    readonly weight: number;
    readonly count: number;
    readonly isComplete: boolean;
    readonly alternativeTo?: readonly number[] | undefined;
}

export type NewRow = Omit<PutRow, 'id' | 'isNew'>;

export interface NewRows {
    readonly ids: Statement;
    readonly rows: readonly NewRow[];
}

export interface Snippet {
    readonly text: string;
    readonly start: number;
    readonly highlights: readonly (readonly [
        start: number,
        end: number
    ])[];
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
    putNew(rows: NewRows): readonly Statement[];
    remove(id: RowNumber): readonly Statement[];
    optimize(): Promise<void>;
    settle(): Promise<void>;
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
    readonly analyzer?: TextAnalyzer | undefined;
}

export interface TextIndexReport {
    readonly missing: readonly number[];
    readonly extra: readonly number[];
}

export interface TextMatchOptions extends Pick<TextSearchOptions, 'where'> {
    readonly tags?: readonly (readonly string[])[] | undefined;
    readonly cap?: number | undefined;
    readonly last?: string | undefined;
    readonly alternatives?: readonly {
        readonly of: string;
        readonly words: readonly string[];
    }[] | undefined;
    readonly signal?: AbortSignal | undefined;
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
    readonly terms?: Readonly<Record<string, TermTexts>>;
}

export interface TextSearchOptions {
    readonly limit?: number | undefined;
    readonly match?: 'any' | 'all' | undefined;
    readonly where?: {
        readonly sql: string;
        readonly params?: readonly SqlParameter[] | undefined;
    } | undefined;
    readonly cap?: number | undefined;
}

export interface WordAnalyzerOptions {
    readonly stems?: 'english' | 'none' | undefined;
}

export declare function topK(rows: Iterable<readonly [
    id: number,
    bits: number
]>, count: number, scoreOf: (bits: number) => number): readonly ScoredRow[];

export declare function createTextIndex(database: Database, options: TextIndexOptions): Promise<TextIndex>;

export declare function snippetOf(text: string, query: string, analyzer: TextAnalyzer, options?: SnippetOptions): Snippet;

export declare function topK(rows: Iterable<readonly [
    id: number,
    bits: number
]>, count: number, scoreOf: (bits: number) => number): readonly ScoredRow[];

export declare function wordAnalyzer(options?: WordAnalyzerOptions): TextAnalyzer;

// @vizprompt/providers/transcripts

export interface CallFiles {
    readonly changes: readonly FileChange[];
    readonly read?: {
        readonly path: string;
        readonly text: string;
    } | undefined;
}

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
        readonly kind: 'insert';
        readonly line: number;
        readonly text: string;
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

export interface FileLine {
    readonly text: string;
    readonly line: number;
    readonly offset: number;
    readonly end: number;
    readonly isWhole: boolean;
    readonly bytes: number;
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | {
    readonly [key: string]: JsonValue;
};

export declare class LruMap<Key, Value> {
    #private;
    constructor(limit: number, sizeOf?: (value: Value) => number);
    get size(): number;
    get(key: Key): Value | undefined;
    has(key: Key): boolean;
    set(key: Key, value: Value): this;
    getOrCreate(key: Key, create: () => Value): Value;
    delete(key: Key): boolean;
    clear(): void;
    [Symbol.iterator](): IterableIterator<[
        Key,
        Value
    ]>;
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
    "opencode",
    "pi"
];

export type TranscriptAgent = (typeof TRANSCRIPT_AGENTS)[number];

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
    readonly copiedFrom?: string | undefined;
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

export type TranscriptPart = TranscriptBlock | TranscriptCall | TranscriptResult | TranscriptText;

export declare class TranscriptReader {
    #private;
    readonly state: TranscriptState;
    constructor(options?: TranscriptReaderOptions);
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

export interface TranscriptState {
    session: TranscriptSession | undefined;
    readonly usage: LruMap<string, {
        [name: string]: number;
    }>;
    readonly unmatched: LruMap<string, number>;
    readonly seen: LruMap<string, number | true>;
    readonly notes: {
        [name: string]: JsonValue;
    };
}

export declare function callFiles(agent: TranscriptAgent, call: FileCall, result?: TranscriptResult): CallFiles;

export declare function detectAgent(value: JsonValue): TranscriptAgent | undefined;

export declare function loadTranscriptState<State extends TranscriptState>(saved: JsonObject, state: State): State;

export declare function newTranscriptState(): TranscriptState;

export declare function readLines(path: string, options?: ReadLinesOptions): AsyncGenerator<readonly FileLine[]>;

export declare function readTranscript(source: TranscriptSource, options?: TranscriptReader | TranscriptReaderOptions): AsyncGenerator<TranscriptEntry>;

export declare function saveTranscriptState(state: TranscriptState): JsonObject;

// @vizprompt/providers/transformers

export interface DownloadProgress {
    readonly file: string;
    readonly loaded: number;
    readonly total?: number;
}

export interface EmbeddingModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly maxBatch: number;
    readonly dimensions?: number;
    embed(request: EmbeddingRequest): Promise<EmbeddingResult>;
}

export interface EmbeddingPrefixes {
    readonly query?: string | undefined;
    readonly passage?: string | undefined;
}

export type Pooling = 'mean' | 'cls' | 'last_token';

export interface TransformersEmbeddingsOptions {
    readonly model: string;
    readonly dtype?: string | undefined;
    readonly device?: string | undefined;
    readonly pooling?: Pooling | undefined;
    readonly prefixes?: EmbeddingPrefixes | undefined;
    readonly normalize?: boolean | undefined;
    readonly dimensions?: number | undefined;
    readonly cacheFolder?: string | undefined;
    readonly revision?: string | undefined;
    readonly offline?: boolean | undefined;
    readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
    readonly maxBatch?: number | undefined;
}

export declare function transformersEmbeddings(options: TransformersEmbeddingsOptions): EmbeddingModel;

// @vizprompt/providers/trust

export interface ErrorJson {
    readonly name: string;
    readonly code: string;
    readonly message: string;
    readonly context: Readonly<Record<string, unknown>>;
    readonly cause?: string;
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
    readonly kind: 'address' | 'key' | 'package' | 'command' | 'path' | 'memory';
    readonly text: string;
    readonly source: string;
}

export declare function assertTrusted(request: TrustRequest, option?: TrustOption): Promise<void>;

export declare function grantTrust(request: TrustRequest & {
    readonly place: string;
}): Promise<TrustRecord>;

export declare function isTrusted(request: TrustRequest, option?: TrustOption): Promise<boolean>;

export declare function listTrust(): readonly TrustRecord[];

export declare function revokeTrust(place: string): Promise<boolean>;

export declare function untrusted(request: TrustRequest): TrustError;
