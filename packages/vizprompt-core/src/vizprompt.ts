import type {
  ChatModel,
  EraseOptions,
  ErasureReport,
  EventSource,
  Retriever,
  TurnRecorder,
} from '@vizprompt/providers';
import type { Listener, Unsubscribe } from '@vizprompt/providers/internal';
import type { BuildReport } from './build/build.ts';
import { ChatService } from './chat/chat-service.ts';
import type { AskOptions, ChatOptions, ChatTurn } from './chat/chat-turn.ts';
import { createRecorder } from './chat/recorder.ts';
import { checkCall } from './check-call.ts';
import { assertOpened } from './input-kinds.ts';
import type { ContextOptions, BuiltContext } from './context/context-options.ts';
import type {
  CheckOptions,
  CheckReport,
  Finding,
  RepairOptions,
  RepairReport,
} from './doctor/findings.ts';
import type { ProjectProblem } from './errors.ts';
import type { VizPromptEvents } from './events.ts';
import type { ExportOptions, TextMapOptions } from './export/export-options.ts';
import { MAIN_FLOW, type StoredFlow } from './flow/flow.ts';
import { FlowFiles } from './graph/flow-files.ts';
import {
  type AddOptions,
  type ConnectOptions,
  type FlowChoice,
  type FlowId,
  type FlowPatch,
  type FlowQuery,
  FlowService,
  type FlowSummary,
  type NewFlowOptions,
  type RemoveOptions,
} from './graph/flow-service.ts';
import {
  type BranchOptions,
  type DeleteNodeOptions,
  NodeService,
  type Placement,
} from './graph/node-service.ts';
import type { FlowEditOptions, NodeEditOptions } from './graph/preconditions.ts';
import type { ImportSource } from './import/read-source.ts';
import type { ImportOptions, ImportReport } from './import/import-options.ts';
import type { RefreshReport } from './index/refresh.ts';
import type { NewNode, NodePatch } from './node/edit-node.ts';
import type { StoredNode } from './node/node.ts';
import type { OpenOptions } from './project/options.ts';
import type { Project } from './project/project.ts';
import { restoreBatch } from './project/set-aside.ts';
import {
  createRetriever,
  type NodeHit,
  type NodeQuery,
  searchNodes,
} from './search/search-nodes.ts';
import type { BuildOptions, InitOptions, VacuumOptions } from './method-options.ts';
import type { InitReport } from './sharing/init-project.ts';
import { StructureEditor } from './structure-editor.ts';
import { type ThreadChanges, ThreadService } from './thread/thread-service.ts';
import type { Thread, ThreadOutline } from './thread/thread.ts';
import {
  closeProject,
  type OpenedProject,
  openFolder,
  openOnStorage,
  refreshProject,
} from './write/open-project.ts';
import { ProjectWatch, type WatchOptions } from './write/watch.ts';

/** A tag and how many nodes have it. */
export interface TagCount {
  readonly tag: string;
  readonly nodes: number;
}

/**
 * A project: conversations as graphs of prompt/response nodes, on plain files.
 *
 * Every write takes the lock of the project for that write alone, so several processes may work on
 * one project. Values that a method returns are durable.
 *
 * @example
 * ```ts
 * await using vizprompt = await VizPrompt.open('./my-project');
 * const node = await vizprompt.createNode({ prompt: '質問', response: '回答' });
 * const [hit] = await vizprompt.searchNodes({ text: '回答' });
 * ```
 */
export class VizPrompt implements EventSource<VizPromptEvents>, AsyncDisposable {
  /** Edits of the structure: relink, insert, split, prune, copy, merge; and undo and redo. */
  readonly structure: StructureEditor;
  readonly #opened: OpenedProject;
  readonly #project: Project;
  readonly #files: FlowFiles;
  readonly #nodes: NodeService;
  readonly #flows: FlowService;
  readonly #chat: ChatService;
  readonly #threads: ThreadService;
  #isClosed = false;

  private constructor(opened: OpenedProject) {
    assertOpened(opened, 'project', 'VizPrompt.open(folder)');
    const { project, model } = opened;
    this.#opened = opened;
    this.#project = project;
    this.#files = new FlowFiles(project);
    this.#nodes = new NodeService(project, this.#files);
    this.#flows = new FlowService(project, this.#files);
    this.#chat = new ChatService({
      project,
      files: this.#files,
      nodes: this.#nodes,
      flows: this.#flows,
      model,
    });
    this.#threads = new ThreadService(project, this.#files);
    this.structure = new StructureEditor(project, this.#files, (given) => this.#modelFor(given));
  }

  /**
   * Opens a project, making it when there is none. Only files that changed since it was open last
   * are read; files that are broken are reported (`problem:found`, {@link VizPrompt.problems}) and
   * the rest is open.
   *
   * A folder that is there and cannot be written, for its disk is full or mounted for reading, is opened as with
   * `lock: 'read-only'`, and the logger is warned.
   *
   * @param where - The folder, or the storage and more.
   * @throws VizPromptError with the code `config-invalid` and the place in `config.yaml`, or
   * `project-not-found`, or `locked` if another process has it exclusively; StorageError if the folder cannot
   * be used.
   */
  static async open(
    where: string | OpenOptions,
    options: Omit<OpenOptions, 'storage'> = {},
  ): Promise<VizPrompt> {
    if (typeof where === 'string') {
      checkCall('open', options);
      return new VizPrompt(await openFolder(where, options));
    }
    const all = { ...options, ...where };
    checkCall('open({ storage })', where, all);
    return new VizPrompt(await openOnStorage(all));
  }

  /** Makes a project, or sets one up for several people who share it by git; again does no harm. */
  static async init(folder: string, options: InitOptions = {}): Promise<InitReport> {
    checkCall('init', folder, options);
    const { initProject } = await import('./upkeep.ts');
    return initProject(folder, options, async () => {
      await using vizprompt = await VizPrompt.open(folder);
      const flows = await vizprompt.listFlows();
      if (flows.some(({ name, alias }) => (alias ?? name) === MAIN_FLOW)) return undefined;
      return (await vizprompt.createFlow({ name: MAIN_FLOW, alias: MAIN_FLOW })).file;
    });
  }

  on<Name extends keyof VizPromptEvents>(
    name: Name,
    listener: Listener<VizPromptEvents[Name]>,
  ): Unsubscribe {
    return this.#project.events.on(name, listener);
  }

  once<Name extends keyof VizPromptEvents>(
    name: Name,
    listener: Listener<VizPromptEvents[Name]>,
  ): Unsubscribe {
    return this.#project.events.once(name, listener);
  }

  /** Lists what is wrong with the files of the project, as they were when they were read. */
  async problems(): Promise<readonly ProjectProblem[]> {
    return this.#project.problems();
  }

  /** Reads what other programs, such as git or an editor, changed in the files meanwhile. */
  async refresh(): Promise<RefreshReport> {
    this.#project.assertOpen();
    return refreshProject(this.#project);
  }

  /**
   * From now on, emits events for the writes of others to the project too: other processes, git, an editor.
   * Nodes and flows that they make, change or delete come within `pollMs`, each as it is then: steps in
   * between are not reported. Writes of this process come once, as ever.
   *
   * @returns A function that ends it; the end of the project does, too.
   * @throws VizPromptError with the code `invalid-input` for a `pollMs` that makes no sense.
   *
   * @example
   * ```ts
   * await using watch = await vizprompt.watch({ pollMs: 500 });
   * vizprompt.on('node:created', ({ node }) => console.log(node.prompt));
   * ```
   */
  async watch(options: WatchOptions = {}): Promise<AsyncDisposable> {
    this.#project.assertOpen();
    checkCall('watch', options);
    return ProjectWatch.start(this.#project, options);
  }

  /** Reads all files, and says what is wrong with them and what {@link VizPrompt.repair} would do. */
  async check(options: CheckOptions = {}): Promise<CheckReport> {
    checkCall('check', options);
    return this.#project.begin(import('./upkeep.ts'), ({ check }) => check(this.#project, options));
  }

  /** Does what findings propose, all of them or some; nothing that was said is deleted. */
  async repair(
    plan: CheckReport | readonly Finding[],
    options: RepairOptions = {},
  ): Promise<RepairReport> {
    checkCall('repair', plan, options);
    return this.#project.begin(import('./upkeep.ts'), ({ repair }) =>
      repair(this.#project, plan, options),
    );
  }

  /**
   * Applies a batch that was set aside because it is not proved that this user wrote it here: one that
   * version 0.1 left unfinished, or that was pending when the folder was moved.
   *
   * @param file - As a problem names it, such as `.vizprompt/set-aside/batch-1f….journal`. It stays.
   * @returns The files that were written or deleted.
   * @throws VizPromptError with the code `invalid-input` if it changes other files than a project has;
   * StorageError with the code `invalid-key` or `corrupt` for a file that is no such batch.
   */
  async restoreBatch(file: string): Promise<readonly string[]> {
    checkCall('restoreBatch', file);
    return restoreBatch(this.#project, this.#opened.own?.folder, file);
  }

  /**
   * Makes a node. It joins the flow after its head, so that conversations continue in a straight line
   * by default, and becomes the new head.
   *
   * @throws VizPromptError with the code `flow-not-found`, `node-not-found` (for `after`) or
   * `invalid-input`.
   */
  async createNode(node: NewNode, placement: Placement = {}): Promise<StoredNode> {
    checkCall('createNode', node, placement);
    return this.#nodes.create(node, placement);
  }

  /** @throws VizPromptError with the code `node-not-found`. */
  async getNode(id: string): Promise<StoredNode> {
    checkCall('getNode', id);
    return this.#nodes.get(id);
  }

  /** Returns the nodes of all files that carry an id, the newest first; the first is the node. */
  async getNodeVersions(id: string): Promise<readonly StoredNode[]> {
    checkCall('getNodeVersions', id);
    return this.#nodes.versions(id);
  }

  /**
   * Changes a node in its file. A change of its text makes its summary outdated.
   *
   * @throws VizPromptError with the code `node-not-found`, or `conflict` and what changed.
   */
  async updateNode(
    id: string,
    patch: NodePatch,
    options: NodeEditOptions = {},
  ): Promise<StoredNode> {
    checkCall('updateNode', id, patch, options);
    return this.#nodes.update(id, patch, options);
  }

  /**
   * Deletes a node, all versions of it, and takes it out of all flows. Its parents are connected to
   * its children unless `join` is `false`.
   *
   * @throws VizPromptError with the code `node-not-found`.
   */
  async deleteNode(id: string, options: DeleteNodeOptions = {}): Promise<void> {
    checkCall('deleteNode', id, options);
    return this.#nodes.delete(id, options.join ?? true);
  }

  /** @throws VizPromptError with the code `exists` if the alias or the id is taken. */
  async createFlow(options: NewFlowOptions): Promise<StoredFlow> {
    checkCall('createFlow', options);
    return this.#flows.create(options);
  }

  /**
   * Returns the flow with an id or an alias, and creates it if there is none; what exists is not changed. Several calls
   * at once create one.
   *
   * @throws VizPromptError with the code `invalid-input` without `id` and `alias`.
   *
   * @example
   * ```ts
   * const flow = await vizprompt.ensureFlow({ alias: `discord:${channel.id}`, name: channel.name });
   * ```
   */
  async ensureFlow(options: NewFlowOptions): Promise<StoredFlow> {
    checkCall('ensureFlow', options);
    return this.#flows.ensure(options);
  }

  /**
   * @param flow - Its id, its alias, its file name or its name; or `{ id }`, which is never taken for another name:
   * for ids that come from clients. Default: `'main'`.
   * @throws VizPromptError with the code `flow-not-found`, or `flow-invalid` and the place.
   */
  async getFlow(flow: string | FlowId = MAIN_FLOW): Promise<StoredFlow> {
    checkCall('getFlow', flow);
    return this.#flows.get(flow);
  }

  /**
   * Lists the flows that can be understood, in the order of their files.
   *
   * @example
   * ```ts
   * const page = await vizprompt.listFlows({ owner: user.id, order: 'updated', limit: 20 });
   * const next = await vizprompt.listFlows({ owner: user.id, order: 'updated', limit: 20, after: page.at(-1) });
   * ```
   */
  async listFlows(query: FlowQuery = {}): Promise<readonly FlowSummary[]> {
    checkCall('listFlows', query);
    return this.#flows.list(query);
  }

  /**
   * Renames a flow, describes it, or moves its head to another node, from which it then continues.
   *
   * @throws VizPromptError with the code `node-not-found` or `exists`.
   */
  async updateFlow(
    flow: string,
    patch: FlowPatch,
    options: FlowEditOptions = {},
  ): Promise<StoredFlow> {
    checkCall('updateFlow', flow, patch, options);
    return this.#flows.update(flow, patch, options);
  }

  /** Deletes a flow; its nodes stay. */
  async deleteFlow(flow: string, options: FlowEditOptions = {}): Promise<void> {
    checkCall('deleteFlow', flow, options);
    return this.#flows.delete(flow, options);
  }

  /**
   * Puts a node into a flow, after its head or after the given nodes. One that is in it already
   * stays where it is.
   */
  async addNodeToFlow(flow: string, id: string, options: AddOptions = {}): Promise<StoredFlow> {
    checkCall('addNodeToFlow', flow, id, options);
    return this.#flows.addNode(flow, id, options);
  }

  /** Takes a node out of a flow; the node itself stays. */
  async removeNodeFromFlow(
    flow: string,
    id: string,
    options: RemoveOptions = {},
  ): Promise<StoredFlow> {
    checkCall('removeNodeFromFlow', flow, id, options);
    return this.#flows.removeNode(flow, id, options);
  }

  /**
   * Connects two nodes; those that are not in the flow join it. A node to which several lead is a
   * merge.
   *
   * @throws VizPromptError with the code `cycle` and the circle that would be closed.
   */
  async connectNodes(from: string, to: string, options: ConnectOptions = {}): Promise<StoredFlow> {
    checkCall('connectNodes', from, to, options);
    return this.#flows.connect(from, to, options);
  }

  /** Takes a connection away; without it already, nothing happens. */
  async disconnectNodes(
    from: string,
    to: string,
    options: FlowChoice & FlowEditOptions = {},
  ): Promise<StoredFlow> {
    checkCall('disconnectNodes', from, to, options);
    return this.#flows.disconnect(from, to, options);
  }

  /**
   * Begins a branch: makes a node that continues from `from`, next to those that do already, and becomes
   * the head. Default for `flow`: the one flow that `from` is in.
   *
   * @throws VizPromptError with the code `node-not-found`.
   */
  async createBranch(
    from: string,
    node: NewNode,
    options: BranchOptions = {},
  ): Promise<StoredNode> {
    checkCall('createBranch', from, node, options);
    return this.#nodes.create(node, { ...options, after: from });
  }

  /** Makes a flow one straight line of these nodes; the nodes that were in it stay as they are. */
  async rebuildFlow(
    flow: string,
    ids: readonly string[],
    options: FlowEditOptions = {},
  ): Promise<StoredFlow> {
    checkCall('rebuildFlow', flow, ids, options);
    return this.#flows.rebuild(flow, ids, options);
  }

  /**
   * Reads a flow as a tree of messages, for programs that know no nodes: a question and its answer are two messages, and
   * answers to one question are siblings. A node with several parents follows its main one alone.
   *
   * @throws VizPromptError with the code `flow-not-found`.
   */
  async readThread(flow: string | FlowId): Promise<Thread> {
    checkCall('readThread', flow);
    return this.#threads.read(flow);
  }

  /**
   * Changes a flow as a tree of messages: all changes and the new head are written at once, or nothing. A message is known
   * by its own id, so it may be appended as often as it likes, by any number of processes: it is there once.
   *
   * @param changes - Applied in order; or a function that returns them for the current thread, while no other
   * process writes.
   * @returns The messages of the thread afterwards, without what they say.
   * @throws VizPromptError with the code `flow-not-found`, or `invalid-input` for a message that is not in the thread.
   *
   * @example
   * ```ts
   * await vizprompt.editThread({ id: flow.id }, [
   *   { type: 'append', parentId: null, message: { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] } },
   * ]);
   * ```
   */
  async editThread(flow: string | FlowId, changes: ThreadChanges): Promise<ThreadOutline> {
    checkCall('editThread', flow, changes);
    return this.#threads.edit(flow, changes);
  }

  /**
   * Checks whether there is a model to ask: one that was given, or that `config.yaml` names, with a registry.
   *
   * @throws LLMError with the code `not_found` if the registry does not know the one that is named;
   * TrustError with the code `untrusted` if it needs consent, see the option `trust`.
   */
  get hasModel(): boolean {
    return this.#opened.model() !== undefined;
  }

  /**
   * Asks a model, with the context of the conversation. The prompt is on the disk before the answer
   * begins, and the answer when it ends, with tokens, seconds and rate; one that fails or is stopped
   * keeps what had come, marked. Where the failure is known beforehand, nothing is written,
   * and the error says so.
   *
   * @throws VizPromptError with the code `invalid-input`, at once; LLMError of the model, or `aborted`,
   * while it is iterated.
   */
  chat(options: ChatOptions): ChatTurn {
    checkCall('chat', options);
    return this.#chat.chat(options);
  }

  /** Asks the same again: the answer becomes a sibling of the node. */
  retry(id: string, options: AskOptions = {}): ChatTurn {
    checkCall('retry', id, options);
    return this.#chat.regenerate(id, undefined, options);
  }

  /** Asks something else instead of a node: a sibling with another prompt. */
  edit(id: string, prompt: string, options: AskOptions = {}): ChatTurn {
    checkCall('edit', id, prompt, options);
    return this.#chat.regenerate(id, prompt, options);
  }

  /** Continues with an answer that was cut off; the rest joins the node. */
  continue(id: string, options: AskOptions = {}): ChatTurn {
    checkCall('continue', id, options);
    return this.#chat.continue(id, options);
  }

  /**
   * Builds the messages of a model for a prompt, within a budget of tokens: the node before it in
   * full, earlier ones as summaries, in full where the prompt is about them.
   *
   * @throws VizPromptError with the code `flow-not-found`, `node-not-found`, or `invalid-input` if
   * prompt, instructions and pins alone exceed the budget.
   */
  async buildContext(options: ContextOptions): Promise<BuiltContext> {
    this.#project.assertOpen();
    checkCall('buildContext', options);
    const { buildContext } = await import('./chat/context-and-answer.ts');
    return buildContext(this.#project, this.#files, options);
  }

  /**
   * Searches nodes: by words the best first, otherwise the newest first.
   *
   * @example
   * ```ts
   * await vizprompt.searchNodes({ text: '認証 JWT', tags: ['設計'], after: '2026-01-01' });
   * ```
   */
  async searchNodes(query: NodeQuery): Promise<readonly NodeHit[]> {
    this.#project.assertOpen();
    checkCall('searchNodes', query);
    return searchNodes(this.#project, query);
  }

  /** All tags, those of the most nodes first. */
  async listTags(): Promise<readonly TagCount[]> {
    this.#project.assertOpen();
    return this.#project.index.nodes.tags();
  }

  /**
   * Makes summaries (30 to 50 words), tags (3 to 7) and keywords for all nodes whose summary is
   * outdated. Without a model they are taken from the text. A node that fails stays outdated.
   *
   * @throws the reason of `signal`. Nodes that were built until then stay.
   */
  async build(options: BuildOptions = {}): Promise<BuildReport> {
    this.#project.assertOpen();
    checkCall('build', options);
    return this.#project.begin(import('./summaries.ts'), ({ build }) =>
      build(this.#project, this.#modelFor(options.model), options),
    );
  }

  /**
   * Makes the summary, tags and keywords of one node, outdated or not.
   *
   * @throws VizPromptError with the code `node-not-found`, and what the model throws.
   */
  async buildSummary(id: string, options: Pick<BuildOptions, 'model'> = {}): Promise<StoredNode> {
    checkCall('buildSummary', id, options);
    const node = await this.#nodes.get(id);
    return this.#project.begin(import('./summaries.ts'), ({ buildOne }) =>
      buildOne(this.#project, this.#modelFor(options.model), node),
    );
  }

  /**
   * Imports conversations, branches included: exports of ChatGPT, Claude, Open WebUI and LibreChat,
   * messages in OpenAI's form, sessions of pi and Claude Code, and VizPrompt's own JSON and folders.
   * The source is a file, a folder, the zip archive itself, or what was parsed already. Each
   * conversation becomes a flow; what is broken is reported and left out. Importing again adds only
   * what is new.
   *
   * @throws VizPromptError with the code `import-unreadable` if there is no conversation.
   *
   * @example
   * ```ts
   * const report = await vizprompt.importConversations('./chatgpt-export.zip');
   * console.log(report.conversations, report.skipped);
   * ```
   */
  async importConversations(
    source: ImportSource,
    options: ImportOptions = {},
  ): Promise<ImportReport> {
    this.#project.assertOpen();
    checkCall('importConversations', source, options);
    return this.#project.begin(
      import('./import/import-conversations.ts'),
      ({ importConversations }) => importConversations(this.#project, source, options),
    );
  }

  /**
   * Writes a flow in a form for other programs or for people; {@link ExportFormat} names them.
   *
   * @param flow - Its id, its alias, its file name or its name.
   * @throws VizPromptError with the code `flow-not-found` or `invalid-input`; PeerError with the
   * command to install it if `svg` misses `@viz-js/viz`.
   */
  async exportFlow(flow: string, options: ExportOptions): Promise<string> {
    checkCall('exportFlow', flow, options);
    const { exportFlow } = await import('./export/export-flow.ts');
    return exportFlow(this.#project, await this.#flows.get(flow), options);
  }

  /**
   * Returns a map of the branches of a flow, for terminals; `*` marks the head, `⇠ 5` a merge with node 5.
   *
   * @param flow - Its id, its alias, its file name or its name. Default: `'main'`.
   */
  async toText(flow: string = MAIN_FLOW, options: TextMapOptions = {}): Promise<string> {
    checkCall('toText', flow, options);
    const { flowAsText } = await import('./export/export-flow.ts');
    return flowAsText(this.#project, await this.#flows.get(flow), options);
  }

  /**
   * Keeps the turns of conversations that are led elsewhere: each becomes a flow, turns side by side
   * become branches, and a turn that followed several a merge. Recorded again, a turn is replaced.
   */
  recorder(): TurnRecorder {
    return createRecorder(this.#project);
  }

  /** Finds nodes for a question; it can filter by `tags`, `keywords`, `model`, `after` and `before`. */
  retriever(): Retriever {
    return createRetriever(this.#project);
  }

  /**
   * Erases what a speaker said: each text is replaced by `[erased]`, and so are copies of it in what others said, in the
   * history and in files that were set aside. Summaries, tags and keywords that were derived from it go; nodes keep
   * their ids and places in flows. No byte of it remains in the files of the project. An erasure that was interrupted
   * is finished by calling it again.
   *
   * @returns The places that were erased, and those that only people can erase, such as the history of git.
   * @throws VizPromptError with the code `locked`; StorageError with the code `busy` if another process reads for too
   * long, after which it is called again.
   *
   * @example
   * ```ts
   * const { erased } = await vizprompt.eraseSpeaker({ speaker: 'Alice', dryRun: true });
   * await vizprompt.eraseSpeaker({ speaker: 'Alice' });
   * ```
   */
  async eraseSpeaker(options: EraseOptions): Promise<ErasureReport> {
    this.#project.assertOpen();
    checkCall('eraseSpeaker', options);
    return this.#project.begin(import('./upkeep.ts'), ({ eraseSpeaker }) =>
      eraseSpeaker(this.#project, this.#files, this.#opened.own?.folder, options),
    );
  }

  /**
   * Removes every byte of what was deleted or replaced: the history that undoes it, files that a repair set aside,
   * attachments that no node names, and what caches, indexes and journals still hold of it. Nothing can be undone
   * afterwards.
   *
   * @example
   * ```ts
   * await vizprompt.deleteNode(node.id);
   * await vizprompt.vacuum();
   * ```
   */
  async vacuum(options: VacuumOptions = {}): Promise<ErasureReport> {
    this.#project.assertOpen();
    checkCall('vacuum', options);
    return this.#project.begin(import('./upkeep.ts'), ({ vacuum }) =>
      vacuum(this.#project, this.#opened.own?.folder, options),
    );
  }

  #modelFor(given: ChatModel | null | undefined): ChatModel | undefined {
    return given === undefined ? this.#opened.model() : (given ?? undefined);
  }

  /**
   * Ends the work with the project. Answers that are on their way are stopped, and what had come is
   * kept. Calls after it fail with the code `closed`.
   */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await closeProject(this.#opened);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
