import { assertNode, removeNode } from '../flow/edit-flow.ts';
import { FlowGraph } from '../flow/flow-graph.ts';
import { type Flow, MAIN_FLOW } from '../flow/flow.ts';
import { toStoredFlow } from '../graph/flow-files.ts';
import { checkFlowVersion } from '../graph/preconditions.ts';
import { changedFlow, editStructure, type StructureContext } from './edit-structure.ts';
import { type Branch, branchAt, dropNodes } from './flow-parts.ts';
import type { DeleteNodesOptions, PruneReport } from './options.ts';
import { type NodeFile, unsharedFiles } from './unshared-files.ts';

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

/** What {@link takeOut} would do. */
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
