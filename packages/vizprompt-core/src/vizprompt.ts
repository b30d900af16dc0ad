import { resolve } from 'node:path';
import type { ChatModel, EraseOptions, ErasureReport, Storage } from '@vizprompt/providers';
import { checkCall } from './arguments/check-call.ts';
import { build, buildOne, type BuildOptions, type BuildReport } from './build/build.ts';
import { ChatService } from './chat/chat-service.ts';
import type { AskOptions, ChatOptions } from './chat/chat-options.ts';
import type { ChatTurn } from './chat/chat-turn.ts';
import { buildContext } from './context/build-context.ts';
import type { ContextOptions } from './context/context-options.ts';
import type { BuiltContext } from './context/context-report.ts';
import { eraseSpeaker } from './erase/erase-speaker.ts';
import { vacuum, type VacuumOptions } from './erase/vacuum.ts';
import { exportFlow, viewFlow, type ExportOptions } from './export/export-flow.ts';
import { toTextMap, type TextMapOptions } from './export/text-map.ts';
import { FlowFiles, MAIN_FLOW } from './flow/flow-files.ts';
import { FlowService } from './flow/flow-service.ts';
import { importConversations, type ImportOptions } from './import/import-conversations.ts';
import type { ImportSource } from './import/read-source.ts';
import type { ImportReport } from './import/report.ts';
import { NodeService } from './node/node-service.ts';
import type { StoredNode } from './node/node.ts';
import type { OpenOptions } from './options.ts';
import { configuredModel } from './project/configured-model.ts';
import { isProjectPlace } from './project/places.ts';
import { restoreBatch } from './project/restore-batch.ts';
import { SetAside } from './project/set-aside.ts';
import { VizPromptError } from './errors.ts';
import { assertProjectAt, openProject } from './project/open-project.ts';
import { ProjectGraph } from './project-graph.ts';
import type { Project } from './project/project.ts';
import { isUnwritable } from './project/is-unwritable.ts';
import { StructureEditor } from './structure/structure-editor.ts';
import { initProject } from './sharing/init-project.ts';
import type { InitOptions, InitReport } from './sharing/init-files.ts';
import { searchNodes, type NodeHit, type NodeQuery } from './search/search-nodes.ts';

/** A tag and how many nodes have it. */
export interface TagCount {
  readonly tag: string;
  readonly nodes: number;
}

/**
 * A project: conversations as graphs of prompt/response nodes, on plain files.
 *
 * Every write takes the lock of the project for that write alone, so several processes may work on
 * one project. What a method gives back is durable.
 *
 * @example
 * ```ts
 * await using vizprompt = await VizPrompt.open('./my-project');
 * const node = await vizprompt.createNode({ prompt: '質問', response: '回答' });
 * const [hit] = await vizprompt.searchNodes({ text: '回答' });
 * ```
 */
export class VizPrompt extends ProjectGraph {
  /** Edits of the structure: relink, insert, split, prune, copy, merge; and undo and redo. */
  readonly structure: StructureEditor;
  readonly #project: Project;
  readonly #flows: FlowFiles;
  readonly #model: () => ChatModel | undefined;
  readonly #chat: ChatService;
  /** The folder of the project; absent on a storage. */
  readonly #folder: string | undefined;

  private constructor(
    project: Project,
    model: () => ChatModel | undefined,
    own?: { readonly storage: Storage; readonly folder: string },
  ) {
    const files = new FlowFiles(project);
    const services = {
      nodes: new NodeService(project, files),
      flows: new FlowService(project, files),
    };
    super(project, services, own?.storage);
    this.#folder = own?.folder;
    this.#project = project;
    this.#flows = files;
    this.#model = model;
    this.#chat = new ChatService({
      project,
      ...services,
      model: this.#model,
      buildContext: (wanted) => this.buildContext(wanted),
    });
    this.structure = new StructureEditor(project, files, (given) => this.#modelFor(given));
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
   * `project-not-found`, or `locked` if somebody has it exclusively; StorageError if the folder cannot
   * be used.
   */
  static async open(
    where: string | OpenOptions,
    options: Omit<OpenOptions, 'storage'> = {},
  ): Promise<VizPrompt> {
    if (typeof where !== 'string') {
      const all = { ...options, ...where };
      checkCall('open({ storage })', where, all);
      const project = await openProject(all);
      try {
        return new VizPrompt(project, await configuredModel(project.config, all));
      } catch (error) {
        await project.close();
        throw error;
      }
    }
    checkCall('open', options);
    const readOnly = options.lock === 'read-only';
    if (options.create === false || readOnly) await assertProjectAt(where, options.lock);
    const { openStorage } = await import('@vizprompt/providers/node');
    const openWith = async (given: typeof options): Promise<VizPrompt> => {
      const aside = new SetAside();
      const storage = await openStorage(where, {
        readOnly: given.lock === 'read-only',
        isWritable: isProjectPlace,
        onSetAside: (batch) => aside.add(batch),
      });
      try {
        const project = await openProject({ ...given, storage });
        aside.report(project);
        const place = resolve(where);
        const model = await configuredModel(project.config, { ...given, place });
        return new VizPrompt(project, model, { storage, folder: place });
      } catch (error) {
        await storage.close();
        throw error;
      }
    };
    try {
      return await openWith(options);
    } catch (error) {
      // Nothing need be written to read: a full disk takes no more than the writing away.
      if (readOnly || options.lock === 'exclusive' || !isUnwritable(error)) throw error;
      const opened = await openWith({ ...options, lock: 'read-only' }).catch(() => undefined);
      if (!opened) throw error;
      options.logger?.warn('a project that cannot be written is opened for reading', { error });
      return opened;
    }
  }

  /** Makes a project, or sets one up for several people who share it by git; again does no harm. */
  static async init(folder: string, options: InitOptions = {}): Promise<InitReport> {
    checkCall('init', folder, options);
    return initProject(folder, options, async () => {
      await using vizprompt = await VizPrompt.open(folder);
      const flows = await vizprompt.listFlows();
      if (flows.some(({ name, alias }) => (alias ?? name) === MAIN_FLOW)) return undefined;
      return (await vizprompt.createFlow({ name: MAIN_FLOW, alias: MAIN_FLOW })).file;
    });
  }

  /**
   * Applies a batch that was set aside because it is not proved that this user wrote it here: one that
   * version 0.1 left unfinished, or that was left when the folder was moved.
   *
   * @param file - As a problem names it, such as `.vizprompt/set-aside/batch-1f….journal`. It stays.
   * @returns The files that were written or deleted.
   * @throws VizPromptError with the code `invalid-input` if it changes other files than a project has;
   * StorageError with the code `invalid-key` or `corrupt` for a file that is no such batch.
   */
  async restoreBatch(file: string): Promise<readonly string[]> {
    this.#project.assertWritable();
    checkCall('restoreBatch', file);
    if (this.#folder === undefined) {
      const message = 'restoreBatch: expected a project that was opened by its folder';
      throw new VizPromptError('invalid-input', message);
    }
    const { readSetAside } = await import('@vizprompt/providers/node');
    return restoreBatch(this.#project, await readSetAside(this.#folder, file));
  }

  /**
   * Whether there is a model to ask: one that was given, or that `config.yaml` names, with a registry.
   *
   * @throws LLMError with the code `not_found` if the registry does not know the one that is named;
   * TrustError with the code `untrusted` if it needs consent, see the option `trust`.
   */
  get hasModel(): boolean {
    return this.#model() !== undefined;
  }

  #modelFor(given: ChatModel | null | undefined): ChatModel | undefined {
    return given === undefined ? this.#model() : (given ?? undefined);
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

  /**
   * Makes summaries (30 to 50 words), tags (3 to 7) and keywords for all nodes whose summary is
   * outdated. Without a model they are taken from the text. A node that fails stays outdated.
   *
   * @throws what `signal` says. What was built until then stays.
   */
  async build(options: BuildOptions = {}): Promise<BuildReport> {
    this.#project.assertOpen();
    checkCall('build', options);
    return build(this.#project, this.#modelFor(options.model), options);
  }

  /**
   * Makes the summary, tags and keywords of one node, outdated or not.
   *
   * @throws VizPromptError with the code `node-not-found`, and what the model throws.
   */
  async buildSummary(id: string, options: Pick<BuildOptions, 'model'> = {}): Promise<StoredNode> {
    checkCall('buildSummary', id, options);
    const node = await this.getNode(id);
    const built = await buildOne(this.#project, this.#modelFor(options.model), node);
    this.#project.events.emit('node:updated', { node: built });
    return built;
  }

  /**
   * Builds what a model is to be told with a prompt, within a budget of tokens: the node before it in
   * full, earlier ones as summaries, in full where the prompt is about them.
   *
   * @throws VizPromptError with the code `flow-not-found`, `node-not-found`, or `invalid-input` if
   * prompt, instructions and pins alone exceed the budget.
   */
  async buildContext(options: ContextOptions): Promise<BuiltContext> {
    this.#project.assertOpen();
    checkCall('buildContext', options);
    return buildContext(this.#project, this.#flows, options);
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
    const { file: _file, version: _version, ...found } = await this.getFlow(flow);
    return exportFlow(this.#project, found, options);
  }

  /**
   * A map of the branches of a flow, for terminals; `*` marks the head, `⇠ 5` a merge with node 5.
   *
   * @param flow - Its id, its alias, its file name or its name. Default: `'main'`.
   */
  async toText(flow: string = MAIN_FLOW, options: TextMapOptions = {}): Promise<string> {
    checkCall('toText', flow, options);
    return toTextMap(await viewFlow(this.#project, await this.getFlow(flow)), options);
  }

  /** All tags, those of the most nodes first. */
  async listTags(): Promise<readonly TagCount[]> {
    this.#project.assertOpen();
    return this.#project.index.nodes.tags();
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
    return importConversations(this.#project, source, options);
  }

  /**
   * Asks a model, with the context of the conversation. The prompt is on the disk before the answer
   * begins, and the answer when it ends, with tokens, seconds and rate; one that fails or is stopped
   * keeps what had come, marked. Where it is known beforehand that nobody answers, nothing is written,
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
    return this.#chat.again(id, undefined, options);
  }

  /** Asks something else in the place of a node: a sibling with another prompt. */
  edit(id: string, prompt: string, options: AskOptions = {}): ChatTurn {
    checkCall('edit', id, prompt, options);
    return this.#chat.again(id, prompt, options);
  }

  /** Goes on with an answer that was cut off; the rest joins the node. */
  continue(id: string, options: AskOptions = {}): ChatTurn {
    checkCall('continue', id, options);
    return this.#chat.continue(id, options);
  }

  /**
   * Erases what a speaker said: each text is replaced by `[erased]`, and so are copies of it in what others said, in the
   * history and in files that were set aside. Summaries, tags and keywords that were derived from it go; nodes keep
   * their ids and places in flows. No byte of it remains in the files of the project. An erasure that was interrupted
   * is finished by calling it again.
   *
   * @returns What was erased where, and what only people can erase, such as the history of git.
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
    return eraseSpeaker(this.#project, this.#flows, options);
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
    return vacuum(this.#project, options);
  }
}
