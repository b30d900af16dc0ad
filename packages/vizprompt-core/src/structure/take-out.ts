import { assertNode, removeNode } from '../flow/edit-flow.ts';
import { FlowGraph } from '../flow/flow-graph.ts';
import { type Flow, MAIN_FLOW } from '../flow/flow.ts';
import { toStoredFlow } from '../graph/flow-files.ts';
import { checkFlowVersion } from '../graph/preconditions.ts';
import type { Project } from '../project/project.ts';
import { changedFlow, editStructure, type StructureContext } from './edit-structure.ts';
import { type Branch, branchAt, dropNodes } from './flow-parts.ts';
import type { DeleteNodesOptions, PruneReport } from './options.ts';

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
 * The files of those nodes that are in no other flow. A flow file that cannot be understood may name
 * any of them, so what it mentions stays.
 *
 * @param flowFile - The flow that they are taken out of.
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
