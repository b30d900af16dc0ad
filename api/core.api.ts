// What @vizprompt/core exports. Written by scripts/api-surface.mjs; do not edit.

// @vizprompt/core

export interface AddOptions extends FlowEditOptions {
    readonly after?: string | readonly string[] | null | undefined;
}

export interface AskOptions extends Pick<ContextOptions, 'budgetTokens' | 'budget' | 'references' | 'pin' | 'exclude' | 'retriever' | 'related'> {
    readonly instructions?: string | undefined;
    readonly flow?: string | undefined;
    readonly model?: ChatModel | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly maxDetails?: number | undefined;
    readonly request?: Omit<ChatRequest, 'messages' | 'tools' | 'toolChoice' | 'signal'> | undefined;
}

export interface BranchDiff {
    readonly base: readonly string[];
    readonly common: readonly string[];
    readonly left: readonly string[];
    readonly right: readonly string[];
}

export interface BuildOptions {
    readonly model?: ChatModel | null | undefined;
    readonly concurrency?: number | undefined;
    readonly onProgress?: ((progress: Progress) => void) | undefined;
    readonly signal?: AbortSignal | undefined;
}

export interface BuildReport {
    readonly built: number;
    readonly failed: readonly BuildFailure[];
    readonly postponed: number;
}

export interface BuiltContext {
    readonly messages: readonly Message[];
    readonly text: string;
    readonly report: ContextReport;
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

export interface ChatOptions extends AskOptions {
    readonly prompt: string;
    readonly from?: string | readonly string[] | null | undefined;
    readonly branchName?: string | undefined;
    readonly attachments?: readonly NewAttachment[] | undefined;
    readonly speaker?: string | undefined;
    readonly queue?: boolean | undefined;
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

export declare class ChatTurn implements AsyncIterable<ChatTurnEvent> {
    #private;
    constructor(events: AsyncGenerator<ChatTurnEvent>);
    [Symbol.asyncIterator](): AsyncIterator<ChatTurnEvent>;
    node(): Promise<StoredNode>;
}

export type ChatTurnEvent = {
    readonly type: 'asked';
    readonly node: StoredNode;
    readonly context: BuiltContext;
} | {
    readonly type: 'text' | 'reasoning';
    readonly text: string;
} | {
    readonly type: 'detail';
    readonly ids: readonly string[];
} | {
    readonly type: 'answered';
    readonly node: StoredNode;
    readonly finishReason: FinishReason;
    readonly usage: Usage;
};

export interface CheckReport {
    readonly findings: readonly Finding[];
    readonly nodes: number;
    readonly flows: number;
    readonly isHealthy: boolean;
}

export interface ContentMerge {
    readonly proposal: MergeProposal;
    readonly merged?: MergedNode;
}

export interface ContextEntry {
    readonly id: string;
    readonly label: string;
    readonly form: ContextForm;
    readonly reason: ContextReason;
    readonly tokens: number;
    readonly exact: boolean;
    readonly isAncestor: boolean;
}

export type ContextForm = 'full' | 'cut' | 'summary' | 'gist' | 'first-words' | 'range' | 'dropped';

export interface ContextOptions {
    readonly prompt: string;
    readonly instructions?: string | undefined;
    readonly flow?: string | undefined;
    readonly node?: string | readonly string[] | null | undefined;
    readonly budgetTokens?: number | undefined;
    readonly budget?: number | undefined;
    readonly references?: readonly string[] | undefined;
    readonly pin?: readonly string[] | undefined;
    readonly exclude?: readonly string[] | undefined;
    readonly retriever?: Retriever | undefined;
    readonly related?: number | undefined;
    readonly speaker?: string | undefined;
    readonly counter?: TokenCounter | undefined;
    readonly detailHint?: boolean | undefined;
    readonly signal?: AbortSignal | undefined;
}

export type ContextReason = 'before-prompt' | 'pinned' | 'reference' | 'excluded' | 'fits' | 'recent' | 'relevant' | 'referred' | 'retrieved' | 'related' | 'earlier' | 'no-room' | 'missing';

export interface ContextReport {
    readonly flow?: string;
    readonly budget: number;
    readonly tokens: number;
    readonly textTokens: number;
    readonly exact: boolean;
    readonly everything: {
        readonly tokens: number;
        readonly exact: boolean;
    };
    readonly entries: readonly ContextEntry[];
    readonly attachments: readonly ContextAttachment[];
}

export interface CopiedSubtree {
    readonly flow: StoredFlow;
    readonly nodes: readonly StoredNode[];
    readonly ids: ReadonlyMap<string, string>;
}

export interface EditHistory {
    readonly undo: readonly EditStep[];
    readonly redo: readonly EditStep[];
}

export interface EditOptions extends FlowChoice, FlowEditOptions {
}

export interface EditStep {
    readonly id: string;
    readonly label: string;
    readonly time: string;
    readonly flows: readonly string[];
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

export type ExportFormat = 'html' | 'markdown' | 'json' | 'chatgpt' | 'openai' | 'mermaid' | 'dot' | 'svg' | 'canvas' | 'cytoscape' | 'graphml';

export interface ExportOptions {
    readonly format: ExportFormat;
    readonly leaf?: string | undefined;
    readonly attachments?: 'embed' | 'omit' | undefined;
}

export interface Finding extends FilePlace {
    readonly code: FindingCode;
    readonly line: number;
    readonly severity: 'error' | 'warning' | 'info';
    readonly message: string;
    readonly repair: ProposedRepair;
}

export type FindingCode = 'missing-file' | 'unlisted-file' | 'missing-node' | 'duplicate-id' | 'duplicate-alias' | 'duplicate-index' | 'cycle' | 'dangling-edge' | 'orphan' | 'map-drift' | 'tags-drift' | 'index-drift' | 'cache-drift' | 'ill-formed' | 'merge-conflict' | 'missing-attachment' | 'doubtful-flow';

export interface Flow {
    readonly id: string;
    readonly name: string;
    readonly alias?: string;
    readonly created: string;
    readonly updated: string;
    readonly description: string;
    readonly head?: string;
    readonly source?: string;
    readonly owner?: string;
    readonly meta?: JsonObject;
    readonly nodes: readonly FlowNode[];
    readonly connections: readonly FlowConnection[];
}

export interface FlowConnection {
    readonly from: string;
    readonly to: string;
    readonly branch?: string;
}

export declare class FlowGraph {
    #private;
    constructor(flow: Pick<Flow, 'nodes' | 'connections'>);
    has(id: string): boolean;
    parents(id: string): readonly string[];
    children(id: string): readonly string[];
    roots(): readonly string[];
    leaves(): readonly string[];
    topologicalOrder(): readonly string[];
    ancestors(id: string): readonly string[];
    descendants(id: string): readonly string[];
    mergeBase(a: string, b: string): readonly string[];
    diff(a: string, b: string): BranchDiff;
    lineTo(id: string): readonly string[];
    findPath(from: string, to: string): readonly string[] | undefined;
    findCycle(): readonly string[] | undefined;
}

export interface FlowId {
    readonly id: string;
}

export interface FlowNode {
    readonly index: number;
    readonly id: string;
}

export interface FlowPatch {
    readonly name?: string | undefined;
    readonly alias?: string | undefined;
    readonly description?: string | undefined;
    readonly head?: string | null | undefined;
    readonly source?: string | undefined;
    readonly owner?: string | undefined;
    readonly meta?: JsonObject | undefined;
}

export interface FlowQuery {
    readonly owner?: string | null | undefined;
    readonly updatedAfter?: string | undefined;
    readonly updatedBefore?: string | undefined;
    readonly order?: 'file' | 'updated' | undefined;
    readonly after?: Pick<FlowSummary, 'file' | 'updated'> | undefined;
    readonly limit?: number | undefined;
}

export interface FlowSummary {
    readonly id: string;
    readonly name: string;
    readonly alias?: string;
    readonly file: string;
    readonly updated: string;
    readonly nodes: number;
    readonly connections: number;
    readonly source?: string;
    readonly owner?: string;
    readonly meta?: JsonObject;
}

export type ImportFormat = 'ai-sdk' | 'big-agi' | 'character-ai' | 'chat-log' | 'chatbox' | 'chatgpt' | 'cherry-studio' | 'claude' | 'claude-code' | 'cline' | 'codex' | 'cohere' | 'copilot' | 'copilot-cli' | 'deepseek' | 'gemini' | 'gemini-cli' | 'grok' | 'langchain' | 'le-chat' | 'librechat' | 'llama-cpp' | 'llm' | 'lm-studio' | 'notes' | 'open-webui' | 'openai' | 'opencode' | 'perplexity' | 'pi' | 'sharegpt' | 'sillytavern' | 'typingmind' | 'vizprompt';

export interface ImportOptions {
    readonly format?: ImportFormat | undefined;
    readonly signal?: AbortSignal | undefined;
}

export interface ImportReport {
    readonly conversations: {
        readonly total: number;
        readonly imported: number;
        readonly updated: number;
        readonly unchanged: number;
        readonly skipped: number;
    };
    readonly messages: {
        readonly total: number;
    };
    readonly nodes: {
        readonly total: number;
        readonly created: number;
        readonly updated: number;
        readonly unchanged: number;
    };
    readonly connections: {
        readonly total: number;
        readonly created: number;
    };
    readonly flows: readonly ImportedFlow[];
    readonly texts: readonly ImportedTexts[];
    readonly skipped: readonly SkippedEntry[];
    readonly warnings: readonly SkippedEntry[];
}

export interface InitOptions {
    readonly git?: boolean | undefined;
}

export interface InitReport {
    readonly written: readonly string[];
    readonly mergeDriver?: MergeDriver;
}

export type JsonObject = {
    readonly [key: string]: JsonValue;
};

export type Listener<Payload> = (payload: Payload) => unknown;

export type LockMode = 'write' | 'exclusive' | 'read-only';

export type Logger = {
    readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void;
};

export interface MergeProposal {
    readonly base: readonly MergeTurn[];
    readonly left: MergeSide;
    readonly right: MergeSide;
    readonly conflicts: readonly MergeConflict[];
    readonly node: NewNode;
    readonly by: 'model' | 'text';
}

export interface MergedNode {
    readonly flow: StoredFlow;
    readonly node: StoredNode;
}

export interface Message {
    readonly role: Role;
    readonly parts: readonly Part[];
    readonly meta?: ProviderMeta | undefined;
}

export interface ModelRegistry {
    readonly specVersion: 1;
    model(name: string, settings?: ProviderSettings): ChatModel;
    embeddings(name: string, settings?: ProviderSettings): EmbeddingModel;
    listModels?(provider: string, settings?: ProviderSettings): Promise<readonly ModelInfo[]>;
}

export interface NewAttachment {
    readonly data: Uint8Array;
    readonly mediaType: string;
    readonly fileName?: string | undefined;
}

export interface NewFlowOptions {
    readonly name: string;
    readonly alias?: string | undefined;
    readonly description?: string | undefined;
    readonly id?: string | undefined;
    readonly source?: string | undefined;
    readonly owner?: string | undefined;
    readonly meta?: JsonObject | undefined;
}

export interface NewNode {
    readonly prompt: string;
    readonly response?: string | undefined;
    readonly model?: string | undefined;
    readonly tags?: readonly string[] | undefined;
    readonly stats?: VizNode['stats'] | undefined;
    readonly status?: NodeStatus | undefined;
    readonly speaker?: string | undefined;
    readonly askedBy?: string | undefined;
    readonly source?: string | undefined;
    readonly promptParts?: readonly NodePart[] | undefined;
    readonly responseParts?: readonly NodePart[] | undefined;
    readonly attachments?: readonly NewAttachment[] | undefined;
    readonly id?: string | undefined;
    readonly timestamp?: string | undefined;
}

export interface NodeEditOptions {
    readonly ifVersion?: string | StoredNode | undefined;
}

export interface NodeFilePart extends PartOrigin {
    readonly type: 'file';
    readonly path?: string | undefined;
    readonly uri?: string | undefined;
    readonly mediaType?: string | undefined;
    readonly fileName?: string | undefined;
    readonly size?: number | undefined;
}

export interface NodeHit {
    readonly id: string;
    readonly timestamp: string;
    readonly title: string;
    readonly summary: string;
    readonly tags: readonly string[];
    readonly keywords: readonly string[];
    readonly model?: string;
    readonly flows: readonly string[];
    readonly score: number;
    readonly snippet?: Snippet;
}

export type NodePart = TextRangePart | NodeReasoningPart | NodeToolCallPart | NodeToolResultPart | NodeFilePart | NodeDataPart;

export interface NodePatch {
    readonly prompt?: string | undefined;
    readonly response?: string | undefined;
    readonly model?: string | undefined;
    readonly tags?: readonly string[] | undefined;
    readonly stats?: VizNode['stats'] | undefined;
    readonly status?: NonNullable<VizNode['status']> | undefined;
    readonly speaker?: string | undefined;
    readonly summary?: string | undefined;
    readonly promptParts?: readonly NodePart[] | undefined;
    readonly responseParts?: readonly NodePart[] | undefined;
}

export interface NodeQuery {
    readonly text?: string | undefined;
    readonly tags?: readonly string[] | undefined;
    readonly keywords?: readonly string[] | undefined;
    readonly model?: string | undefined;
    readonly after?: string | undefined;
    readonly before?: string | undefined;
    readonly limit?: number | undefined;
}

export interface NodeStats {
    readonly count: number;
    readonly duration: number;
    readonly rate: number;
}

export type NodeStatus = 'pending' | 'done' | 'failed' | 'aborted';

export interface OpenOptions {
    readonly storage: Storage;
    readonly model?: ChatModel | undefined;
    readonly registry?: ModelRegistry | undefined;
    readonly trust?: TrustOption | undefined;
    readonly create?: boolean | undefined;
    readonly on?: {
        readonly [Name in keyof VizPromptEvents]?: Listener<VizPromptEvents[Name]> | undefined;
    } | undefined;
    readonly lock?: LockMode | undefined;
    readonly undoSteps?: number | undefined;
    readonly lockTimeoutMs?: number | undefined;
    readonly limits?: Partial<ProjectLimits> | undefined;
    readonly logger?: Logger | undefined;
    readonly clock?: (() => Date) | undefined;
    readonly createId?: (() => string) | undefined;
}

export interface Placement {
    readonly flow?: string | null | undefined;
    readonly after?: string | readonly string[] | null | undefined;
    readonly branchName?: string | undefined;
    readonly ifExists?: 'version' | 'keep' | undefined;
}

export interface Progress {
    readonly done: number;
    readonly total?: number;
}

export interface ProjectLimits {
    readonly nodeBytes: number;
    readonly flowBytes: number;
    readonly configBytes: number;
    readonly historyBytes: number;
    readonly attachmentBytes: number;
    readonly mapBytes: number;
    readonly entryCharacters: number;
    readonly zipRatio: number;
    readonly depth: number;
    readonly skippedEntries: number;
}

export interface ProjectProblem extends FilePlace {
    readonly severity: 'error' | 'warning';
    readonly message: string;
}

export interface ProjectTrust extends TrustRequest {
    readonly place: string;
    readonly address?: string | undefined;
}

export interface PruneReport {
    readonly flow: StoredFlow;
    readonly removed: readonly string[];
    readonly kept: readonly string[];
    readonly deleted: readonly string[];
}

export interface RefreshReport {
    readonly read: number;
    readonly removed: number;
}

export type RepairAction = 'split-node' | 'mend-node' | 'merge-flow' | 'merge-config' | 'mend-flow' | 'rename-flow' | 'remove-missing' | 'set-aside' | 'write-maps' | 'write-metadata' | 'refresh-cache';

export interface RepairReport {
    readonly repaired: readonly Finding[];
    readonly left: readonly Finding[];
    readonly written: readonly string[];
    readonly setAside: readonly {
        readonly from: string;
        readonly to: string;
    }[];
}

export interface ReplayedEdit {
    readonly step: EditStep;
    readonly flows: readonly StoredFlow[];
    readonly deletedFlows: readonly string[];
}

export interface Retriever {
    readonly specVersion: 1;
    retrieve(query: string, options?: RetrieveOptions): Promise<readonly Passage[]>;
}

export type Role = 'system' | 'user' | 'assistant' | 'tool';

export interface Snippet {
    readonly text: string;
    readonly start: number;
    readonly highlights: readonly (readonly [
        start: number,
        end: number
    ])[];
}

export interface SplitFlow {
    readonly flow: StoredFlow;
    readonly created: StoredFlow;
}

export interface Storage extends AsyncDisposable {
    readonly specVersion: 1;
    readonly files: FileStore;
    readonly database: Database;
    readonly cache: Database;
    close(): Promise<void>;
}

export interface StoredFlow extends Flow {
    readonly file: string;
    readonly version: string;
}

export interface StoredNode extends VizNode {
    readonly file: string;
    readonly version: string;
}

export declare class StructureEditor {
    #private;
    constructor(project: Project, flows: FlowFiles, modelFor: (given: ChatModel | null | undefined) => ChatModel | undefined);
    relink(node: string, options: RelinkOptions): Promise<StoredFlow>;
    insertBetween(parent: string, child: string, node: string | NewNode, options?: EditOptions): Promise<StoredFlow>;
    deleteNodes(nodes: string | readonly string[], options?: DeleteNodesOptions): Promise<PruneReport>;
    prune(node: string, options?: PruneOptions): Promise<PruneReport>;
    keepPath(leaf: string, options?: KeepPathOptions): Promise<StoredFlow>;
    splitFlow(node: string, options?: PartOptions): Promise<SplitFlow>;
    extract(node: string, options?: PartOptions): Promise<StoredFlow>;
    tailFork(node: string, options?: TailForkOptions): Promise<StoredFlow>;
    copySubtree(node: string, options?: CopyOptions): Promise<CopiedSubtree>;
    mergeByStructure(parents: readonly string[], node: NewNode, options?: EditOptions): Promise<MergedNode>;
    mergeByContent(a: string, b: string, options: MergeByContentOptions): Promise<ContentMerge>;
    undo(options?: ReplayOptions): Promise<ReplayedEdit | undefined>;
    redo(options?: ReplayOptions): Promise<ReplayedEdit | undefined>;
    history(): Promise<EditHistory>;
    forget(options?: ForgetOptions): Promise<void>;
}

export interface TagCount {
    readonly tag: string;
    readonly nodes: number;
}

export interface Thread {
    readonly flow: StoredFlow;
    readonly headId: string | null;
    readonly messages: readonly ThreadItem[];
}

export type ThreadChange = {
    readonly type: 'append';
    readonly message: ThreadMessage;
    readonly parentId: string | null;
    readonly isHead?: boolean | undefined;
} | {
    readonly type: 'update' | 'edit';
    readonly message: ThreadMessage;
} | {
    readonly type: 'rename';
    readonly id: string;
    readonly to: string;
} | {
    readonly type: 'delete';
    readonly id: string;
} | {
    readonly type: 'head';
    readonly id: string | null;
};

export type ThreadChanges = readonly ThreadChange[] | ((thread: ThreadOutline) => readonly ThreadChange[]);

export interface ThreadItem {
    readonly parentId: string | null;
    readonly message: ThreadMessage;
}

export interface ThreadMessage {
    readonly id: string;
    readonly role: ThreadRole;
    readonly parts: readonly ThreadPart[];
    readonly speaker?: string | undefined;
    readonly model?: string | undefined;
    readonly status?: NodeStatus | undefined;
    readonly meta?: JsonObject | undefined;
}

export interface ThreadOutline {
    readonly headId: string | null;
    readonly messages: readonly ThreadPlace[];
    message(id: string): ThreadMessage | undefined;
}

export type ThreadPart = ThreadTextPart | Exclude<NodePart, TextRangePart>;

export type ThreadRole = 'user' | 'system' | 'assistant';

export interface TokenCounter {
    count(text: string): TokenCount;
}

export type TrustOption = boolean | ((request: TrustRequest) => boolean | Promise<boolean>);

export interface TrustUse {
    readonly kind: 'address' | 'key' | 'package' | 'command' | 'path' | 'memory';
    readonly text: string;
    readonly source: string;
}

export interface TurnRecorder {
    readonly specVersion: 1;
    record(turn: Turn): Promise<void>;
}

export type Unsubscribe = () => void;

export interface VizNode {
    readonly id: string;
    readonly timestamp: string;
    readonly prompt: string;
    readonly response: string;
    readonly model?: string;
    readonly stats: {
        readonly user?: NodeStats | undefined;
        readonly assistant?: NodeStats | undefined;
    };
    readonly summary: NodeSummary;
    readonly tags: readonly string[];
    readonly status?: NodeStatus;
    readonly speaker?: string;
    readonly source?: string;
    readonly promptParts: readonly NodePart[];
    readonly responseParts: readonly NodePart[];
    readonly unknown?: readonly XmlElement[];
}

export declare class VizPrompt implements EventSource<VizPromptEvents>, AsyncDisposable {
    #private;
    readonly structure: StructureEditor;
    private constructor();
    static open(where: string | OpenOptions, options?: Omit<OpenOptions, 'storage'>): Promise<VizPrompt>;
    static init(folder: string, options?: InitOptions): Promise<InitReport>;
    on<Name extends keyof VizPromptEvents>(name: Name, listener: Listener<VizPromptEvents[Name]>): Unsubscribe;
    once<Name extends keyof VizPromptEvents>(name: Name, listener: Listener<VizPromptEvents[Name]>): Unsubscribe;
    problems(): Promise<readonly ProjectProblem[]>;
    refresh(): Promise<RefreshReport>;
    watch(options?: WatchOptions): Promise<AsyncDisposable>;
    check(options?: CheckOptions): Promise<CheckReport>;
    repair(plan: CheckReport | readonly Finding[], options?: RepairOptions): Promise<RepairReport>;
    restoreBatch(file: string): Promise<readonly string[]>;
    createNode(node: NewNode, placement?: Placement): Promise<StoredNode>;
    getNode(id: string): Promise<StoredNode>;
    getNodeVersions(id: string): Promise<readonly StoredNode[]>;
    updateNode(id: string, patch: NodePatch, options?: NodeEditOptions): Promise<StoredNode>;
    deleteNode(id: string, options?: DeleteNodeOptions): Promise<void>;
    createFlow(options: NewFlowOptions): Promise<StoredFlow>;
    ensureFlow(options: NewFlowOptions): Promise<StoredFlow>;
    getFlow(flow?: string | FlowId): Promise<StoredFlow>;
    listFlows(query?: FlowQuery): Promise<readonly FlowSummary[]>;
    updateFlow(flow: string, patch: FlowPatch, options?: FlowEditOptions): Promise<StoredFlow>;
    deleteFlow(flow: string, options?: FlowEditOptions): Promise<void>;
    addNodeToFlow(flow: string, id: string, options?: AddOptions): Promise<StoredFlow>;
    removeNodeFromFlow(flow: string, id: string, options?: RemoveOptions): Promise<StoredFlow>;
    connectNodes(from: string, to: string, options?: ConnectOptions): Promise<StoredFlow>;
    disconnectNodes(from: string, to: string, options?: FlowChoice & FlowEditOptions): Promise<StoredFlow>;
    createBranch(from: string, node: NewNode, options?: BranchOptions): Promise<StoredNode>;
    rebuildFlow(flow: string, ids: readonly string[], options?: FlowEditOptions): Promise<StoredFlow>;
    readThread(flow: string | FlowId): Promise<Thread>;
    editThread(flow: string | FlowId, changes: ThreadChanges): Promise<ThreadOutline>;
    get hasModel(): boolean;
    chat(options: ChatOptions): ChatTurn;
    retry(id: string, options?: AskOptions): ChatTurn;
    edit(id: string, prompt: string, options?: AskOptions): ChatTurn;
    continue(id: string, options?: AskOptions): ChatTurn;
    buildContext(options: ContextOptions): Promise<BuiltContext>;
    searchNodes(query: NodeQuery): Promise<readonly NodeHit[]>;
    listTags(): Promise<readonly TagCount[]>;
    build(options?: BuildOptions): Promise<BuildReport>;
    buildSummary(id: string, options?: Pick<BuildOptions, 'model'>): Promise<StoredNode>;
    importConversations(source: ImportSource, options?: ImportOptions): Promise<ImportReport>;
    exportFlow(flow: string, options: ExportOptions): Promise<string>;
    toText(flow?: string, options?: TextMapOptions): Promise<string>;
    recorder(): TurnRecorder;
    retriever(): Retriever;
    eraseSpeaker(options: EraseOptions): Promise<ErasureReport>;
    vacuum(options?: VacuumOptions): Promise<ErasureReport>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export declare class VizPromptError extends CodedError<VizPromptErrorCode> {
    constructor(code: VizPromptErrorCode, message: string, details?: ErrorDetails);
    static isInstance(value: unknown): value is VizPromptError;
}

export type VizPromptErrorCode = 'project-not-found' | 'node-not-found' | 'flow-not-found' | 'node-invalid' | 'flow-invalid' | 'config-invalid' | 'cycle' | 'exists' | 'invalid-input' | 'too-large' | 'locked' | 'conflict' | 'read-only' | 'import-unreadable' | 'closed';

export interface VizPromptEvents {
    'node:created': {
        readonly node: StoredNode;
    };
    'node:updated': {
        readonly node: StoredNode;
    };
    'node:deleted': {
        readonly id: string;
    };
    'node:collided': {
        readonly id: string;
        readonly files: readonly string[];
    };
    'flow:created': {
        readonly flow: StoredFlow;
    };
    'flow:updated': {
        readonly flow: StoredFlow;
    };
    'flow:deleted': {
        readonly id: string;
    };
    'problem:found': ProjectProblem;
    'index:progress': Progress;
    'map:repaired': {
        readonly file: string;
    };
    'import:progress': Progress & {
        readonly nodes: number;
    };
    'import:skipped': {
        readonly entry: string;
        readonly reason: string;
    };
    'build:progress': Progress;
    'check:progress': Progress;
    'build:failed': {
        readonly id: string;
        readonly error: unknown;
    };
}

export interface WatchOptions {
    readonly pollMs?: number | undefined;
    readonly onError?: ((error: unknown) => void) | undefined;
}

export declare function formatPlace({ file, line, column }: FilePlace): string;

export declare function readProjectTrust(folder: string): Promise<ProjectTrust>;

// @vizprompt/core/ai-sdk

export interface AnswerStreams {
    createNewResumableStream(id: string, makeStream: () => ReadableStream<string>): Promise<unknown>;
    resumeExistingStream(id: string): Promise<ReadableStream<string> | null | undefined>;
}

export interface AnyUIMessage {
    readonly id: string;
    readonly role: 'system' | 'user' | 'assistant';
    readonly metadata?: unknown;
    readonly parts: readonly {
        readonly type: string;
    }[];
}

export interface ChatAccessOptions {
    readonly owner?: ((request: Request) => string | undefined | Promise<string | undefined>) | undefined;
    readonly authorize?: ((request: Request, chat: RequestedChat) => boolean | Promise<boolean>) | undefined;
    readonly maxBytes?: number | undefined;
}

export declare class ChatError extends CodedError<ChatErrorCode> {
    readonly status: number;
    constructor(code: ChatErrorCode, message: string, details?: ErrorDetails);
    toResponse(): Response;
    static isInstance(value: unknown): value is ChatError;
}

export type ChatErrorCode = 'invalid-request' | 'chat-not-found' | 'too-large';

export interface ChatPage {
    readonly chats: readonly ListedChat[];
    readonly next?: FlowSummary;
}

export interface ChatReadOptions {
    readonly request?: Request | undefined;
}

export declare class ChatStore<Message extends AnyUIMessage = UIMessage> {
    #private;
    constructor(vizprompt: VizPrompt, options: ChatStoreOptions);
    receive(request: Request): Promise<ReceivedTurn<Message>>;
    handler(answer: (turn: ReceivedTurn<Message>, request: Request) => Response | Promise<Response>): (request: Request) => Promise<Response>;
    resume(id: string, options: ChatReadOptions): Promise<Response>;
    load(id: string, options?: ChatReadOptions & {
        readonly leaf?: string | undefined;
    }): Promise<Message[]>;
    siblings(id: string, messageId: string, options?: ChatReadOptions): Promise<Siblings<Message>>;
    switchTo(id: string, messageId: string, options?: ChatReadOptions): Promise<Message[]>;
    list(options?: ChatReadOptions & Pick<FlowQuery, 'limit' | 'after' | 'owner'>): Promise<ChatPage>;
    flow(id: string, options?: ChatReadOptions): Promise<StoredFlow>;
}

export interface ChatStoreOptions extends ChatAccessOptions {
    readonly clientTools?: readonly string[] | ((tool: string) => boolean) | undefined;
    readonly streams?: AnswerStreams | undefined;
}

export interface FinishedAnswer<Message> {
    readonly responseMessage: Message;
    readonly isContinuation?: boolean;
    readonly isAborted?: boolean;
    readonly outcome?: {
        readonly status: string;
    };
    readonly finishReason?: string | undefined;
}

export interface FlowSummary {
    readonly id: string;
    readonly name: string;
    readonly alias?: string;
    readonly file: string;
    readonly updated: string;
    readonly nodes: number;
    readonly connections: number;
    readonly source?: string;
    readonly owner?: string;
    readonly meta?: JsonObject;
}

export interface ReceivedTurn<Message> {
    readonly id: string;
    readonly flow: string;
    readonly messages: Message[];
    readonly streamOptions: ChatStreaming<Message>;
}

export interface RequestedChat {
    readonly id: string;
    readonly owner?: string;
    readonly isNew: boolean;
}

export interface Siblings<Message> {
    readonly messages: readonly Message[];
    readonly index: number;
}

export declare function answerStreams(): AnswerStreams;

export declare function chatStore<Message extends AnyUIMessage = UIMessage>(vizprompt: VizPrompt, options?: ChatStoreOptions): ChatStore<Message>;

// @vizprompt/core/assistant-ui

export interface ChatAccessOptions {
    readonly owner?: ((request: Request) => string | undefined | Promise<string | undefined>) | undefined;
    readonly authorize?: ((request: Request, chat: RequestedChat) => boolean | Promise<boolean>) | undefined;
    readonly maxBytes?: number | undefined;
}

export interface RequestedChat {
    readonly id: string;
    readonly owner?: string;
    readonly isNew: boolean;
}

export interface ThreadRoutes {
    readonly GET: ThreadHandler;
    readonly POST: ThreadHandler;
    readonly PUT: ThreadHandler;
    readonly PATCH: ThreadHandler;
    readonly DELETE: ThreadHandler;
}

export declare function threadRoutes(vizprompt: VizPrompt, options?: ChatAccessOptions): ThreadRoutes;

// @vizprompt/core/assistant-ui/client

export interface FormattedHistory<Message> {
    load(): Promise<{
        headId?: string | null;
        messages: HistoryItem<Message>[];
    }>;
    append(item: HistoryItem<Message>): Promise<void>;
    update(item: HistoryItem<Message>): Promise<void>;
    delete(items: HistoryItem<Message>[]): Promise<void>;
}

export interface HistoryItem<Message> {
    parentId: string | null;
    message: Message;
}

export interface MessageFormat<Message, Content> {
    format: string;
    encode(item: HistoryItem<Message>): Content;
    decode(stored: Entry<Content>): HistoryItem<Message>;
    getId(message: Message): string;
}

export interface OpenThread {
    readonly threadListItem: {
        getState(): {
            readonly remoteId?: string | undefined;
        };
        initialize(): Promise<{
            readonly remoteId: string;
        }>;
    };
}

export interface ThreadHistory<Message> extends FormattedHistory<Message> {
    withFormat<Other, Content extends Record<string, unknown>>(format: MessageFormat<Other, Content>): FormattedHistory<Other>;
}

export interface ThreadMetadata {
    readonly remoteId: string;
    readonly status: 'regular' | 'archived';
    readonly title?: string | undefined;
    readonly externalId?: string | undefined;
    readonly lastMessageAt?: Date | undefined;
    readonly custom?: Record<string, unknown> | undefined;
}

export interface ThreadPage {
    readonly threads: ThreadMetadata[];
    readonly nextCursor?: string | undefined;
}

export interface Threads {
    list(page?: {
        after?: string | undefined;
    }): Promise<ThreadPage>;
    initialize(threadId: string, options?: {
        custom?: Record<string, unknown> | undefined;
    }): Promise<{
        remoteId: string;
        externalId?: string | undefined;
    }>;
    fetch(remoteId: string): Promise<ThreadMetadata>;
    rename(remoteId: string, title: string): Promise<void>;
    updateCustom(remoteId: string, custom: Record<string, unknown> | undefined): Promise<void>;
    archive(remoteId: string): Promise<void>;
    unarchive(remoteId: string): Promise<void>;
    delete(remoteId: string): Promise<void>;
    history<Message extends {
        readonly id: string;
    }>(thread: OpenThread | string | (() => string | Promise<string>)): ThreadHistory<Message>;
}

export interface ThreadsOptions {
    readonly api: string;
    readonly headers?: (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>) | undefined;
    readonly fetch?: typeof globalThis.fetch | undefined;
}

export declare function vizPromptThreads({ api, headers, fetch: given }: ThreadsOptions): Threads;

// @vizprompt/core/openai-agents

export interface AgentsSession<Item extends object> {
    getSessionId(): Promise<string>;
    getItems(limit?: number): Promise<Item[]>;
    addItems(items: Item[]): Promise<void>;
    popItem(): Promise<Item | undefined>;
    clearSession(): Promise<void>;
    applyHistoryMutations(args: HistoryMutationArgs<Item>): Promise<void>;
    applyHistoryTransaction(args: HistoryTransactionArgs<Item>): Promise<void>;
}

export interface AgentsSessionOptions {
    readonly id: string;
    readonly name?: string | undefined;
    readonly owner?: string | undefined;
}

export interface HistoryMutationArgs<Item> {
    readonly mutations: readonly {
        readonly type: 'replace_function_call';
        readonly callId: string;
        readonly replacement: Item;
    }[];
}

export type HistoryTransaction<Item> = {
    readonly type: 'append_items';
    readonly items: readonly Item[];
} | {
    readonly type: 'replace_suffix';
    readonly expectedSuffix: readonly Item[];
    readonly replacement: readonly Item[];
};

export interface HistoryTransactionArgs<Item> {
    readonly operationId: string;
    readonly transaction: HistoryTransaction<Item>;
}

export declare function agentsSession<Item extends object>(vizprompt: VizPrompt, options: AgentsSessionOptions): AgentsSession<Item>;

// @vizprompt/core/websocket

export interface AttachedWebSocket extends AsyncDisposable {
    readonly clients: number;
    close(): Promise<void>;
}

export type Logger = {
    readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void;
};

export interface ServeWebSocketOptions extends WebSocketOptions {
    readonly port?: number | undefined;
    readonly host?: string | undefined;
}

export interface WebSocketLimits {
    readonly maxClients?: number | undefined;
    readonly maxClientsPerAddress?: number | undefined;
    readonly maxMessageBytes?: number | undefined;
    readonly maxBufferedBytes?: number | undefined;
    readonly maxMessagesPerSecond?: number | undefined;
    readonly maxLongActions?: number | undefined;
    readonly maxSubscriptions?: number | undefined;
}

export interface WebSocketOptions {
    readonly path?: string | undefined;
    readonly token?: string | undefined;
    readonly allowedHosts?: readonly string[] | undefined;
    readonly allowedOrigins?: readonly string[] | undefined;
    readonly limits?: WebSocketLimits | undefined;
    readonly pingMs?: number | undefined;
    readonly closeTimeoutMs?: number | undefined;
    readonly logger?: Logger | undefined;
}

export interface WebSocketService extends AttachedWebSocket {
    readonly url: string;
}

export declare function asyncApiDocument(): JsonObject;

export declare function attachWebSocket(vizprompt: VizPrompt, server: Server | SecureServer, options?: WebSocketOptions): Promise<AttachedWebSocket>;

export declare function serveWebSocket(vizprompt: VizPrompt, options?: ServeWebSocketOptions): Promise<WebSocketService>;
