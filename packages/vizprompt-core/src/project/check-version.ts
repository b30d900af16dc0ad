import { VizPromptError } from '../errors.ts';
import { compareFlows, describeFlowChange } from '../flow/flow-change.ts';
import type { StoredFlow } from '../flow/flow.ts';
import type { StoredNode } from '../node/node.ts';
import type { Project } from './project.ts';

/** Under which condition a flow is changed. */
export interface FlowEditOptions {
  /**
   * The flow as it was read, or its `version`: if somebody changed it since, nothing is done, and the
   * error with the code `conflict` says what changed. Default: any version.
   */
  readonly ifVersion?: string | StoredFlow;
}

/** Under which condition a node is changed. */
export interface NodeEditOptions {
  /**
   * The node as it was read, or its `version`: if somebody changed it since, nothing is done, and the
   * error with the code `conflict` says what changed. Default: any version.
   */
  readonly ifVersion?: string | StoredNode;
}

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
