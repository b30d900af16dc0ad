import { type Kinds, optional } from '@vizprompt/providers/config/internal';
import { VizPromptError } from '../errors.ts';
import { compareFlows, describeFlowChange, type Flow, type StoredFlow } from '../flow/flow.ts';
import { isUuid } from '../format/ids-and-times.ts';
import { VERSION } from '../input-kinds.ts';
import type { StoredNode } from '../node/node.ts';
import type { Project } from '../project/project.ts';

/** Under which condition a flow is changed. */
export interface FlowEditOptions {
  /**
   * The flow as it was read, or its `version`: if it changed since, nothing is done, and the
   * error with the code `conflict` says what changed. Default: any version.
   */
  readonly ifVersion?: string | StoredFlow | undefined;
}

export const FLOW_EDIT_OPTIONS: Kinds<FlowEditOptions> = { ifVersion: optional(VERSION) };

/** Under which condition a node is changed. */
export interface NodeEditOptions {
  /**
   * The node as it was read, or its `version`: if it changed since, nothing is done, and the
   * error with the code `conflict` says what changed. Default: any version.
   */
  readonly ifVersion?: string | StoredNode | undefined;
}

export const NODE_EDIT_OPTIONS: Kinds<NodeEditOptions> = { ifVersion: optional(VERSION) };

/** @throws VizPromptError with the code `conflict`, and what has changed since. */
export function checkFlowVersion(
  { known }: Project,
  now: StoredFlow,
  { ifVersion }: FlowEditOptions,
): void {
  if (ifVersion === undefined) return;
  const expected = typeof ifVersion === 'string' ? ifVersion : ifVersion.version;
  if (expected === now.version) return;
  const before = typeof ifVersion === 'string' ? known.flow(ifVersion) : ifVersion;
  const changed = before?.id === now.id ? compareFlows(before, now) : undefined;
  const what = changed ? `: ${describeFlowChange(changed)}` : `, at ${now.updated}`;
  throw new VizPromptError(
    'conflict',
    `the flow '${now.name}' (${now.file}) was changed since it was read${what}. Read it again and repeat`,
    { context: { flow: now.id, file: now.file, expected, actual: now.version, changed } },
  );
}

/** @throws VizPromptError with the code `conflict`, and the names of the fields that have changed. */
export function checkNodeVersion(
  { known }: Project,
  now: StoredNode,
  { ifVersion }: NodeEditOptions,
): void {
  if (ifVersion === undefined) return;
  const expected = typeof ifVersion === 'string' ? ifVersion : ifVersion.version;
  if (expected === now.version) return;
  const fields = known.changedFields(ifVersion, now);
  const what = fields ? `: fields changed: ${fields.join(', ') || 'none, only its form'}` : '';
  throw new VizPromptError(
    'conflict',
    `the node ${now.id} (${now.file}) was changed since it was read${what}. Read it again and repeat`,
    { context: { node: now.id, file: now.file, expected, actual: now.version, fields } },
  );
}

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
