import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import { addNode, assertNode } from '../flow/edit-flow.ts';
import { FlowGraph } from '../flow/flow-graph.ts';
import type { Flow } from '../flow/flow.ts';
import { assertNamesFree, checkNames } from '../graph/preconditions.ts';
import type { VizNode } from '../node/node.ts';
import type { Committed } from '../write/commit.ts';
import {
  changedFlow,
  type EditOptions,
  editStructure,
  type StructureContext,
} from './edit-structure.ts';
import { partOf } from './flow-parts.ts';
import type { MergedNode, PartOptions } from './options.ts';

/** Which nodes of a flow make the new one, and what becomes of the old one. */
export interface PartPlan {
  readonly nodes: readonly string[];
  /** Of the new one. Default: that of the old one, or the nearest node before it. */
  readonly head?: string;
  /** Absent: it stays as it is. */
  readonly rest?: Flow;
}

/** Makes a flow of some nodes of another. */
export async function makePart(
  context: StructureContext,
  step: string,
  node: string,
  { name, alias, description, ...options }: PartOptions,
  plan: (graph: FlowGraph, flow: Flow) => PartPlan,
): Promise<Committed> {
  const { project } = context;
  return editStructure(context, step, options, async ({ flow }) => {
    assertNode(flow, node);
    const { nodes, rest, head } = plan(new FlowGraph(flow), flow);
    const given = {
      id: project.createId(),
      name: name ?? (await titleOf(context, node)),
      ...defined({ alias, description }),
    };
    const part = partOf(flow, nodes, given, project.clock());
    const newFlow = checkNames({ ...part, ...defined({ head }) });
    await assertNamesFree(project, [newFlow.id, newFlow.alias]);
    return { newFlow, ...(rest ? { flow: rest } : {}) };
  });
}

async function titleOf({ project }: StructureContext, node: string): Promise<string> {
  const [row] = await project.index.nodes.rowsOf([node]);
  return row?.title.trim() || node;
}

/** Puts a new node behind several others, as their merge; it becomes the head. */
export async function joinParents(
  context: StructureContext,
  step: string,
  parents: readonly string[],
  node: VizNode,
  options: EditOptions,
): Promise<MergedNode> {
  const distinct = [...new Set(parents)];
  if (distinct.length < 2) {
    throw new VizPromptError('invalid-input', 'a merge needs at least two nodes to join', {
      context: { parents },
    });
  }
  const committed = await editStructure(context, step, options, ({ flow }) => {
    for (const parent of distinct) assertNode(flow, parent);
    return { flow: addNode(flow, node.id, distinct), newNodes: [node] };
  });
  const [merged] = committed.newNodes;
  if (!merged) throw new Error('a merge gave no node back');
  return { flow: changedFlow(committed), node: merged };
}
