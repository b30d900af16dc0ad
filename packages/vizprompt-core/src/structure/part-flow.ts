import { defined } from '@vizprompt/providers';
import { assertNode } from '../flow/edit-flow.ts';
import { FlowGraph } from '../flow/flow-graph.ts';
import type { Flow } from '../flow/flow.ts';
import { assertNamesFree, checkNames } from '../graph/preconditions.ts';
import type { Committed } from '../write/commit.ts';
import { editStructure, type StructureContext } from './edit-structure.ts';
import { partOf } from './flow-parts.ts';
import type { PartOptions } from './options.ts';

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
