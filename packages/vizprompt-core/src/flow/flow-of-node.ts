import { VizPromptError } from '../errors.ts';
import type { Project } from '../project/project.ts';
import { MAIN_FLOW } from './flow-files.ts';

/**
 * Whoever goes on from a node means the flow that it is in; otherwise the main flow is meant.
 *
 * @throws VizPromptError with the code `invalid-input` if it is in several, none of them the main one.
 */
export async function flowOfNode({ index }: Project, node: string | undefined): Promise<string> {
  if (node === undefined) return MAIN_FLOW;
  const found = await index.flows.rowsWith(node);
  const [only, ...others] = found;
  if (!only || found.some(({ alias }) => alias === MAIN_FLOW)) return MAIN_FLOW;
  if (others.length === 0) return only.id;
  const names = found.map(({ name, id }) => `'${name}' (${id})`).join(', ');
  throw new VizPromptError(
    'invalid-input',
    `the node ${node} is in several flows, so say which by 'flow': ${names}`,
    { context: { node, flows: found.map(({ id }) => id) } },
  );
}
