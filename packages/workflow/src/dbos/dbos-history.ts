import { WorkflowError } from '../errors.ts';
import { fromText } from '../journal/journal-rows.ts';
import type { StepRecord } from '../journal/journal.ts';
import type { DbosApi } from './dbos-process.ts';

/** Workflows whose steps are asked for at a time. */
const AT_A_TIME = 8;

/** A workflow of DBOS that belongs to a run. */
interface FlowOfRun {
  readonly id: string;
  readonly status: string;
}

/** Returns the workflows of DBOS that belong to a run, in the order of their ids. */
export async function flowsOfRun(api: DbosApi, runId: string): Promise<FlowOfRun[]> {
  const found = await api.listWorkflows({
    workflow_id_prefix: runId,
    loadInput: false,
    loadOutput: false,
  });
  return found
    .filter(({ workflowID }) => isOfRun(workflowID, runId))
    .map(({ workflowID: id, status }) => ({ id, status }));
}

/**
 * Returns the steps of a run, of its attempts one after the other: those of the journal, and those that earlier
 * versions stored as steps of DBOS.
 */
export function allSteps(
  journal: readonly StepRecord[],
  dbos: readonly StepRecord[],
): readonly StepRecord[] {
  if (dbos.length === 0) return journal;
  return [...dbos, ...journal].toSorted((a, b) => a.endedAt - b.endedAt || a.seq - b.seq);
}

/** Returns the steps that workflows of DBOS have recorded, in the order in which they ended. */
export async function stepsOfFlows(api: DbosApi, ids: readonly string[]): Promise<StepRecord[]> {
  const found: StepRecord[] = [];
  const left = [...ids];
  const reader = async (): Promise<void> => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      for (const step of (await api.listWorkflowSteps(id)) ?? []) {
        const record = readStep(step.name, step.output);
        if (record) found.push(record);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, reader));
  return found.toSorted((a, b) => a.seq - b.seq || a.endedAt - b.endedAt);
}

/** Steps that failed have no output, and are done again. */
function readStep(name: string, output: unknown): StepRecord | undefined {
  if (typeof output !== 'string' || output === '') return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by earlier versions
  const step = JSON.parse(output) as StepRecord;
  return step.path === fromText(name) ? step : undefined;
}

/**
 * Returns the id of the DBOS workflow that leads a run: that of the run, and from the second attempt on with its number, since
 * a workflow of DBOS that has failed cannot continue.
 */
export function rootId(runId: string, attempt: number): string {
  return attempt === 1 ? runId : `${runId}~${attempt}`;
}

/** Returns the number of the attempt that a DBOS workflow makes at a run. */
export function attemptOf(root: string, runId: string): number {
  return root === runId ? 1 : Number(root.slice(runId.length + 1));
}

/** Checks whether a DBOS workflow belongs to a run. */
function isOfRun(workflowId: string, runId: string): boolean {
  if (!workflowId.startsWith(runId)) return false;
  return /^(?:~\d+)?(?:\/|$)/.test(workflowId.slice(runId.length));
}

/** @throws WorkflowError with the code `invalid-input` for an id that could be that of a part of another run. */
export function assertPlainId(runId: string): void {
  if (!/[~/]/.test(runId)) return;
  const message = `'${runId}' is no id of a run on DBOS: use one without '~' and '/'`;
  throw new WorkflowError('invalid-input', message, { context: { runId } });
}
