import { assertNode, FlowGraph, removeNode } from '../flow/flow-graph.ts';
import { type Flow, MAIN_FLOW, type StoredFlow } from '../flow/flow.ts';
import { formatTime } from '../format/ids-and-times.ts';
import { type FlowFiles, type LoadedFlow, toStoredFlow } from '../graph/flow-files.ts';
import { checkFlowVersion } from '../graph/preconditions.ts';
import type { VizNode } from '../node/node.ts';
import type { Project } from '../project/project.ts';
import type { Committed, ProjectChanges } from '../write/commit.ts';
import { type Branch, branchAt, dropNodes } from './flow-parts.ts';
import type { EditOptions, DeleteNodesOptions, PruneReport } from './options.ts';

/** The project and the flows that edits work on. */
export interface StructureContext {
  readonly project: Project;
  readonly flows: FlowFiles;
}

/** The changes of an edit. */
interface EditPlan {
  /** The flow as it is to be; absent: it stays as it is. */
  readonly flow?: Flow;
  /** Another flow that changes too. */
  readonly other?: { readonly loaded: LoadedFlow; readonly flow: Flow };
  readonly newFlow?: Flow;
  readonly newNodes?: readonly VizNode[];
  readonly newKeywords?: ProjectChanges['newKeywords'];
  readonly deletedNodes?: NonNullable<ProjectChanges['deletedNodes']>;
  /** The ids of the nodes that are deleted. */
  readonly deletedIds?: readonly string[];
}

/** Edits a flow as one step: all files of the edit, and what is needed to undo it, in one batch. */
export async function editStructure(
  { project, flows }: StructureContext,
  step: string,
  { flow: name = MAIN_FLOW, ...options }: EditOptions,
  work: (loaded: LoadedFlow) => Promise<EditPlan> | EditPlan,
): Promise<Committed> {
  const { clock, config, events } = project;
  let plan: EditPlan = {};
  const committed = await project.write(async () => {
    const loaded = await flows.load(name);
    checkFlowVersion(project, toStoredFlow(loaded), options);
    plan = await work(loaded);
    const updated = formatTime(clock());
    const changed = [
      ...(plan.flow ? [{ loaded, flow: plan.flow }] : []),
      ...(plan.other ? [plan.other] : []),
    ];
    const withIds = loaded.withIds || config.settings.connectionIds;
    return flows.commit({
      step,
      ...(plan.newNodes ? { newNodes: plan.newNodes } : {}),
      ...(plan.newKeywords ? { newKeywords: plan.newKeywords } : {}),
      ...(plan.deletedNodes ? { deletedNodes: plan.deletedNodes } : {}),
      newFlows: plan.newFlow ? [{ flow: plan.newFlow, withIds }] : [],
      changedFlows: changed.map((change) => ({
        ...change.loaded,
        flow: { ...change.flow, updated },
        before: change.loaded.flow,
      })),
    });
  });
  for (const node of committed.newNodes) events.emit('node:created', { node });
  for (const id of plan.deletedIds ?? []) events.emit('node:deleted', { id });
  for (const flow of committed.newFlows) events.emit('flow:created', { flow });
  for (const flow of committed.changedFlows) events.emit('flow:updated', { flow });
  return committed;
}

/** Returns the flow that an edit changed. */
export function changedFlow({ changedFlows: [flow] }: Committed): StoredFlow {
  if (!flow) throw new Error('edit returned no flow');
  return flow;
}

/** Returns the flow that an edit made. */
export function createdFlow({ newFlows: [flow] }: Committed): StoredFlow {
  if (!flow) throw new Error('edit returned no new flow');
  return flow;
}

/** Takes nodes out of a flow, with what only they lead to or without. */
export async function takeOut(
  context: StructureContext,
  step: string,
  nodes: readonly string[],
  { descendants = true, files = false, ...options }: DeleteNodesOptions,
): Promise<PruneReport> {
  let branch: Branch = { cut: [], shared: [] };
  let deleted: readonly NodeFile[] = [];
  const committed = await editStructure(context, step, options, async ({ flow, file }) => {
    branch = branchOf(flow, nodes, descendants);
    if (files) deleted = await unsharedFiles(context.project, branch.cut, file);
    const rest = descendants
      ? dropNodes(flow, branch.cut)
      : branch.cut.reduce((left, id) => removeNode(left, id, true), flow);
    return { flow: rest, deletedNodes: deleted, deletedIds: idsOf(deleted) };
  });
  return {
    flow: changedFlow(committed),
    removed: branch.cut,
    kept: branch.shared,
    deleted: idsOf(deleted),
  };
}

/** Returns what {@link takeOut} would do. */
export async function previewTakeOut(
  { project, flows }: StructureContext,
  nodes: readonly string[],
  { flow: name = MAIN_FLOW, files = false, descendants = true, ...options }: DeleteNodesOptions,
): Promise<PruneReport> {
  project.assertOpen();
  const loaded = await flows.load(name);
  const flow = toStoredFlow(loaded);
  checkFlowVersion(project, flow, options);
  const { cut, shared } = branchOf(flow, nodes, descendants);
  const deleted = files ? await unsharedFiles(project, cut, loaded.file) : [];
  return { flow, removed: cut, kept: shared, deleted: idsOf(deleted) };
}

function branchOf(flow: Flow, nodes: readonly string[], withDescendants: boolean): Branch {
  for (const id of nodes) assertNode(flow, id);
  return withDescendants
    ? branchAt(new FlowGraph(flow), nodes)
    : { cut: [...new Set(nodes)], shared: [] };
}

function idsOf(files: readonly NodeFile[]): readonly string[] {
  return [...new Set(files.map(({ id }) => id))];
}

/** A file of a node, in the version in which it may be deleted. */
interface NodeFile {
  readonly id: string;
  readonly file: string;
  readonly version: string;
}

/**
 * Returns the files of those nodes that are in no other flow. A flow file that cannot be parsed may name
 * any of them, so the nodes that it mentions are kept.
 *
 * @param flowFile - The flow that the nodes are removed from.
 */
async function unsharedFiles(
  { index, files }: Project,
  ids: readonly string[],
  flowFile: string,
): Promise<NodeFile[]> {
  const broken: string[] = [];
  for (const file of await index.flows.broken()) {
    const stored = await files.read(file);
    broken.push(stored ? Buffer.from(stored.data).toString('latin1') : '');
  }
  const found: NodeFile[] = [];
  for (const id of ids) {
    const others = (await index.flows.filesWith(id)).filter((file) => file !== flowFile);
    if (others.length > 0 || broken.some((text) => text.includes(id))) continue;
    for (const file of await index.nodes.filesOf(id)) {
      const stored = await files.read(file);
      if (stored) found.push({ id, file, version: stored.version });
    }
  }
  return found;
}
