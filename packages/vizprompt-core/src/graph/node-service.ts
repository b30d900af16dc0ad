import { type Kinds, FLAG, oneOf, optional } from '@vizprompt/providers/config/internal';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import { addNode, emptyMainFlow, hasNode, removeNode } from '../flow/flow-graph.ts';
import { formatTime, uuidFromName } from '../format/ids-and-times.ts';
import { BRANCH_NAME, FLOW_NAME, FLOW_OR_NONE, PARENTS } from '../input-kinds.ts';
import {
  changeNode,
  checkNode,
  makeNode,
  type NewNode,
  type NodePatch,
} from '../node/edit-node.ts';
import type { StoredNode, VizNode } from '../node/node.ts';
import { readStoredNode } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';
import { type Committed, emitCommitEvents, repeatOnConflict } from '../write/commit.ts';
import { flowChange, type FlowFiles, flowOfNode, type LoadedFlow } from './flow-files.ts';
import type { FlowChoice } from './flow-service.ts';
import { checkNodeVersion, type NodeEditOptions } from './preconditions.ts';

/** Where a new node goes. */
export interface Placement {
  /**
   * The flow that it joins; `null`: none. Default: the one flow that `after` is in, or else `'main'`,
   * which is made on first use.
   */
  readonly flow?: string | null | undefined;
  /** The nodes that it continues from; `null`: none. Default: the head of the flow. */
  readonly after?: string | readonly string[] | null | undefined;
  /** The name of the branch that begins with it. */
  readonly branchName?: string | undefined;
  /**
   * The behavior if its `id` exists, or without one its `source`: `keep` returns the node as it is and creates
   * nothing, even if several processes add it at once. Default: `version`, another version of the node.
   */
  readonly ifExists?: 'version' | 'keep' | undefined;
}

export const PLACEMENT: Kinds<Placement> = {
  flow: optional(FLOW_OR_NONE, {
    en: 'The flow that it joins; null: none. Default: the flow of after, or else main',
  }),
  after: PARENTS,
  branchName: BRANCH_NAME,
  ifExists: optional(oneOf('version', 'keep'), { isCodeOnly: true }),
};

/** The flow and the name of a branch. */
export interface BranchOptions extends FlowChoice {
  /** The name of the branch that begins with the node. */
  readonly branchName?: string | undefined;
}

export const BRANCH_OPTIONS: Kinds<BranchOptions> = {
  flow: optional(FLOW_NAME, { en: 'Default: the one flow that the node before it is in' }),
  branchName: BRANCH_NAME,
};

/** Options for the neighbours of a deleted node. */
export interface DeleteNodeOptions {
  /** Connects its parents to its children. Default: `true`. */
  readonly join?: boolean | undefined;
}

export const DELETE_NODE_OPTIONS: Kinds<DeleteNodeOptions> = {
  join: optional(FLAG, {
    en: 'Connects its parents to its children. Default: true',
  }),
};

/** Creates, reads, changes and deletes nodes. */
export class NodeService {
  readonly #project: Project;
  readonly #flows: FlowFiles;

  constructor(project: Project, flows: FlowFiles) {
    this.#project = project;
    this.#flows = flows;
  }

  async create(input: NewNode, placement: Placement): Promise<StoredNode> {
    const { after } = placement;
    if (placement.flow === null && [after ?? []].flat().length > 0) {
      throw new VizPromptError(
        'invalid-input',
        "'after' needs a flow: 'flow: null' puts it in none",
      );
    }
    if (placement.ifExists === 'keep') return this.#createOnce(input, placement);
    return this.#create(await makeNode(this.#project, input), placement, async () => undefined);
  }

  /** Creates a node whose id, or else the id of its source, is not known. */
  async #createOnce(input: NewNode, placement: Placement): Promise<StoredNode> {
    const {
      source,
      id = source === undefined ? undefined : uuidFromName('node', 'source', source),
    } = input;
    if (id === undefined) {
      const problem = "createNode: 'ifExists: keep' needs the id or the source of the node";
      throw new VizPromptError('invalid-input', problem);
    }
    const node = await makeNode(this.#project, { ...input, id });
    return repeatOnConflict(() => this.#create(node, placement, () => this.find(node.id)));
  }

  async #create(
    node: VizNode,
    placement: Placement,
    find: () => Promise<StoredNode | undefined>,
  ): Promise<StoredNode> {
    const done = await this.#project.write(async () => {
      const found = await find();
      if (found) return { found };
      const name =
        placement.flow === undefined
          ? await flowOfNode(this.#project, firstOf(placement.after))
          : placement.flow;
      if (name === null) return this.#flows.commit({ newNodes: [node] });
      return this.#commitWithFlow(node, await this.#flows.loadIfMade(name), placement);
    });
    if ('found' in done) return done.found;
    const [created] = done.newNodes;
    if (!created) throw new Error('commit returned no node');
    emitCommitEvents(this.#project, done);
    return created;
  }

  async #commitWithFlow(
    node: VizNode,
    loaded: LoadedFlow | undefined,
    { after, branchName }: Placement,
  ): Promise<Committed> {
    const { clock, createId } = this.#project;
    const before = loaded?.flow ?? emptyMainFlow(createId(), clock());
    const parents = parentsOf(after, before.head);
    const joined = addNode(before, node.id, parents);
    const connections = joined.connections.map((connection) =>
      connection.to === node.id && branchName !== undefined
        ? { ...connection, branch: branchName }
        : connection,
    );
    const flow = { ...joined, connections, updated: formatTime(clock()) };
    return this.#flows.commit({ newNodes: [node], ...flowChange(this.#project, loaded, flow) });
  }

  async get(id: string): Promise<StoredNode> {
    const node = await this.find(id);
    if (node) return node;
    await this.#refuseBroken(id);
    throw new VizPromptError('node-not-found', `there is no node ${id}`, { context: { node: id } });
  }

  /** Returns a node, if there is one. */
  async find(id: string): Promise<StoredNode | undefined> {
    return (await this.versions(id, 1))[0];
  }

  /** Throws the error of a broken file that may be the requested node: its id is unreadable. */
  async #refuseBroken(id: string): Promise<void> {
    const { index, files } = this.#project;
    for (const file of await index.nodes.broken()) {
      const stored = await files.read(file);
      if (stored?.text.includes(`"${id}"`)) await readStoredNode(files, file);
    }
  }

  /** Returns the nodes that carry an id, the newest first. */
  async versions(id: string, limit: number = Number.POSITIVE_INFINITY): Promise<StoredNode[]> {
    const { index, files, known } = this.#project;
    this.#project.assertOpen();
    const found: StoredNode[] = [];
    for (const file of await index.nodes.filesOf(id)) {
      const node = await readStoredNode(files, file);
      if (!node) continue;
      known.rememberNode(node);
      found.push(node);
      if (found.length >= limit) break;
    }
    return found;
  }

  async update(id: string, patch: NodePatch, options: NodeEditOptions = {}): Promise<StoredNode> {
    const committed = await this.#project.write(async () => {
      const { file, version, ...node } = await this.get(id);
      checkNodeVersion(this.#project, { file, version, ...node }, options);
      const changed = { file, version, node: checkNode(changeNode(node, defined(patch))) };
      return this.#flows.commit({ changedNodes: [changed] });
    });
    const [node] = committed.changedNodes;
    if (!node) throw new Error('commit returned no node');
    this.#project.events.emit('node:updated', { node });
    return node;
  }

  async delete(id: string, isJoined: boolean): Promise<void> {
    const { events, index, clock } = this.#project;
    const committed = await this.#project.write(async () => {
      await this.get(id);
      const deletedNodes = await this.versions(id);
      const changedFlows = [];
      for (const file of await index.flows.filesWith(id)) {
        const loaded = await this.#flows.read(file);
        if (!hasNode(loaded.flow, id)) continue;
        const flow = { ...removeNode(loaded.flow, id, isJoined), updated: formatTime(clock()) };
        changedFlows.push({ ...loaded, flow, before: loaded.flow });
      }
      return this.#flows.commit({ deletedNodes, changedFlows, step: 'deleteNode' });
    });
    events.emit('node:deleted', { id });
    for (const flow of committed.changedFlows) events.emit('flow:updated', { flow });
  }
}

function parentsOf(after: Placement['after'], head: string | undefined): readonly string[] {
  if (after === null) return [];
  if (after === undefined) return head === undefined ? [] : [head];
  return typeof after === 'string' ? [after] : after;
}

function firstOf(after: Placement['after']): string | undefined {
  return typeof after === 'string' ? after : after?.[0];
}
