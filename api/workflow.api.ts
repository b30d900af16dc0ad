// What @vizprompt/workflow exports. Written by scripts/api-surface.mjs; do not edit.

// @vizprompt/workflow

export interface Activity<Input = unknown, Output = unknown> {
    readonly specVersion: 1;
    readonly name: string;
    readonly input?: JsonObject;
    readonly output?: JsonObject;
    run(input: Input, context: ActivityContext): Promise<Output>;
}

export interface AgentRole {
    readonly system_prompt: string;
    readonly description?: string;
    readonly model?: string;
}

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

export interface Concurrency {
    readonly total?: number | undefined;
    readonly providers?: Readonly<Record<string, number>> | undefined;
}

export interface DamagedRow {
    readonly table: string;
    readonly id: string;
    readonly field: string;
    readonly problem: string;
}

export interface DefinedWorkflow<Input, Output> extends WorkflowFile {
    readonly name: string;
    readonly '~types'?: {
        readonly input: Input;
        readonly output: Output;
    };
}

export interface DefinitionSources {
    readonly files: WorkflowSource | readonly WorkflowSource[];
    readonly promptSets?: Readonly<Record<string, WorkflowSource>> | undefined;
    readonly maxFileBytes?: number | undefined;
}

export interface DryRun {
    readonly workflow: string;
    readonly promptSet: string;
    readonly hash: string;
    readonly prompts: readonly DryRunPrompt[];
    readonly calls: Range;
    readonly inputTokens: Range;
    readonly outputTokens: Range;
    readonly costUsd: Range;
    readonly unpriced: readonly string[];
    readonly withoutModel: readonly string[];
    readonly unbounded: readonly string[];
}

export interface DryRunOptions {
    readonly promptSet?: string | undefined;
    readonly defaultModel?: string | undefined;
    readonly prices?: Readonly<Record<string, DryRunPrice>> | undefined;
    readonly outputTokens?: number | undefined;
    readonly items?: Range | undefined;
}

export interface DryRunPrice {
    readonly inputPerMillion: number;
    readonly outputPerMillion: number;
}

export interface DryRunPrompt {
    readonly workflow: string;
    readonly stepId: string;
    readonly agent?: string;
    readonly model?: string;
    readonly system?: string;
    readonly prompt: string;
    readonly problem?: string;
    readonly inputTokens: Range;
    readonly outputTokens: Range;
    readonly costUsd?: Range;
}

export interface DurableRuntime {
    readonly isHere: boolean;
    readonly reader: RunReader;
    hears(runId: string): boolean;
    start(run: NewRun, options: ResumeOptions): Promise<WorkflowRun>;
    resume(run: StoredRun, definition: DefinitionSnapshot, options: ResumeOptions): Promise<WorkflowRun>;
    answer(runId: string, path: string, answer: JsonValue): Promise<boolean>;
    cancel(runId: string, why: WorkflowError): Promise<boolean>;
    follow(schedules: readonly PinnedSchedule[], hooks: ScheduleHooks): Promise<RunningSchedules>;
    close(): Promise<void>;
}

export type Duration = number | string;

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

export interface ForkChanges {
    readonly definition?: 'stored' | 'current' | undefined;
    readonly variables?: JsonObject | undefined;
    readonly prompts?: Readonly<Record<string, string>> | undefined;
    readonly models?: Readonly<Record<string, string>> | undefined;
    readonly output?: JsonValue | undefined;
}

export interface ForkOptions extends ResumeOptions {
    readonly runId?: string | undefined;
}

export interface FunctionStep extends WorkStep {
    readonly type: 'function';
    readonly function: string;
}

export type JsonObject = {
    readonly [key: string]: JsonValue;
};

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | {
    readonly [key: string]: JsonValue;
};

export type LLMErrorCode = 'aborted' | 'timeout' | 'network' | 'rate_limit' | 'quota' | 'overloaded' | 'server' | 'auth' | 'permission' | 'not_found' | 'invalid_request' | 'context_length' | 'content_filter' | 'unsupported' | 'truncated' | 'bad_response' | 'output_parse';

export interface Limits {
    readonly steps?: number;
    readonly timeout?: Duration;
    readonly tokens?: number;
    readonly costUsd?: number;
}

export type Logger = {
    readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void;
};

export type McpServer = StdioServer | HttpServer;

export interface McpServerTools {
    readonly server: string;
    readonly tools: readonly {
        readonly name: string;
        readonly description?: string;
    }[];
    readonly problem?: string;
}

export interface McpToolsOptions extends DefinitionSources {
    readonly trust?: TrustOption | undefined;
}

export interface Middleware {
    readonly name: string;
    stream(request: ChatRequest, next: (request: ChatRequest) => AsyncIterable<ChatEvent>, model: ChatModel): AsyncIterable<ChatEvent>;
}

export interface ModelCallPlace {
    readonly runId: string;
    readonly path: string;
    readonly stepId: string;
    readonly agent: string;
}

export interface ModelRegistry {
    readonly specVersion: 1;
    model(name: string, settings?: ProviderSettings): ChatModel;
    embeddings(name: string, settings?: ProviderSettings): EmbeddingModel;
    listModels?(provider: string, settings?: ProviderSettings): Promise<readonly ModelInfo[]>;
}

export interface Named {
    readonly retries?: Readonly<Record<string, Retry>>;
    readonly timeouts?: Readonly<Record<string, Timeout>>;
    readonly models?: Readonly<Record<string, string>>;
    readonly mcpServers?: Readonly<Record<string, McpServer>>;
}

export type OnError = 'fail' | 'continue' | {
    readonly default: unknown;
} | {
    readonly goto: string;
};

export interface OpenQuestion {
    readonly path: string;
    readonly stepId: string;
    readonly question: string;
    readonly schema?: JsonObject;
    readonly askedAt: string;
    readonly until?: string;
}

export interface Price {
    readonly inputPerMillion: number;
    readonly outputPerMillion: number;
    readonly cachedInputPerMillion?: number | undefined;
    readonly cacheWriteInputPerMillion?: number | undefined;
    readonly reasoningPerMillion?: number | undefined;
}

export interface Problem {
    readonly file: string;
    readonly line?: number;
    readonly column?: number;
    readonly path: string;
    readonly code: ProblemCode;
    readonly severity: 'error' | 'warning';
    readonly message: string;
    readonly suggestion?: string;
}

export type ProblemCode = 'unreadable' | 'syntax' | 'unknown-key' | 'version-key' | 'missing-key' | 'wrong-type' | 'unknown-value' | 'too-small' | 'too-large' | 'empty' | 'bad-duration' | 'bad-name' | 'bad-value' | 'duplicate-name' | 'duplicate-id' | 'jump-by-data' | 'reserved-name' | 'unknown-step' | 'unknown-role' | 'unknown-prompt' | 'unknown-workflow' | 'unknown-function' | 'unknown-tool' | 'unknown-server' | 'server-failed' | 'unknown-retriever' | 'unknown-activity' | 'unknown-retry' | 'unknown-timeout' | 'unknown-model' | 'unknown-error-code' | 'unknown-set' | 'bad-cron' | 'bad-time-zone' | 'plain-secret' | 'sleep-time' | 'quorum-too-large' | 'subflow-recursion' | 'endless-cycle' | 'constant-until' | 'unreachable-step' | 'unreachable-agent' | 'unknown-member' | 'team-unseen' | 'unknown-variable' | 'variable-not-yet-set' | 'variable-maybe-unset' | 'unknown-field' | 'field-of-value' | 'missing-input' | 'unused-input' | 'template-syntax' | 'condition-syntax' | 'condition-type' | 'condition-not-boolean' | 'condition-not-list' | 'hidden-name';

export interface Range {
    readonly min: number;
    readonly max: number;
}

export interface ResumeOptions {
    readonly signal?: AbortSignal | undefined;
    readonly budget?: Budget | undefined;
}

export interface Retention {
    readonly keepLast?: number | undefined;
    readonly maxAge?: number | string | undefined;
}

export interface Retriever {
    readonly specVersion: 1;
    retrieve(query: string, options?: RetrieveOptions): Promise<readonly Passage[]>;
}

export interface Retry {
    readonly on?: readonly string[];
    readonly maxAttempts?: number;
    readonly delay?: Duration;
    readonly backoff?: number;
    readonly maxDelay?: Duration;
    readonly jitter?: boolean;
}

export type RunEvent = {
    [Name in keyof WorkflowEvents]: {
        readonly type: Name;
    } & WorkflowEvents[Name];
}[keyof WorkflowEvents];

export type RunReader = Pick<Journal, 'run' | 'definition' | 'history' | 'waits' | 'runs'>;

export interface RunResult<Output = JsonValue> {
    readonly output: Output;
    readonly variables: Variables;
    readonly usage: Usage;
    readonly costUsd?: number;
}

export interface RunState extends RunSummary {
    readonly input: JsonValue;
    readonly variables: Variables;
    readonly steps: readonly FinishedStep[];
    readonly waiting: readonly OpenQuestion[];
    readonly usage: Usage;
    readonly costUsd?: number;
    readonly definitionHash: string;
    readonly damagedRows?: readonly DamagedRow[];
}

export type RunStatus = 'running' | 'waiting' | 'done' | 'failed' | 'cancelled';

export interface RunSummary {
    readonly id: string;
    readonly workflow: string;
    readonly promptSet: string;
    readonly status: RunStatus;
    readonly output?: JsonValue;
    readonly error?: ErrorJson;
    readonly startedAt: string;
    readonly endedAt?: string;
    readonly forkedFrom?: string;
    readonly damaged?: string;
}

export interface RunnableTool {
    readonly name: string;
    describe(): Promise<Tool>;
    run(input: JsonValue, context: ToolContext): Promise<JsonValue>;
}

export interface RunningSchedules extends AsyncDisposable {
    next(): Readonly<Record<string, string>>;
    close(): Promise<void>;
}

export interface Schedule {
    readonly workflow: string;
    readonly cron: string;
    readonly timeZone?: string;
    readonly input?: JsonValue;
    readonly promptSet?: string;
    readonly missed?: 'last' | 'all' | 'skip';
    readonly overlap?: 'allow' | 'skip';
}

export interface ScheduleOptions {
    readonly names?: readonly string[] | undefined;
    readonly onRun?: ((run: WorkflowRun, schedule: string) => void) | undefined;
    readonly onError?: ((error: unknown, schedule: string) => void) | undefined;
}

export interface Spending {
    readonly tokens?: number | undefined;
    readonly costUsd?: number | undefined;
}

export interface StartOptions extends ResumeOptions {
    readonly promptSet?: string | undefined;
    readonly runId?: string | undefined;
}

export type Step = AgentStep | MultiAgentStep | BranchStep | LoopStep | ForeachStep | ParallelStep | TeamStep | FunctionStep | ToolStep | ActivityStep | RetrieveStep | HumanStep | SubflowStep | SleepStep;

export interface StepPlace {
    readonly runId: string;
    readonly path: string;
    readonly stepId: string;
    readonly at: string;
}

export interface Storage extends AsyncDisposable {
    readonly specVersion: 1;
    readonly files: FileStore;
    readonly database: Database;
    readonly cache: Database;
    close(): Promise<void>;
}

export interface Timeout {
    readonly total?: Duration;
    readonly attempt?: Duration;
    readonly idle?: Duration;
}

export type TrustOption = boolean | ((request: TrustRequest) => boolean | Promise<boolean>);

export interface TrustRequest {
    readonly place?: string | undefined;
    readonly uses: readonly TrustUse[];
}

export interface TurnRecorder {
    readonly specVersion: 1;
    record(turn: Turn): Promise<void>;
}

export type Unsubscribe = () => void;

export interface Usage {
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly reasoningTokens?: number;
    readonly cachedInputTokens?: number;
    readonly cacheWriteInputTokens?: number;
    readonly estimated?: boolean;
    readonly raw?: JsonValue;
}

export type Variables = JsonObject;

export interface Webhook {
    readonly workflow: string;
    readonly scheme: WebhookScheme;
    readonly secret: string;
    readonly when?: string;
    readonly input?: string;
    readonly promptSet?: string;
}

export type WebhookScheme = 'standard' | 'github' | 'slack' | 'bearer';

export interface WorkflowDefinition {
    readonly description?: string;
    readonly initial_step?: string;
    readonly inputs?: JsonObject;
    readonly output?: string;
    readonly limits?: Limits;
    readonly order?: 'listed' | 'by-data';
    readonly steps: readonly Step[];
}

export declare class WorkflowEngine implements EventSource<WorkflowEvents>, AsyncDisposable {
    #private;
    private constructor();
    static open(options: WorkflowEngineOptions): Promise<WorkflowEngine>;
    get workflows(): readonly string[];
    webhook(name: string): Webhook | undefined;
    on<Name extends keyof WorkflowEvents>(name: Name, listener: Listener<WorkflowEvents[Name]>): Unsubscribe;
    once<Name extends keyof WorkflowEvents>(name: Name, listener: Listener<WorkflowEvents[Name]>): Unsubscribe;
    start<Input, Output>(workflow: DefinedWorkflow<Input, Output>, input: Input, options?: StartOptions): Promise<WorkflowRun<Output>>;
    start(workflow: string, input: JsonValue, options?: StartOptions): Promise<WorkflowRun>;
    resume(runId: string, options?: ResumeOptions): Promise<WorkflowRun>;
    attach(runId: string, options?: {
        readonly signal?: AbortSignal | undefined;
    }): Promise<WorkflowRun>;
    fork(runId: string, path: string, changes?: ForkChanges, options?: ForkOptions): Promise<WorkflowRun>;
    answer(runId: string, value: JsonValue, options?: {
        readonly path?: string | undefined;
    }): Promise<void>;
    cancel(runId: string, reason?: unknown): Promise<void>;
    run(runId: string): Promise<RunState>;
    runs(query?: RunsQuery): Promise<readonly RunSummary[]>;
    dryRun(workflow: string, input: JsonValue, options?: DryRunOptions): Promise<DryRun>;
    toMermaid(workflow: string, options?: {
        readonly run?: string;
    }): Promise<string>;
    toHtml(runId: string, options?: {
        readonly follow?: string | undefined;
    }): Promise<string>;
    startSchedules(options?: ScheduleOptions): Promise<RunningSchedules>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export interface WorkflowEngineOptions {
    readonly files: WorkflowSource | readonly WorkflowSource[];
    readonly promptSets?: Readonly<Record<string, WorkflowSource>> | undefined;
    readonly maxFileBytes?: number | undefined;
    readonly models?: ModelRegistry | Readonly<Record<string, ChatModel>> | undefined;
    readonly defaultModel?: string | undefined;
    readonly trust?: TrustOption | undefined;
    readonly storage?: Storage | undefined;
    readonly runtime?: WorkflowRuntime | undefined;
    readonly functions?: Readonly<Record<string, WorkflowFunction>> | undefined;
    readonly tools?: readonly RunnableTool[] | undefined;
    readonly retrievers?: Readonly<Record<string, Retriever>> | undefined;
    readonly activities?: readonly Activity[] | undefined;
    readonly recorders?: readonly (TurnRecorder | WorkflowRecorder)[] | undefined;
    readonly prices?: PriceTable | undefined;
    readonly middleware?: readonly Middleware[] | ((place: ModelCallPlace) => readonly Middleware[]) | undefined;
    readonly concurrency?: Concurrency | undefined;
    readonly retention?: Retention | undefined;
    readonly maxTakeovers?: number | undefined;
    readonly listeners?: WorkflowListeners | undefined;
    readonly logger?: Logger | undefined;
    readonly clock?: (() => Date) | undefined;
    readonly createId?: (() => string) | undefined;
}

export declare class WorkflowError extends CodedError<WorkflowErrorCode> {
    constructor(code: WorkflowErrorCode, message: string, details?: ErrorDetails);
    static isInstance(value: unknown): value is WorkflowError;
}

export type WorkflowErrorCode = 'definition-invalid' | 'invalid-input' | 'not-found' | 'conflict' | 'not-waiting' | 'finished' | 'step-failed' | 'condition-failed' | 'template-failed' | 'unusable-answer' | 'exhausted' | 'limit' | 'cancelled' | 'timeout' | 'journal-unwritable' | 'corrupt' | 'recorder-failed' | 'closed';

export interface WorkflowEvents {
    'run:started': RunPlace & {
        readonly workflow: string;
        readonly isResumed: boolean;
    };
    'run:ended': RunPlace & {
        readonly status: 'done' | 'failed' | 'cancelled';
        readonly output?: JsonValue;
        readonly error?: ErrorJson;
    };
    'step:started': StepPlace & {
        readonly stepType: string;
        readonly agent?: string;
        readonly model?: string;
    };
    'step:delta': StepPlace & {
        readonly kind: 'text' | 'reasoning';
        readonly text: string;
    };
    'step:ended': StepPlace & {
        readonly output: JsonValue;
        readonly isReplayed: boolean;
        readonly usage?: Usage;
        readonly model?: string;
        readonly finishReason?: string;
        readonly ms: number;
    };
    'step:failed': StepPlace & {
        readonly error: ErrorJson;
    };
    'step:skipped': StepPlace;
    'step:exhausted': StepPlace & {
        readonly rounds: number;
    };
    'step:handed-over': StepPlace & {
        readonly from: string;
        readonly to: string;
        readonly message: JsonValue;
    };
    'step:retried': StepPlace & {
        readonly attempt: number;
        readonly waitMs: number;
        readonly error: ErrorJson;
    };
    'step:fell-back': StepPlace & {
        readonly from: string;
        readonly to: string;
        readonly error: ErrorJson;
    };
    'tool:started': StepPlace & {
        readonly tool: string;
        readonly input: JsonValue;
    };
    'tool:ended': StepPlace & {
        readonly tool: string;
        readonly output: JsonValue;
        readonly isError: boolean;
        readonly isReplayed: boolean;
    };
    'step:waiting': StepPlace & {
        readonly question: string;
    };
    'step:answered': StepPlace & {
        readonly value: JsonValue;
    };
    'step:emitted': StepPlace & {
        readonly name: string;
        readonly payload: JsonValue;
    };
    'budget:reserved': StepPlace & {
        readonly spending: Spending;
        readonly remaining: Spending;
    };
    'budget:settled': StepPlace & {
        readonly spending: Spending;
        readonly remaining: Spending;
    };
    'recorder:failed': RunPlace & {
        readonly error: ErrorJson;
    };
}

export interface WorkflowFile extends Partial<PromptSet> {
    readonly $schema?: string;
    readonly version?: 1 | 2;
    readonly use?: Named;
    readonly workflows?: Readonly<Record<string, WorkflowDefinition>>;
    readonly schedules?: Readonly<Record<string, Schedule>>;
    readonly webhooks?: Readonly<Record<string, Webhook>>;
}

export type WorkflowFunction = (input: JsonObject, context: FunctionContext) => JsonValue | Promise<JsonValue>;

export type WorkflowListeners = {
    readonly [Name in keyof WorkflowEvents]?: ((event: WorkflowEvents[Name]) => void) | undefined;
};

export interface WorkflowRecorder {
    readonly recorder: TurnRecorder;
    readonly required?: boolean | undefined;
}

export declare class WorkflowRun<Output = JsonValue> implements AsyncIterable<RunEvent> {
    #private;
    readonly id: string;
    readonly result: Promise<RunResult<Output>>;
    constructor(id: string, result: Promise<RunResult<Output>>, queue: EventQueue, cancel: (reason: unknown) => void);
    cancel(reason?: unknown): void;
    [Symbol.asyncIterator](): AsyncGenerator<RunEvent, void, undefined>;
}

export interface WorkflowRuntime {
    readonly name: string;
    open(parts: RuntimeParts): Promise<DurableRuntime>;
}

export type WorkflowSource = string | URL | WorkflowFile;

export declare function defineWorkflow<Input = JsonValue, Output = JsonValue>(workflow: WorkflowInCode): DefinedWorkflow<Input, Output>;

export declare function dryRun(sources: DefinitionSources, workflow: string, input: JsonValue, options?: DryRunOptions): Promise<DryRun>;

export declare function eraseSpeaker(storage: Storage, options: EraseOptions): Promise<ErasureReport>;

export declare function lint(files: WorkflowSource | readonly WorkflowSource[], options?: LintOptions): Promise<readonly Problem[]>;

export declare function listMcpTools(options: McpToolsOptions): Promise<readonly McpServerTools[]>;

export declare function readWorkflowTrust(path: string | URL): Promise<TrustRequest & {
    readonly place: string;
}>;

export declare function toMermaid(workflow: WorkflowDefinition, options?: MermaidOptions): string;

// @vizprompt/workflow/dbos

export interface DbosOptions {
    readonly url: string;
    readonly namespace?: string | undefined;
}

export type Logger = {
    readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void;
};

export interface SharedLimit {
    readonly concurrency?: number | undefined;
    readonly rate?: {
        readonly calls: number;
        readonly perMs: number;
    } | undefined;
}

export declare class Worker implements EventSource<WorkflowEvents>, AsyncDisposable {
    #private;
    private constructor();
    static open(options: WorkerOptions): Promise<Worker>;
    get id(): string;
    on<Name extends keyof WorkflowEvents>(name: Name, listener: Listener<WorkflowEvents[Name]>): Unsubscribe;
    once<Name extends keyof WorkflowEvents>(name: Name, listener: Listener<WorkflowEvents[Name]>): Unsubscribe;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export interface WorkerConcurrency extends Concurrency {
    readonly runs?: number | undefined;
    readonly shared?: Readonly<Record<string, SharedLimit>> | undefined;
}

export interface WorkerOptions extends DbosOptions, Omit<WorkflowEngineOptions, 'files' | 'promptSets' | 'storage' | 'runtime' | 'concurrency' | 'createId'> {
    readonly concurrency?: WorkerConcurrency | undefined;
    readonly leaseMs?: number | undefined;
    readonly heartbeatMs?: number | undefined;
    readonly pollMs?: number | undefined;
}

export declare function dbos(options: DbosOptions): WorkflowRuntime;

export declare function runWorker(options: WorkerOptions): Promise<Worker>;

// @vizprompt/workflow/evaluation

export interface Case {
    readonly id: string;
    readonly input: JsonValue;
    readonly expected?: JsonValue;
}

export interface Comparison {
    readonly scores: Readonly<Record<string, ComparedScore>>;
    readonly before: Evaluation;
    readonly after: Evaluation;
}

export interface Evaluation {
    readonly workflow: string;
    readonly runs: readonly CaseRun[];
    readonly scores: Readonly<Record<string, Estimate>>;
    readonly failures: number;
    readonly ms: number;
    readonly tokens: number;
    readonly costUsd?: number;
}

export interface EvaluationOptions extends Omit<WorkflowEngineOptions, 'runtime' | 'storage'> {
    readonly workflow?: string | undefined;
    readonly dataset: string | URL | readonly (Omit<Case, 'id'> & {
        readonly id?: string;
    })[];
    readonly judges: Readonly<Record<string, Judge>>;
    readonly repeat?: number | undefined;
    readonly parallel?: number | undefined;
    readonly promptSet?: string | undefined;
    readonly signal?: AbortSignal | undefined;
}

export type Judge = ((context: JudgeContext) => number | boolean | Promise<number | boolean>) | `flow:${string}`;

export interface JudgeContext {
    readonly input: JsonValue;
    readonly output: JsonValue;
    readonly expected?: JsonValue;
    readonly variables: Variables;
}

export type Logger = {
    readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void;
};

export declare function compareEvaluations(before: Evaluation, after: Evaluation): Comparison;

export declare function comparisonTable(comparison: Comparison): string;

export declare function contains(context: JudgeContext): boolean;

export declare function evaluateWorkflow(options: EvaluationOptions): Promise<Evaluation>;

export declare function evaluationTable(evaluation: Evaluation): string;

export declare function exactMatch(context: JudgeContext): boolean;

export declare function readCases(file: string | URL): Promise<readonly Case[]>;

// @vizprompt/workflow/http

export type FetchHandler = (request: Request) => Promise<Response>;

export type Logger = {
    readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void;
};

export interface WorkflowHandlerOptions {
    readonly basePath?: string | undefined;
    readonly token?: string | undefined;
    readonly authorize?: ((request: Request) => boolean | Promise<boolean>) | undefined;
    readonly allowedHosts?: readonly string[] | undefined;
    readonly allowedOrigins?: readonly string[] | undefined;
    readonly maxBodyBytes?: number | undefined;
    readonly logger?: Logger | undefined;
}

export declare function createWorkflowHandler(engine: WorkflowEngine, options?: WorkflowHandlerOptions): FetchHandler;

export declare function toNodeListener(handler: FetchHandler): (request: IncomingMessage, response: ServerResponse) => void;

// @vizprompt/workflow/otel

export interface RunTracing {
    readonly listeners: WorkflowListeners;
    readonly middleware: (place: ModelCallPlace) => readonly Middleware[];
}

export interface TraceRunsOptions {
    readonly tracer?: Tracer | undefined;
    readonly captureContent?: boolean | undefined;
}

export type WorkflowListeners = {
    readonly [Name in keyof WorkflowEvents]?: ((event: WorkflowEvents[Name]) => void) | undefined;
};

export declare function traceRuns(options?: TraceRunsOptions): Promise<RunTracing>;

// @vizprompt/workflow/testing

export type Answers = Readonly<Record<string, PlaceAnswers>> | ((call: TestCall) => ScriptedAnswer | Promise<ScriptedAnswer>);

export interface Cassettes {
    readonly store: string | FileStore;
    readonly mode?: 'record' | 'replay' | undefined;
}

export type Logger = {
    readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void;
};

export type PeopleAnswers = readonly JsonValue[] | ((question: string, path: string) => JsonValue | Promise<JsonValue>);

export type PlaceAnswers = ScriptedAnswer | {
    readonly inOrder: readonly ScriptedAnswer[];
} | ((call: TestCall) => ScriptedAnswer | Promise<ScriptedAnswer>);

export interface SimulatedFailure {
    readonly at?: string | undefined;
    readonly code?: LLMErrorCode | undefined;
    readonly times?: number | undefined;
    readonly share?: number | undefined;
    readonly retryAfterMs?: number | undefined;
}

export interface Simulation {
    readonly latencyMs?: number | readonly [
        least: number,
        most: number
    ] | undefined;
    readonly failures?: readonly SimulatedFailure[] | undefined;
    readonly seed?: number | undefined;
}

export interface TestCall extends ModelCallPlace {
    readonly model: string;
    readonly system: string;
    readonly prompt: string;
    readonly request: ChatRequest;
    readonly attempt: number;
    readonly answer: string;
    readonly error?: unknown;
}

export interface TestWorkflowOptions extends Omit<WorkflowEngineOptions, 'files' | 'middleware' | 'retention'>, Omit<StartOptions, 'runId'> {
    readonly workflow?: string | undefined;
    readonly input: JsonValue;
    readonly answers?: Answers | undefined;
    readonly cassettes?: Cassettes | undefined;
    readonly simulate?: Simulation | undefined;
    readonly people?: Readonly<Record<string, PeopleAnswers>> | undefined;
    readonly runId?: string | undefined;
}

export interface TestedRun {
    readonly runId: string;
    readonly status: 'done' | 'failed' | 'cancelled';
    readonly output: JsonValue;
    readonly error?: unknown;
    readonly events: readonly RunEvent[];
    readonly calls: readonly TestCall[];
    readonly prompts: Readonly<Record<string, readonly string[]>>;
}

export declare function testWorkflow(files: WorkflowSource | readonly WorkflowSource[], options: TestWorkflowOptions): Promise<TestedRun>;
