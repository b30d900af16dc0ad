import { VizPromptError } from '../errors.ts';
import { isUuid } from '../project/ids.ts';
import type { Project } from '../project/project.ts';
import type { Flow } from './flow.ts';

/** @throws VizPromptError with the code `invalid-input` for names that the file could not say. */
export function checkNames(flow: Flow): Flow {
  const { id, name, alias } = flow;
  if (!isUuid(id)) throw new VizPromptError('invalid-input', `the id '${id}' is no UUID`);
  for (const [field, text] of Object.entries({ name, alias })) {
    if (text === undefined || text.trim() !== '') continue;
    throw new VizPromptError('invalid-input', `the ${field} of a flow must not be empty`);
  }
  return flow;
}

/**
 * @param names - The id and the alias that a flow is to have and has not.
 * @throws VizPromptError with the code `exists` if a flow has one of them.
 */
export async function assertNamesFree(
  { index }: Project,
  names: readonly (string | undefined)[],
): Promise<void> {
  for (const { id, alias, file } of await index.flows.list()) {
    const taken = names.find((name) => name !== undefined && (name === id || name === alias));
    if (taken === undefined) continue;
    throw new VizPromptError('exists', `${file} is called '${taken}' already`, {
      context: { flow: taken, file },
    });
  }
}

/** @throws VizPromptError with the code `node-not-found` if one of the nodes is in no file. */
export async function assertNodesExist({ index }: Project, ids: readonly string[]): Promise<void> {
  const known = new Set((await index.nodes.rowsOf(ids)).map((row) => row.id));
  const missing = ids.find((id) => !known.has(id));
  if (missing === undefined) return;
  throw new VizPromptError('node-not-found', `there is no node ${missing}`, {
    context: { node: missing },
  });
}
