// What @vizprompt/memory exports. Written by scripts/api-surface.mjs; do not edit.

// @vizprompt/memory

export interface AssistantMessageData {
    readonly content: string;
    readonly tool_calls?: readonly {
        readonly tool: string;
        readonly args: JsonValue;
    }[];
}

export interface ChangedFile {
    readonly file_path: string;
    readonly edits: number;
    readonly updated_at: string;
}

export interface CheckReport {
    readonly isOk: boolean;
    readonly sessions: number;
    readonly events: number;
    readonly contents: number;
    readonly problems: readonly CheckProblem[];
}

export interface CodeIntentionData {
    readonly action: FileAction;
    readonly file_path: string;
    readonly reason: string;
    readonly old_content?: string;
    readonly new_content?: string;
    readonly diff?: string;
}

export interface DamagedEvent {
    readonly id: string;
    readonly session_id: string;
    readonly sequence: number;
    readonly table: string;
    readonly field: string;
    readonly problem: string;
}

export type DamagedRecord = DamagedEvent | {
    readonly session_id: string;
    readonly sequence?: undefined;
    readonly problem: string;
};

export declare const EVENT_TYPES: readonly EventType[];

export interface EmbeddingModel {
    readonly specVersion: 1;
    readonly provider: string;
    readonly modelId: string;
    readonly maxBatch: number;
    readonly dimensions?: number;
    embed(request: EmbeddingRequest): Promise<EmbeddingResult>;
}

export interface EmbeddingOptions {
    readonly model: EmbeddingModel;
    readonly vectors: VectorStore;
}

export interface EmbeddingReport {
    readonly embedded: number;
    readonly refused: number;
    readonly removed: number;
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

export interface EventDataMap {
    readonly user_message: UserMessageData;
    readonly assistant_message: AssistantMessageData;
    readonly thinking: ThinkingData;
    readonly code_intention: CodeIntentionData;
    readonly file_edit: FileEditData;
    readonly tool_use: ToolUseData;
}

export interface EventFacts {
    readonly id?: string | undefined;
    readonly timestamp?: string | undefined;
    readonly parent?: string | undefined;
    readonly meta?: JsonObject | undefined;
}

export interface EventFilter {
    readonly type?: EventType | readonly EventType[] | undefined;
    readonly path?: string | undefined;
    readonly after?: number | undefined;
    readonly limit?: number | undefined;
    readonly maxBytes?: number | undefined;
    readonly contents?: 'all' | 'omit' | 'read' | undefined;
    readonly signal?: AbortSignal | undefined;
}

export interface EventList extends AsyncIterable<MemoryEvent> {
    page(): Promise<EventPage>;
}

export interface EventOf<Type extends EventType> extends EventBase {
    readonly type: Type;
    readonly data: EventDataMap[Type];
}

export interface EventPage {
    readonly events: readonly MemoryEvent[];
    readonly damaged?: readonly DamagedEvent[];
    readonly next?: number;
}

export type EventType = keyof EventDataMap;

export interface ExportOptions {
    readonly session?: string | undefined;
    readonly workspace?: string | undefined;
    readonly path?: string | undefined;
    readonly onDamaged?: ((damaged: DamagedRecord) => void) | undefined;
    readonly signal?: AbortSignal | undefined;
}

export type FileAction = 'create' | 'edit' | 'delete';

export interface FileChange {
    readonly timestamp: string;
    readonly session_id: string;
    readonly intention?: EventOf<'code_intention'>;
    readonly edit?: EventOf<'file_edit'>;
}

export interface FileEditData {
    readonly action: FileAction;
    readonly file_path: string;
    readonly old_content?: string;
    readonly new_content?: string;
    readonly diff: string;
    readonly intention_event_id?: string;
    readonly success: boolean;
    readonly error_message?: string;
}

export interface FileEditRequest {
    readonly session: string;
    readonly path: string;
    readonly reason: string;
    readonly newContent?: string | undefined;
    readonly edit?: {
        readonly old: string;
        readonly new: string;
        readonly all?: boolean | undefined;
    } | undefined;
    readonly delete?: true | undefined;
    readonly parent?: string | undefined;
}

export interface FileSnapshot {
    readonly path: string;
    readonly content: string | null;
    readonly event_id: string;
    readonly timestamp: string;
    readonly isRedacted: boolean;
}

export interface ForgetOptions {
    readonly purge?: boolean | undefined;
}

export interface HookFiles {
    readonly folder?: string | undefined;
    readonly spools?: readonly string[] | undefined;
    readonly patienceMs?: number | undefined;
}

export interface ImportProgress {
    readonly file: string;
    readonly files: number;
    readonly totalFiles: number;
    readonly bytes: number;
    readonly totalBytes: number;
    readonly events: number;
}

export interface ImportReport {
    readonly sessions: number;
    readonly events: number;
    readonly known: number;
    readonly forgotten: number;
}

export interface ImportTranscriptOptions {
    readonly agent?: TranscriptAgent | undefined;
    readonly workspace?: string | undefined;
    readonly closed?: boolean | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

export interface IngestOptions extends SignalOption {
    readonly dryRun?: boolean | undefined;
}

export interface IngestReport {
    readonly stored: number;
    readonly failed: number;
    readonly waiting: number;
}

export type JsonObject = {
    readonly [key: string]: JsonValue;
};

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | {
    readonly [key: string]: JsonValue;
};

export type Logger = {
    readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void;
};

export declare class MemoryError extends CodedError<MemoryErrorCode> {
    constructor(code: MemoryErrorCode, message: string, details?: ErrorDetails);
    static isInstance(value: unknown): value is MemoryError;
}

export type MemoryErrorCode = 'invalid-input' | 'invalid-text' | 'too-large' | 'path-outside' | 'session-not-found' | 'event-not-found' | 'session-ended' | 'exists' | 'edit-conflict' | 'invalid-import' | 'corrupt' | 'closed';

export type MemoryEvent = {
    [Type in EventType]: EventOf<Type>;
}[EventType] | ForgottenEvent;

export interface MemoryEvents {
    'session:started': {
        readonly session: Session;
    };
    'session:ended': {
        readonly session: Session;
    };
    'session:updated': {
        readonly session: Session;
    };
    'session:deleted': {
        readonly id: string;
    };
    'event:logged': {
        readonly event: MemoryEvent;
    };
    'event:forgotten': {
        readonly id: string;
        readonly session_id: string;
    };
    'retention:applied': {
        readonly sessions: number;
        readonly events: number;
    };
    'vectors:failed': {
        readonly task: 'embed' | 'search' | 'remove';
        readonly error: unknown;
        readonly event?: string;
        readonly retryMs?: number;
    };
    'task:progress': {
        readonly task: 'export' | 'import' | 'check' | 'index' | 'retention' | 'embed' | 'redact';
        readonly done: number;
        readonly total?: number;
    };
}

export interface MemoryStats {
    readonly sessions: number;
    readonly active_sessions: number;
    readonly events: number;
    readonly events_by_type: Readonly<Partial<Record<EventType | 'forgotten', number>>>;
    readonly files: number;
    readonly redactions: number;
    readonly event_bytes: number;
    readonly first_event_at: string | null;
    readonly last_event_at: string | null;
    readonly workspaces: readonly WorkspaceStats[];
}

export declare class MemoryStore implements EventSource<MemoryEvents>, AsyncDisposable {
    #private;
    private constructor();
    static open(options?: MemoryStoreOptions): Promise<MemoryStore>;
    static checkFile(path: string, options?: SignalOption): Promise<CheckReport>;
    on<Name extends keyof MemoryEvents>(name: Name, listener: Listener<MemoryEvents[Name]>): Unsubscribe;
    once<Name extends keyof MemoryEvents>(name: Name, listener: Listener<MemoryEvents[Name]>): Unsubscribe;
    startSession(session?: NewSession): Promise<SessionInfo>;
    endSession(id: string): Promise<SessionInfo>;
    currentSession(workspace: string): Promise<SessionInfo | null>;
    listSessions(filter?: SessionFilter): Promise<readonly SessionInfo[]>;
    getSession(id: string): Promise<SessionInfo>;
    updateSession(id: string, change: SessionChange): Promise<SessionInfo>;
    deleteSession(id: string, options?: ForgetOptions): Promise<void>;
    log<Type extends EventType>(session: string, type: Type, data: NewEventData<Type>, facts?: EventFacts): Promise<EventOf<Type>>;
    logMany(session: string, events: Iterable<NewEvent> | AsyncIterable<NewEvent>, options?: LogManyOptions): Promise<readonly MemoryEvent[]>;
    events(session: string, filter?: EventFilter): EventList;
    follow(session: string, options?: FollowOptions): AsyncIterable<MemoryEvent>;
    getEvent(id: string): Promise<MemoryEvent>;
    knownEvents(ids: readonly string[]): Promise<ReadonlySet<string>>;
    search(query: string, options?: SearchOptions): Promise<readonly SearchHit[]>;
    searchSessions(query: string, options?: SearchOptions): Promise<readonly SessionHit[]>;
    recall(request: RecallRequest): Promise<Recalled>;
    retriever(scope?: RetrieverScope): Retriever;
    editFile(request: FileEditRequest): Promise<RecordedEdit>;
    recordEdit(request: RecordEditRequest): Promise<RecordedEdit>;
    pendingIntentions(filter?: PendingFilter): Promise<readonly EventOf<'code_intention'>[]>;
    files(options?: FileListOptions): Promise<readonly ChangedFile[]>;
    fileHistory(path: string, options?: FileHistoryOptions): Promise<readonly FileChange[]>;
    fileAt(path: string, moment?: FileMoment): Promise<FileSnapshot>;
    embedEvents(options?: SignalOption): Promise<EmbeddingReport>;
    stats(filter?: StatsFilter): Promise<MemoryStats>;
    forget(target: ForgetTarget, options?: ForgetOptions): Promise<void>;
    eraseSpeaker(options: EraseOptions): Promise<ErasureReport>;
    applyRetention(options?: RetentionOptions & ForgetOptions & SignalOption): Promise<RetentionReport>;
    redact(options?: RedactStoredOptions): Promise<RedactReport>;
    vacuum(): Promise<void>;
    exportJson(options?: ExportOptions): AsyncIterable<string>;
    exportHtml(options?: ExportOptions): AsyncIterable<string>;
    exportFile(path: string, options?: Omit<ExportOptions, 'path'>): AsyncIterable<string>;
    importJson(source: ExportSource, options?: ReadRecordsOptions): Promise<ImportReport>;
    backup(path: string): Promise<void>;
    check(options?: SignalOption): Promise<CheckReport>;
    recorder(options?: RecorderOptions): TurnRecorder;
    importTranscript(path: string, options?: ImportTranscriptOptions): Promise<TranscriptReport>;
    ingestHooks(options?: IngestOptions): Promise<IngestReport>;
    joinWorkspaces(...workspaces: readonly string[]): Promise<void>;
    leaveWorkspaces(workspace: string): Promise<void>;
    workspaceGroup(workspace: string): Promise<readonly string[]>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export interface MemoryStoreOptions {
    readonly path?: string | undefined;
    readonly storage?: Storage | undefined;
    readonly redact?: RedactOptions | false | undefined;
    readonly retention?: RetentionOptions | undefined;
    readonly embeddings?: EmbeddingOptions | undefined;
    readonly hooks?: HookFiles | undefined;
    readonly tenant?: string | undefined;
    readonly analyzer?: TextAnalyzer | undefined;
    readonly maxContentBytes?: number | undefined;
    readonly maxMetadataBytes?: number | undefined;
    readonly clock?: (() => Date) | undefined;
    readonly logger?: Logger | undefined;
}

export type NewEvent = {
    [Type in EventType]: EventFacts & {
        readonly type: Type;
        readonly data: NewEventData<Type>;
    };
}[EventType];

export type NewEventData<Type extends EventType> = Type extends 'file_edit' ? Omit<EventDataMap['file_edit'], 'diff'> & {
    readonly diff?: string;
} : EventDataMap[Type];

export interface NewSession extends Audience {
    readonly id?: string | undefined;
    readonly workspace?: string | undefined;
    readonly startedAt?: string | undefined;
    readonly metadata?: SessionMetadata | undefined;
    readonly ifExists?: 'fail' | 'keep' | undefined;
}

export type RecallReason = 'text' | 'vector' | 'file' | 'recent';

export interface RecallRequest {
    readonly query?: string | undefined;
    readonly workspace: string;
    readonly path?: string | undefined;
    readonly budgetTokens: number;
    readonly exceptSession?: string | undefined;
    readonly signal?: AbortSignal | undefined;
}

export interface Recalled {
    readonly text: string;
    readonly tokens: number;
    readonly events: readonly RecalledEvent[];
    readonly omitted: readonly {
        readonly id: string;
        readonly reason: 'budget' | 'duplicate';
    }[];
}

export interface RecalledEvent {
    readonly event: MemoryEvent;
    readonly intention?: EventOf<'code_intention'>;
    readonly score: number;
    readonly reasons: readonly RecallReason[];
    readonly text: string;
    readonly tokens: number;
    readonly isCut: boolean;
}

export interface RecordEditRequest {
    readonly session: string;
    readonly path: string;
    readonly reason: string;
    readonly run: () => Promise<unknown>;
    readonly parent?: string | undefined;
}

export interface RecordedEdit {
    readonly intention: EventOf<'code_intention'>;
    readonly edit: EventOf<'file_edit'>;
}

export interface RedactOptions {
    readonly rules?: readonly RedactionRule[] | RuleChanges | undefined;
    readonly entropy?: number | undefined;
}

export interface RedactReport {
    readonly rules: Readonly<Record<string, number>>;
    readonly secrets: number;
    readonly sessions: number;
    readonly events: number;
    readonly contents: number;
    readonly damaged: number;
    readonly rulesVersion: number;
}

export interface RedactStoredOptions {
    readonly dryRun?: boolean | undefined;
    readonly signal?: AbortSignal | undefined;
}

export interface RetentionOptions {
    readonly maxAgeDays?: number | undefined;
    readonly maxBytes?: number | undefined;
}

export interface RetentionReport {
    readonly sessions: number;
    readonly events: number;
}

export interface Retriever {
    readonly specVersion: 1;
    retrieve(query: string, options?: RetrieveOptions): Promise<readonly Passage[]>;
}

export interface SearchFilter extends Audience {
    readonly workspace?: string | undefined;
    readonly session?: string | undefined;
    readonly type?: EventType | readonly EventType[] | undefined;
    readonly path?: string | undefined;
    readonly after?: string | undefined;
    readonly before?: string | undefined;
}

export interface SearchHit {
    readonly event: MemoryEvent;
    readonly score: number;
    readonly snippet: Snippet;
}

export interface SearchOptions extends SearchFilter {
    readonly limit?: number | undefined;
    readonly k?: number | undefined;
    readonly around?: boolean | undefined;
    readonly cap?: number | undefined;
    readonly vectors?: boolean | undefined;
    readonly signal?: AbortSignal | undefined;
}

export interface Session {
    readonly id: string;
    readonly workspace_path: string;
    readonly started_at: string;
    readonly ended_at: string | null;
    readonly metadata: SessionMetadata;
}

export interface SessionFilter extends Audience {
    readonly workspace?: string | undefined;
    readonly tag?: string | undefined;
    readonly state?: 'active' | 'ended' | undefined;
    readonly before?: string | undefined;
    readonly limit?: number | undefined;
}

export interface SessionHit {
    readonly session: SessionInfo;
    readonly score: number;
    readonly events: readonly SearchHit[];
}

export interface SessionInfo extends Session {
    readonly event_count: number;
    readonly updated_at: string;
    readonly damaged?: string;
}

export interface SessionMetadata {
    readonly branch?: string | undefined;
    readonly initial_context?: string | undefined;
    readonly user?: string | undefined;
    readonly room?: string | undefined;
    readonly tags?: readonly string[] | undefined;
    readonly [key: string]: JsonValue | undefined;
}

export interface Snippet {
    readonly text: string;
    readonly start: number;
    readonly highlights: readonly (readonly [
        start: number,
        end: number
    ])[];
}

export interface Storage extends AsyncDisposable {
    readonly specVersion: 1;
    readonly files: FileStore;
    readonly database: Database;
    readonly cache: Database;
    close(): Promise<void>;
}

export interface TextAnalyzer {
    readonly specVersion: 1;
    readonly id: string;
    analyze(text: string, mode: 'index' | 'query'): readonly Term[];
    terms?(text: string): TermTexts;
    find?(text: string, terms: readonly WantedTerm[]): readonly Term[];
}

export interface ThinkingData {
    readonly content: string;
    readonly context?: string;
}

export interface ToolUseData {
    readonly tool: string;
    readonly parameters: JsonValue;
    readonly result?: JsonValue;
    readonly duration_ms?: number;
    readonly success?: boolean;
}

export interface TranscriptReport {
    readonly files: number;
    readonly bytes: number;
    readonly skippedFiles: readonly {
        readonly file: string;
        readonly reason: string;
    }[];
    readonly sessions: readonly string[];
    readonly added: number;
    readonly skipped: number;
    readonly events: Readonly<Partial<Record<EventType, number>>>;
    readonly unknown: Readonly<Record<string, number>>;
    readonly kept: Readonly<Record<string, number>>;
    readonly passing: Readonly<Record<string, number>>;
    readonly torn: readonly LinePlace[];
    readonly broken: readonly LinePlace[];
    readonly refused: readonly {
        readonly file: string;
        readonly type: EventType;
        readonly code: string;
        readonly message: string;
    }[];
    readonly emptyThoughts: number;
    readonly unknownTexts: number;
    readonly openCalls: number;
}

export interface TurnRecorder {
    readonly specVersion: 1;
    record(turn: Turn): Promise<void>;
}

export type Unsubscribe = () => void;

export interface UserMessageData {
    readonly content: string;
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

export declare function defaultMemoryPath(): string;

export declare const memoryComponent: {
    readonly name: string;
    readonly migrations: readonly Migration[];
};

// @vizprompt/memory/hooks

export declare const HOOK_AGENTS: readonly [
    "claude-code",
    "codex",
    "copilot",
    "gemini",
    "opencode"
];

export declare const HOOK_FORMS: Readonly<Record<HookAgent, HookForm>>;

export type HookAgent = (typeof HOOK_AGENTS)[number];

export interface HookAnswer {
    readonly exitCode: 0;
    readonly stdout: string;
}

export interface HookEvent {
    readonly name: string;
    readonly matcher?: string;
    readonly isAsync?: boolean;
}

export type HookForm = PluginForm | SettingsForm;

export interface HookOptions {
    readonly agent?: HookAgent | undefined;
    readonly input?: string | undefined;
    readonly recall?: ((store: MemoryStore, request: HookRecallRequest) => Promise<string>) | undefined;
    readonly budgetTokens?: number | undefined;
    readonly timeoutMs?: number | undefined;
    readonly stateFolder?: string | undefined;
    readonly logFile?: string | undefined;
    readonly maxBytes?: number | undefined;
}

export interface HookRecallRequest {
    readonly workspace: string;
    readonly budgetTokens: number;
    readonly source: string;
    readonly session: string;
}

export interface InstallHooksOptions {
    readonly command: string;
    readonly agent?: HookAgent | undefined;
    readonly settingsFile?: string | undefined;
    readonly project?: string | undefined;
    readonly dryRun?: boolean | undefined;
}

export interface InstallHooksReport {
    readonly settingsFile: string;
    readonly hooks: readonly string[];
}

export declare class MemoryStore implements EventSource<MemoryEvents>, AsyncDisposable {
    #private;
    private constructor();
    static open(options?: MemoryStoreOptions): Promise<MemoryStore>;
    static checkFile(path: string, options?: SignalOption): Promise<CheckReport>;
    on<Name extends keyof MemoryEvents>(name: Name, listener: Listener<MemoryEvents[Name]>): Unsubscribe;
    once<Name extends keyof MemoryEvents>(name: Name, listener: Listener<MemoryEvents[Name]>): Unsubscribe;
    startSession(session?: NewSession): Promise<SessionInfo>;
    endSession(id: string): Promise<SessionInfo>;
    currentSession(workspace: string): Promise<SessionInfo | null>;
    listSessions(filter?: SessionFilter): Promise<readonly SessionInfo[]>;
    getSession(id: string): Promise<SessionInfo>;
    updateSession(id: string, change: SessionChange): Promise<SessionInfo>;
    deleteSession(id: string, options?: ForgetOptions): Promise<void>;
    log<Type extends EventType>(session: string, type: Type, data: NewEventData<Type>, facts?: EventFacts): Promise<EventOf<Type>>;
    logMany(session: string, events: Iterable<NewEvent> | AsyncIterable<NewEvent>, options?: LogManyOptions): Promise<readonly MemoryEvent[]>;
    events(session: string, filter?: EventFilter): EventList;
    follow(session: string, options?: FollowOptions): AsyncIterable<MemoryEvent>;
    getEvent(id: string): Promise<MemoryEvent>;
    knownEvents(ids: readonly string[]): Promise<ReadonlySet<string>>;
    search(query: string, options?: SearchOptions): Promise<readonly SearchHit[]>;
    searchSessions(query: string, options?: SearchOptions): Promise<readonly SessionHit[]>;
    recall(request: RecallRequest): Promise<Recalled>;
    retriever(scope?: RetrieverScope): Retriever;
    editFile(request: FileEditRequest): Promise<RecordedEdit>;
    recordEdit(request: RecordEditRequest): Promise<RecordedEdit>;
    pendingIntentions(filter?: PendingFilter): Promise<readonly EventOf<'code_intention'>[]>;
    files(options?: FileListOptions): Promise<readonly ChangedFile[]>;
    fileHistory(path: string, options?: FileHistoryOptions): Promise<readonly FileChange[]>;
    fileAt(path: string, moment?: FileMoment): Promise<FileSnapshot>;
    embedEvents(options?: SignalOption): Promise<EmbeddingReport>;
    stats(filter?: StatsFilter): Promise<MemoryStats>;
    forget(target: ForgetTarget, options?: ForgetOptions): Promise<void>;
    eraseSpeaker(options: EraseOptions): Promise<ErasureReport>;
    applyRetention(options?: RetentionOptions & ForgetOptions & SignalOption): Promise<RetentionReport>;
    redact(options?: RedactStoredOptions): Promise<RedactReport>;
    vacuum(): Promise<void>;
    exportJson(options?: ExportOptions): AsyncIterable<string>;
    exportHtml(options?: ExportOptions): AsyncIterable<string>;
    exportFile(path: string, options?: Omit<ExportOptions, 'path'>): AsyncIterable<string>;
    importJson(source: ExportSource, options?: ReadRecordsOptions): Promise<ImportReport>;
    backup(path: string): Promise<void>;
    check(options?: SignalOption): Promise<CheckReport>;
    recorder(options?: RecorderOptions): TurnRecorder;
    importTranscript(path: string, options?: ImportTranscriptOptions): Promise<TranscriptReport>;
    ingestHooks(options?: IngestOptions): Promise<IngestReport>;
    joinWorkspaces(...workspaces: readonly string[]): Promise<void>;
    leaveWorkspaces(workspace: string): Promise<void>;
    workspaceGroup(workspace: string): Promise<readonly string[]>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export declare function handleHook(memory: MemoryStore | (() => Promise<MemoryStore>), input: JsonObject | string, options?: HookOptions): Promise<HookAnswer>;

export declare function installHooks(options: InstallHooksOptions): Promise<InstallHooksReport>;

export declare function runHook(open?: () => Promise<MemoryStore>, options?: HookOptions): Promise<never>;

export declare function uninstallHooks(options: InstallHooksOptions): Promise<InstallHooksReport>;

// @vizprompt/memory/schemas

export declare const assistantMessageSchema: z.ZodType<EventDataMap['assistant_message']>;

export declare const codeIntentionSchema: z.ZodType<EventDataMap['code_intention']>;

export declare const eventDataSchemas: {
    readonly user_message: typeof userMessageSchema;
    readonly assistant_message: typeof assistantMessageSchema;
    readonly thinking: typeof thinkingSchema;
    readonly code_intention: typeof codeIntentionSchema;
    readonly file_edit: typeof fileEditSchema;
    readonly tool_use: typeof toolUseSchema;
};

export declare const fileEditSchema: z.ZodType<Omit<EventDataMap['file_edit'], 'diff'> & {
    readonly diff?: string;
}>;

export declare const newEventSchema: z.ZodType<NewEvent>;

export declare const newSessionSchema: z.ZodType<NewSession>;

export declare const sessionMetadataSchema: z.ZodType<SessionMetadata>;

export declare const thinkingSchema: z.ZodType<EventDataMap['thinking']>;

export declare const toolUseSchema: z.ZodType<EventDataMap['tool_use']>;

export declare const userMessageSchema: z.ZodType<EventDataMap['user_message']>;

// @vizprompt/memory/http

export interface FieldProblem {
    readonly field: string;
    readonly message: string;
}

export type Logger = {
    readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void;
};

export interface MemoryAppOptions {
    readonly token?: string | undefined;
    readonly allowedHosts?: readonly string[] | undefined;
    readonly allowedOrigins?: readonly string[] | undefined;
    readonly maxBodyBytes?: number | undefined;
    readonly maxStreams?: number | undefined;
    readonly maxStreamsPerClient?: number | undefined;
    readonly pollMs?: number | undefined;
    readonly keepAliveMs?: number | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly logger?: Logger | undefined;
}

export interface Problem {
    readonly type: 'about:blank';
    readonly title: string;
    readonly status: number;
    readonly detail: string;
    readonly code: string;
    readonly errors?: readonly FieldProblem[];
}

export declare function createMemoryApp(store: MemoryStore, options?: MemoryAppOptions): Promise<Hono>;

// @vizprompt/memory/mcp

export type Logger = {
    readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void;
};

export interface MemoryMcpOptions {
    readonly name?: string | undefined;
    readonly workspace?: string | undefined;
    readonly logger?: Logger | undefined;
}

export interface ServeMemoryStdioOptions extends MemoryMcpOptions {
    readonly input?: Readable | undefined;
    readonly output?: Writable | undefined;
    readonly patienceMs?: number | undefined;
}

export interface StdioServer extends AsyncDisposable {
    readonly closed: Promise<void>;
    close(): Promise<void>;
}

export declare function createMemoryMcpServer(store: MemoryStore, options?: MemoryMcpOptions): Promise<McpServer>;

export declare function serveMemoryStdio(store: MemoryStore, given?: ServeMemoryStdioOptions): Promise<StdioServer>;
