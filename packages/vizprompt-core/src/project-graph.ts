import type { Storage } from '@vizprompt/providers';
import { checkCall } from './arguments/check-call.ts';
import { MAIN_FLOW } from './flow/flow-files.ts';
import type {
  AddOptions,
  ConnectOptions,
  FlowChoice,
  FlowPatch,
  FlowService,
  FlowSummary,
  NewFlowOptions,
  RemoveOptions,
} from './flow/flow-service.ts';
import type { StoredFlow } from './flow/flow.ts';
import type { NodePatch } from './node/change-node.ts';
import type { NewNode } from './node/new-node.ts';
import type { NodeService, Placement } from './node/node-service.ts';
import type { StoredNode } from './node/node.ts';
import type { FlowEditOptions, NodeEditOptions } from './project/check-version.ts';
import type { Project } from './project/project.ts';
import { ProjectSession } from './project-session.ts';

/** What the graph of a project is made, read and changed by. */
export interface GraphServices {
  readonly nodes: NodeService;
  readonly flows: FlowService;
}

/** The nodes and the flows of an open project: made, read, changed, connected and deleted. */
export abstract class ProjectGraph extends ProjectSession {
  readonly #nodes: NodeService;
  readonly #flows: FlowService;

  /** @param ownStorage - A storage that ends with the session. */
  protected constructor(project: Project, { nodes, flows }: GraphServices, ownStorage?: Storage) {
    super(project, ownStorage);
    this.#nodes = nodes;
    this.#flows = flows;
  }

  /**
   * Makes a node. It joins the flow behind its head, so that conversations go on in a straight line
   * unless told otherwise, and becomes the new head.
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

  /** The nodes of all files that carry an id, the newest first; the first is the node. */
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
  async deleteNode(id: string, options: { readonly join?: boolean } = {}): Promise<void> {
    checkCall('deleteNode', id, options);
    return this.#nodes.delete(id, options.join ?? true);
  }

  /** @throws VizPromptError with the code `exists` if the alias or the id is taken. */
  async createFlow(options: NewFlowOptions): Promise<StoredFlow> {
    checkCall('createFlow', options);
    return this.#flows.create(options);
  }

  /**
   * @param flow - Its id, its alias, its file name or its name. Default: `'main'`.
   * @throws VizPromptError with the code `flow-not-found`, or `flow-invalid` and the place.
   */
  async getFlow(flow: string = MAIN_FLOW): Promise<StoredFlow> {
    checkCall('getFlow', flow);
    return this.#flows.get(flow);
  }

  /** All flows that can be understood, in the order of their files. */
  listFlows(): Promise<readonly FlowSummary[]> {
    return this.#flows.list();
  }

  /**
   * Renames a flow, describes it, or moves its head to another node, from which it then goes on.
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
   * Puts a node into a flow, behind its head or behind the given nodes. One that is in it already
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
   * Begins a branch: makes a node that goes on from `from`, beside those that do already, and becomes
   * the head. Default for `flow`: the one flow that `from` is in.
   *
   * @throws VizPromptError with the code `node-not-found`.
   */
  async createBranch(
    from: string,
    node: NewNode,
    options: FlowChoice & { readonly branchName?: string } = {},
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
}
