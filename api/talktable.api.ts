// What @vizprompt/talktable exports. Written by scripts/api-surface.mjs; do not edit.

// @vizprompt/talktable

export interface Activity<Input = unknown, Output = unknown> {
    readonly specVersion: 1;
    readonly name: string;
    readonly input?: JsonObject;
    readonly output?: JsonObject;
    run(input: Input, context: ActivityContext): Promise<Output>;
}

export type AskPerson = (turn: TurnPlace & {
    readonly recent: readonly TalkTurn[];
    readonly signal: AbortSignal;
}) => Promise<string>;

export interface Budget {
    readonly specVersion: 1;
    readonly remaining: Spending;
    reserve(estimate: Spending): Reservation;
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

export interface ContextReport {
    readonly tokens: number;
    readonly budget: number;
    readonly turns: number;
    readonly summaries: number;
    readonly leftOut: number;
    readonly cut: number;
    readonly passages: number;
}

export interface Conversation {
    readonly id: string;
    readonly topic: string;
    readonly participants: readonly ConversationSpeaker[];
    readonly moderator?: ConversationSpeaker;
    readonly startedAt: string;
    readonly endedAt?: string;
    readonly status: TalkStatus;
    readonly stopReason?: string;
    readonly error?: string;
    readonly configPath?: string;
    readonly damaged?: string;
}

export interface ConversationActivityOptions extends ConversationManagerOptions {
    readonly name?: string | undefined;
    readonly config: string | URL | TalkConfig;
}

export interface ConversationInput {
    readonly topic?: string | undefined;
    readonly maxTurns?: number | undefined;
}

export declare class ConversationLog implements AsyncDisposable {
    #private;
    constructor(opened: OpenedLog);
    static open(where?: string | Storage): Promise<ConversationLog>;
    conversations(limit?: number): Promise<readonly Conversation[]>;
    conversation(id: string): Promise<Conversation>;
    turns(id: string): AsyncGenerator<TalkTurn, void, undefined>;
    follow(id: string, options?: FollowOptions): AsyncGenerator<FollowedTalkEvent, void, undefined>;
    awaited(id: string): Promise<{
        readonly number: number;
        readonly speaker: string;
    } | undefined>;
    exportConversation(id: string, format: TalkExportFormat): Promise<string>;
    analyze(id: string): Promise<TalkAnalysis>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export declare class ConversationManager implements AsyncDisposable {
    #private;
    private constructor();
    static open(config: string | URL | TalkConfig, options?: ConversationManagerOptions): Promise<ConversationManager>;
    on<Name extends keyof TalkEvents>(name: Name, listener: Listener<TalkEvents[Name]>): Unsubscribe;
    start(options?: StartOptions): TalkRun;
    resume(conversationId: string, options?: RunOptions): TalkRun;
    pause(options?: PauseOptions): Promise<void>;
    stop(options?: StopOptions): Promise<void>;
    signal(name: string): void;
    say(text: string, options?: SayOptions): Promise<void>;
    conversations(limit?: number): Promise<readonly Conversation[]>;
    conversation(id: string): Promise<Conversation>;
    turns(id: string): AsyncGenerator<TalkTurn, void, undefined>;
    follow(id: string, options?: FollowOptions): AsyncGenerator<FollowedTalkEvent, void, undefined>;
    awaited(id: string): Promise<{
        readonly number: number;
        readonly speaker: string;
    } | undefined>;
    exportConversation(id: string, format: TalkExportFormat): Promise<string>;
    analyze(id: string): Promise<TalkAnalysis>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export interface ConversationManagerOptions {
    readonly overrides?: Partial<TalkConfig> | undefined;
    readonly maxFileBytes?: number | undefined;
    readonly storage?: Storage | undefined;
    readonly registry?: ModelRegistry | undefined;
    readonly trust?: TrustOption | undefined;
    readonly tools?: readonly RunnableTool[] | undefined;
    readonly knowledge?: Retriever | undefined;
    readonly recorders?: readonly (TurnRecorder | TalkRecorder)[] | undefined;
    readonly ask?: AskPerson | undefined;
    readonly nextSpeaker?: NextSpeaker | undefined;
    readonly visibleTo?: ((turn: TalkTurn) => readonly string[] | undefined) | undefined;
    readonly budget?: Budget | undefined;
    readonly logger?: Logger | undefined;
    readonly clock?: (() => Date) | undefined;
}

export interface ConversationOutput {
    readonly conversationId: string;
    readonly conclusion: string;
    readonly transcript: string;
    readonly reason: string;
    readonly turns: number;
    readonly tokens: number;
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

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error' | 'unknown';

export interface FollowOptions {
    readonly from?: number | undefined;
    readonly signal?: AbortSignal | undefined;
}

export type FollowedTalkEvent = {
    readonly type: 'turn:ended';
    readonly turn: TalkTurn;
} | {
    readonly type: 'turn:awaited';
    readonly conversationId: string;
    readonly number: number;
    readonly speaker: string;
} | {
    readonly type: 'talk:ended';
    readonly conversation: Conversation;
};

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | {
    readonly [key: string]: JsonValue;
};

export type Logger = {
    readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void;
};

export interface ModelPrice {
    readonly inputPerMillion: number;
    readonly outputPerMillion: number;
    readonly cachedInputPerMillion?: number | undefined;
    readonly cacheWriteInputPerMillion?: number | undefined;
    readonly reasoningPerMillion?: number | undefined;
}

export interface ModelRegistry {
    readonly specVersion: 1;
    model(name: string, settings?: ProviderSettings): ChatModel;
    embeddings(name: string, settings?: ProviderSettings): EmbeddingModel;
    listModels?(provider: string, settings?: ProviderSettings): Promise<readonly ModelInfo[]>;
}

export interface ModeratorConfig extends Omit<SpeakerConfig, 'name' | 'model'> {
    readonly name?: string | undefined;
    readonly model: string | ChatModel;
    readonly every?: 'turn' | 'round' | number | undefined;
    readonly opening?: boolean | undefined;
    readonly closing?: boolean | undefined;
    readonly instructions?: {
        readonly opening?: string | undefined;
        readonly summary?: string | undefined;
        readonly closing?: string | undefined;
    } | undefined;
}

export type NextSpeaker = (view: OrderView) => string | undefined | Promise<string | undefined>;

export interface ParticipantConfig extends SpeakerConfig {
    readonly person?: boolean | undefined;
    readonly language?: string | undefined;
    readonly visibleTo?: readonly string[] | undefined;
    readonly joinsAt?: number | undefined;
    readonly leavesAfter?: number | undefined;
    readonly tools?: readonly string[] | undefined;
}

export interface Retriever {
    readonly specVersion: 1;
    retrieve(query: string, options?: RetrieveOptions): Promise<readonly Passage[]>;
}

export interface RunOptions {
    readonly signal?: AbortSignal | undefined;
    readonly maxTurns?: number | undefined;
    readonly rounds?: number | undefined;
}

export interface RunnableTool {
    readonly name: string;
    describe(): Promise<Tool>;
    run(input: JsonValue, context: ToolContext): Promise<JsonValue>;
}

export interface SpeakerConfig {
    readonly name: string;
    readonly model?: string | ChatModel | undefined;
    readonly persona?: string | undefined;
    readonly temperature?: number | undefined;
    readonly maxOutputTokens?: number | undefined;
    readonly contextTokens?: number | undefined;
}

export type SpeakerOrder = 'roundRobin' | 'moderator' | 'mention' | 'custom';

export interface StartOptions extends RunOptions {
    readonly conversationId?: string | undefined;
}

export type StopRule = {
    readonly rounds: number;
} | {
    readonly turns: number;
} | {
    readonly tokens: number;
} | {
    readonly costUsd: number;
} | {
    readonly seconds: number;
} | {
    readonly keyword: string;
} | {
    readonly verdict: true;
} | {
    readonly similarity: SimilarityRule;
} | {
    readonly signal: string;
} | {
    readonly all: readonly StopRule[];
} | {
    readonly any: readonly StopRule[];
};

export interface Storage extends AsyncDisposable {
    readonly specVersion: 1;
    readonly files: FileStore;
    readonly database: Database;
    readonly cache: Database;
    close(): Promise<void>;
}

export interface TalkAnalysis {
    readonly turns: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly latencyMs: number;
    readonly costUsd: number;
    readonly speakers: readonly SpeakerAnalysis[];
}

export interface TalkConfig {
    readonly topic: string;
    readonly participants: readonly ParticipantConfig[];
    readonly moderator?: ModeratorConfig | undefined;
    readonly language?: string | undefined;
    readonly order?: SpeakerOrder | undefined;
    readonly rounds?: number | undefined;
    readonly maxTurns?: number | undefined;
    readonly stop?: StopRule | readonly StopRule[] | undefined;
    readonly intervalMs?: number | undefined;
    readonly retries?: number | undefined;
    readonly timeout?: TalkTimeouts | undefined;
    readonly budget?: {
        readonly tokens?: number | undefined;
        readonly costUsd?: number | undefined;
    } | undefined;
    readonly prices?: Readonly<Record<string, ModelPrice>> | undefined;
    readonly logPath?: string | undefined;
    readonly context?: {
        readonly turns?: number | undefined;
        readonly tokens?: number | undefined;
    } | undefined;
    readonly knowledge?: {
        readonly passages?: number | undefined;
    } | undefined;
    readonly providers?: Readonly<Record<string, {
        readonly baseURL?: string | undefined;
        readonly apiKeyEnv?: string | undefined;
    }>> | undefined;
}

export declare class TalkError extends CodedError<TalkErrorCode> {
    constructor(code: TalkErrorCode, message: string, details?: ErrorDetails);
    static isInstance(value: unknown): value is TalkError;
}

export type TalkErrorCode = 'config-invalid' | 'invalid-input' | 'exists' | 'conversation-not-found' | 'finished' | 'busy' | 'conflict' | 'turn-failed' | 'log-unwritable' | 'log-unreadable' | 'corrupt' | 'recorder-failed' | 'closed';

export type TalkEvent = ({
    readonly type: 'turn:started';
} & TalkEvents['turn:started']) | ({
    readonly type: 'turn:delta';
} & TalkEvents['turn:delta']) | ({
    readonly type: 'turn:retried';
} & TalkEvents['turn:retried']) | ({
    readonly type: 'turn:called';
} & TalkEvents['turn:called']) | ({
    readonly type: 'turn:awaited';
} & TalkEvents['turn:awaited']) | ({
    readonly type: 'turn:ended';
} & TalkEvents['turn:ended']) | ({
    readonly type: 'talk:ended';
} & TalkResult);

export interface TalkEvents {
    'talk:started': {
        readonly conversationId: string;
        readonly topic: string;
    };
    'talk:resumed': {
        readonly conversationId: string;
        readonly turn?: number;
    };
    'talk:ended': TalkResult;
    'talk:failed': {
        readonly conversationId: string;
        readonly error: unknown;
    };
    'turn:started': {
        readonly turn: TalkTurn;
        readonly context: ContextReport;
    };
    'turn:delta': TurnPlace & {
        readonly text: string;
    };
    'turn:retried': TurnPlace & {
        readonly attempt: number;
        readonly waitMs: number;
        readonly error: unknown;
    };
    'turn:called': TurnPlace & {
        readonly tool: string;
        readonly input: JsonValue;
        readonly output: JsonValue;
        readonly isError: boolean;
    };
    'turn:awaited': TurnPlace;
    'turn:ended': {
        readonly turn: TalkTurn;
    };
    'order:fell-back': {
        readonly conversationId: string;
        readonly speaker: string;
        readonly reason: string;
    };
    'verdict:given': {
        readonly conversationId: string;
        readonly finished: boolean;
        readonly reason: string;
    };
    'knowledge:failed': {
        readonly conversationId: string;
        readonly error: unknown;
    };
    'recorder:failed': {
        readonly conversationId: string;
        readonly error: unknown;
    };
}

export interface TalkRecorder {
    readonly recorder: TurnRecorder;
    readonly required?: boolean | undefined;
}

export interface TalkResult {
    readonly conversationId: string;
    readonly status: Exclude<TalkStatus, 'running' | 'failed'>;
    readonly reason: string;
    readonly turns: number;
    readonly tokens: number;
    readonly costUsd: number;
}

export declare class TalkRun implements AsyncIterable<TalkEvent> {
    #private;
    readonly conversationId: string;
    constructor(conversationId: string, lead: LeadRun, leave: () => void);
    result(): Promise<TalkResult>;
    [Symbol.asyncIterator](): AsyncGenerator<TalkEvent, void, undefined>;
}

export type TalkStatus = 'running' | 'paused' | 'stopped' | 'failed' | 'done';

export interface TalkTimeouts {
    readonly totalMs?: number | undefined;
    readonly firstByteMs?: number | undefined;
    readonly idleMs?: number | undefined;
}

export interface TalkTurn {
    readonly id: number;
    readonly conversationId: string;
    readonly number: number;
    readonly speaker: string;
    readonly isModerator: boolean;
    readonly kind: TalkTurnKind;
    readonly status: TalkTurnStatus;
    readonly model?: string;
    readonly prompt: string;
    readonly text: string;
    readonly finishReason?: FinishReason;
    readonly attempt: number;
    readonly startedAt: string;
    readonly latencyMs?: number;
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly costUsd?: number;
    readonly error?: ErrorJson;
    readonly visibleTo?: readonly string[];
}

export type TalkTurnKind = 'opening' | 'turn' | 'summary' | 'closing' | 'said' | 'choice' | 'verdict';

export type TalkTurnStatus = 'pending' | 'done' | 'skipped' | 'failed' | 'aborted';

export type TrustOption = boolean | ((request: TrustRequest) => boolean | Promise<boolean>);

export interface TurnPlace {
    readonly conversationId: string;
    readonly number: number;
    readonly speaker: string;
}

export interface TurnRecorder {
    readonly specVersion: 1;
    record(turn: Turn): Promise<void>;
}

export type Unsubscribe = () => void;

export declare function conversationActivity(given: ConversationActivityOptions): Activity<ConversationInput, ConversationOutput>;

export declare function eraseSpeaker(where: string | Storage, options: EraseOptions): Promise<ErasureReport>;

// @vizprompt/talktable/config

export interface LoadConfigOptions {
    readonly overrides?: Partial<TalkConfig> | undefined;
    readonly file?: string | undefined;
    readonly maxFileBytes?: number | undefined;
}

export interface PlacedConfigIssue {
    readonly file?: string;
    readonly line?: number;
    readonly column?: number;
    readonly path: readonly PropertyKey[];
    readonly problem: string;
    readonly message: string;
}

export interface TalkConfig {
    readonly topic: string;
    readonly participants: readonly ParticipantConfig[];
    readonly moderator?: ModeratorConfig | undefined;
    readonly language?: string | undefined;
    readonly order?: SpeakerOrder | undefined;
    readonly rounds?: number | undefined;
    readonly maxTurns?: number | undefined;
    readonly stop?: StopRule | readonly StopRule[] | undefined;
    readonly intervalMs?: number | undefined;
    readonly retries?: number | undefined;
    readonly timeout?: TalkTimeouts | undefined;
    readonly budget?: {
        readonly tokens?: number | undefined;
        readonly costUsd?: number | undefined;
    } | undefined;
    readonly prices?: Readonly<Record<string, ModelPrice>> | undefined;
    readonly logPath?: string | undefined;
    readonly context?: {
        readonly turns?: number | undefined;
        readonly tokens?: number | undefined;
    } | undefined;
    readonly knowledge?: {
        readonly passages?: number | undefined;
    } | undefined;
    readonly providers?: Readonly<Record<string, {
        readonly baseURL?: string | undefined;
        readonly apiKeyEnv?: string | undefined;
    }>> | undefined;
}

export interface TrustRequest {
    readonly place?: string | undefined;
    readonly uses: readonly TrustUse[];
}

export declare function checkTalkConfig(value: unknown): Promise<TalkConfig>;

export declare function loadTalkConfig(path: string | URL, options?: LoadConfigOptions): Promise<TalkConfig>;

export declare function parseTalkConfig(text: string, options?: LoadConfigOptions): Promise<TalkConfig>;

export declare function readTalkTrust(path: string | URL): Promise<TrustRequest & {
    readonly place: string;
}>;

export declare function talkUses(config: object, place?: string): TrustRequest;
