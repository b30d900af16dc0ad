import { toText } from '../journal/journal-rows.ts';
import { WorkflowError } from '../errors.ts';

/**
 * The id of the DBOS workflow that leads a run: that of the run, and from the second attempt on with its number, since
 * a workflow of DBOS that has failed cannot go on.
 */
export function rootId(runId: string, attempt: number): string {
  return attempt === 1 ? runId : `${runId}~${attempt}`;
}

/** The number of the attempt that a DBOS workflow makes at a run. */
export function attemptOf(root: string, runId: string): number {
  return root === runId ? 1 : Number(root.slice(runId.length + 1));
}

/** The id of the DBOS workflow of a thread; `execution` tells those of executions before apart. */
export function branchId(root: string, path: string, execution: number): string {
  return `${root}/${toText(path)}${execution === 1 ? '' : `~${execution}`}`;
}

/** Whether a DBOS workflow belongs to a run. */
export function isOfRun(workflowId: string, runId: string): boolean {
  if (!workflowId.startsWith(runId)) return false;
  return /^(?:~\d+)?(?:\/|$)/.test(workflowId.slice(runId.length));
}

/** @throws WorkflowError with the code `invalid-input` for an id that could be that of a part of another run. */
export function assertPlainId(runId: string): void {
  if (!/[~/]/.test(runId)) return;
  const message = `'${runId}' is no id of a run on DBOS: use one without '~' and '/'`;
  throw new WorkflowError('invalid-input', message, { context: { runId } });
}
