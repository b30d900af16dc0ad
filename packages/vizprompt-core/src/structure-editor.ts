import type { ChatModel } from '@vizprompt/providers';
import { checkCall } from './check-call.ts';
import { assertNode, FlowGraph, hasNode } from './flow/flow-graph.ts';
import type { StoredFlow } from './flow/flow.ts';
import type { FlowFiles } from './graph/flow-files.ts';
import { assertNodesExist } from './graph/preconditions.ts';
import { makeNode, type NewNode } from './node/edit-node.ts';
import type { Project } from './project/project.ts';
import { copySubtree, joinParents, makePart } from './structure/copy-subtree.ts';
import {
  changedFlow,
  createdFlow,
  editStructure,
  type StructureContext,
  previewTakeOut,
  takeOut,
} from './structure/edit-structure.ts';
import {
  branchAt,
  dropNodes,
  insertNodeBetween,
  keepNodes,
  pathTo,
  relinkNode,
  subtreeAt,
} from './structure/flow-parts.ts';
import type {
  EditOptions,
  ContentMerge,
  CopiedSubtree,
  CopyOptions,
  DeleteNodesOptions,
  ForgetOptions,
  KeepPathOptions,
  MergeByContentOptions,
  MergedNode,
  PartOptions,
  PruneOptions,
  PruneReport,
  RelinkOptions,
  ReplayedEdit,
  ReplayOptions,
  SplitFlow,
  TailForkOptions,
} from './structure/options.ts';
import type { EditHistory } from './write/undo-history.ts';

/**
 * Edits the structure of flows: what follows what, never what is said. Each edit is one step that is
 * there as a whole or not at all, and that {@link StructureEditor.undo} takes back. Nodes leave a flow;
 * their files stay unless asked otherwise.
 *
 * All methods take the flow (default: `'main'`) and `ifVersion`, by which a flow that was changed
 * meanwhile is left alone; the error with the code `conflict` then says what changed. Nodes that are
 * not there fail with `node-not-found`, flows with `flow-not-found`.
 *
 * @example
 * ```ts
 * const { structure } = vizprompt;
 * const { removed } = await structure.prune(node.id, { dryRun: true });
 * await structure.prune(node.id);
 * await structure.undo(); // all of it is back, byte for byte
 * ```
 */
export class StructureEditor {
  readonly #context: StructureContext;
  readonly #project: Project;
  readonly #modelFor: (given: ChatModel | null | undefined) => ChatModel | undefined;

  /** @internal */
  constructor(
    project: Project,
    flows: FlowFiles,
    modelFor: (given: ChatModel | null | undefined) => ChatModel | undefined,
  ) {
    this.#context = { project, flows };
    this.#project = project;
    this.#modelFor = modelFor;
  }

  /**
   * Replaces a parent of a node: it continues from another. The nodes after it go with it.
   *
   * @throws VizPromptError with the code `cycle` and the way that would be closed.
   *
   * @example
   * ```ts
   * await structure.relink(node.id, { from: wrong.id, to: right.id });
   * ```
   */
  async relink(node: string, options: RelinkOptions): Promise<StoredFlow> {
    checkCall('relink', node, options);
    const { from, to, ...rest } = options;
    const committed = await editStructure(this.#context, 'relink', rest, ({ flow }) => {
      return { flow: relinkNode(flow, node, from, to) };
    });
    return changedFlow(committed);
  }

  /**
   * Puts a node between two that are connected. The head stays where it is.
   *
   * @param node - The id of a node, in the flow already or not, or a new node.
   * @throws VizPromptError with the code `cycle`, or `invalid-input` if the two are not connected.
   *
   * @example
   * ```ts
   * await structure.insertBetween(question.id, answer.id, { prompt: '前提を確認する' });
   * ```
   */
  async insertBetween(
    parent: string,
    child: string,
    node: string | NewNode,
    options: EditOptions = {},
  ): Promise<StoredFlow> {
    checkCall('insertBetween', parent, child, node, options);
    const made = typeof node === 'string' ? undefined : await makeNode(this.#project, node);
    const id = typeof node === 'string' ? node : (made?.id ?? '');
    const committed = await editStructure(
      this.#context,
      'insertBetween',
      options,
      async ({ flow }) => {
        if (!made && !hasNode(flow, id)) await assertNodesExist(this.#project, [id]);
        return {
          flow: insertNodeBetween(flow, parent, child, id),
          ...(made ? { newNodes: [made] } : {}),
        };
      },
    );
    return changedFlow(committed);
  }

  /**
   * Takes nodes out of a flow, together with all that continues from them and that nothing else leads to;
   * with `descendants: false` without it. The head moves to the nearest node before it that stays.
   *
   * @example
   * ```ts
   * await structure.deleteNodes(draft.id, { descendants: false }); // what went on from it stays
   * await structure.deleteNodes(failed.id, { files: true }); // and its files, if no flow needs them
   * ```
   */
  async deleteNodes(
    nodes: string | readonly string[],
    options: DeleteNodesOptions = {},
  ): Promise<PruneReport> {
    checkCall('deleteNodes', nodes, options);
    return takeOut(this.#context, 'deleteNodes', listOf(nodes), options);
  }

  /**
   * Cuts off a branch: a node with all that continues from it and that nothing else leads to.
   *
   * @example
   * ```ts
   * const { removed, kept } = await structure.prune(node.id, { dryRun: true });
   * console.log(`${removed.length} nodes would go, ${kept.length} after them would stay`);
   * ```
   */
  async prune(node: string, options: PruneOptions = {}): Promise<PruneReport> {
    checkCall('prune', node, options);
    const { dryRun = false, ...rest } = options;
    return dryRun
      ? previewTakeOut(this.#context, [node], rest)
      : takeOut(this.#context, 'prune', [node], rest);
  }

  /**
   * Keeps only the path to a node, which becomes the head: the node and all that it continues from.
   *
   * @example
   * ```ts
   * await structure.keepPath(accepted.id); // the retries and other branches leave the flow
   * ```
   */
  async keepPath(leaf: string, options: KeepPathOptions = {}): Promise<StoredFlow> {
    checkCall('keepPath', leaf, options);
    const { mainLine = false, ...rest } = options;
    const committed = await editStructure(this.#context, 'keepPath', rest, ({ flow }) => {
      assertNode(flow, leaf);
      const path = pathTo(new FlowGraph(flow), leaf, mainLine);
      return { flow: { ...keepNodes(flow, path), head: leaf } };
    });
    return changedFlow(committed);
  }

  /**
   * Makes a flow of its own of a node and all that continues from it. Those that only the node leads to
   * leave the old flow; those that something else leads to are in both.
   *
   * @throws VizPromptError with the code `exists` if the alias is taken.
   *
   * @example
   * ```ts
   * const { created } = await structure.splitFlow(digression.id, { name: '脱線' });
   * ```
   */
  async splitFlow(node: string, options: PartOptions = {}): Promise<SplitFlow> {
    checkCall('splitFlow', node, options);
    const committed = await makePart(this.#context, 'splitFlow', node, options, (graph, flow) => ({
      nodes: subtreeAt(graph, node),
      rest: dropNodes(flow, branchAt(graph, [node]).cut),
    }));
    return { flow: changedFlow(committed), created: createdFlow(committed) };
  }

  /**
   * Makes a flow of a node and all that continues from it, and leaves the old flow as it is: the nodes
   * are in both.
   *
   * @example
   * ```ts
   * const excerpt = await structure.extract(node.id, { name: '抜粋', alias: 'excerpt' });
   * ```
   */
  async extract(node: string, options: PartOptions = {}): Promise<StoredFlow> {
    checkCall('extract', node, options);
    const committed = await makePart(this.#context, 'extract', node, options, (graph) => ({
      nodes: subtreeAt(graph, node),
    }));
    return createdFlow(committed);
  }

  /**
   * Makes a flow that shares the path up to a node, and continues from there on its own.
   *
   * @example
   * ```ts
   * const fork = await structure.tailFork(node.id, { name: '別の進め方' });
   * await vizprompt.createNode({ prompt: 'では、こうしたら？' }, { flow: fork.id });
   * ```
   */
  async tailFork(node: string, options: TailForkOptions = {}): Promise<StoredFlow> {
    checkCall('tailFork', node, options);
    const { mainLine = false, ...rest } = options;
    const committed = await makePart(this.#context, 'tailFork', node, rest, (graph) => ({
      nodes: pathTo(graph, node, mainLine),
      head: node,
    }));
    return createdFlow(committed);
  }

  /**
   * Copies a node and all that continues from it, under new ids and with all they hold. The copy continues
   * from what the original continues from, unless `after` says otherwise. The head stays where it is.
   *
   * @example
   * ```ts
   * const { ids } = await structure.copySubtree(node.id, { to: 'drafts', after: null });
   * const copy = await vizprompt.getNode(ids.get(node.id) ?? '');
   * ```
   */
  async copySubtree(node: string, options: CopyOptions = {}): Promise<CopiedSubtree> {
    checkCall('copySubtree', node, options);
    return copySubtree(this.#context, node, options);
  }

  /**
   * Joins branches in a new node, which becomes the head.
   *
   * @param parents - At least two nodes; the first is the main parent.
   *
   * @example
   * ```ts
   * const { node } = await structure.mergeByStructure([a.id, b.id], { prompt: '両案をまとめて' });
   * ```
   */
  async mergeByStructure(
    parents: readonly string[],
    node: NewNode,
    options: EditOptions = {},
  ): Promise<MergedNode> {
    checkCall('mergeByStructure', parents, node, options);
    const made = await makeNode(this.#project, node);
    return joinParents(this.#context, 'mergeByStructure', parents, made, options);
  }

  /**
   * Joins two branches by what they say: finds where they part, what each has said since and where they
   * may not agree, has a node proposed by the model, or without one from the summaries, and writes it
   * if `accept` says so.
   *
   * @param a - The last node of the first branch, the main parent.
   * @param b - The last node of the second branch.
   * @throws VizPromptError with the code `invalid-input` if one continues from the other already; what
   * the model, `accept` and `signal` throw.
   *
   * @example
   * ```ts
   * const { merged } = await structure.mergeByContent(a.id, b.id, {
   *   accept: ({ conflicts }) => conflicts.length === 0,
   * });
   * ```
   */
  async mergeByContent(
    a: string,
    b: string,
    options: MergeByContentOptions,
  ): Promise<ContentMerge> {
    checkCall('mergeByContent', a, b, options);
    const accept: typeof options.accept = async (proposal) => {
      const answer = await options.accept(proposal);
      checkCall('accept', answer);
      return answer;
    };
    const model = this.#modelFor(options.model);
    return this.#project.begin(import('./summaries.ts'), ({ mergeByContent }) =>
      mergeByContent(this.#context, a, b, model, { ...options, accept }),
    );
  }

  /**
   * Undoes the last edit of the structure, of this process or another, before or
   * after a restart. The flow files get the very bytes that they had, comments included; nodes that the
   * edit deleted are back; nodes that it made go, unless they were changed since.
   *
   * A flow that has changed since in a way that is not a step (the conversation continued, an import, git,
   * an editor) keeps the later changes, connected as they are. Only where they and the edit contradict
   * each other, nothing is done: something continues from a node that the edit made, or a name was changed
   * again. {@link StructureEditor.forget} can leave such an edit as it is.
   *
   * @returns The edit that was undone; `undefined` if there is nothing.
   * @throws VizPromptError with the code `conflict`, the differences, and what does it instead; `exists` if
   * an alias is taken by now.
   *
   * @example
   * ```ts
   * const undone = await structure.undo();
   * console.log(undone?.step.label, undone?.flows.map(({ name }) => name));
   * ```
   */
  async undo(options: ReplayOptions = {}): Promise<ReplayedEdit | undefined> {
    checkCall('undo', options);
    return this.#project.begin(import('./structure/undo.ts'), ({ replayEdit }) =>
      replayEdit(this.#project, 'undo', options),
    );
  }

  /**
   * Does the edit that was taken back last again, byte for byte if nothing came since. A new edit ends
   * that: then there is nothing to do again.
   *
   * @throws VizPromptError with the code `conflict` or `exists`, as {@link StructureEditor.undo}.
   */
  async redo(options: ReplayOptions = {}): Promise<ReplayedEdit | undefined> {
    checkCall('redo', options);
    return this.#project.begin(import('./structure/undo.ts'), ({ replayEdit }) =>
      replayEdit(this.#project, 'redo', options),
    );
  }

  /** Returns the edits that can be undone and done again. */
  async history(): Promise<EditHistory> {
    this.#project.assertOpen();
    return this.#project.begin(import('./structure/undo.ts'), ({ listEdits }) =>
      listEdits(this.#project),
    );
  }

  /**
   * Deletes the history, and with it what it holds of deleted nodes: nothing can be undone then. Or
   * deletes one step of it, such as one that can no longer be taken back.
   *
   * @example
   * ```ts
   * const last = (await structure.history()).undo.at(-1);
   * if (last) await structure.forget({ step: last.id }); // it stays, and undo() takes back the one before
   * ```
   */
  async forget(options: ForgetOptions = {}): Promise<void> {
    checkCall('forget', options);
    return this.#project.begin(import('./structure/undo.ts'), ({ forgetEdits }) =>
      forgetEdits(this.#project, options),
    );
  }
}

function listOf(nodes: string | readonly string[]): readonly string[] {
  return typeof nodes === 'string' ? [nodes] : nodes;
}
