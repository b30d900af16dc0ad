import { VizPromptError } from '../errors.ts';
import { addNode, assertNode } from '../flow/edit-flow.ts';
import type { VizNode } from '../node/node.ts';
import {
  changedFlow,
  type EditOptions,
  editStructure,
  type StructureContext,
} from './edit-structure.ts';
import type { MergedNode } from './options.ts';

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
