import type { Spending } from '@vizprompt/providers';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import type { RunEvent } from '../events.ts';
import { NO_HISTORY, type RunHistory, type StoredRun } from '../journal/journal.ts';
import { workflowNamed } from '../run/execution-context.ts';
import { type EngineParts, ActiveRun } from '../runtime/active-run.ts';
import { wholeHistory } from '../journal/journal.ts';
import { stepsToGoOn } from '../runtime/resume-history.ts';
import { allSteps, flowsOfRun, stepsOfFlows } from './dbos-history.ts';
import type { DbosProcess } from './dbos-process.ts';
import type { DispatchRow } from './dispatch.ts';

/** A run that a worker has claimed. */
interface ClaimedRun {
  readonly run: StoredRun;
  readonly definition: DefinitionSnapshot;
  readonly dispatch: DispatchRow;
}

/** The parts that are needed to lead it. */
interface LeadNeeds {
  readonly process: DbosProcess;
  readonly parts: EngineParts;
  readonly hear: (event: RunEvent) => void;
  history(runId: string): Promise<RunHistory>;
  /**
   * Counts a takeover of a run that has finished some steps.
   *
   * @throws WorkflowError with the code `limit` if there were too many without one more step.
   */
  takenOver(steps: number): Promise<void>;
}

/** Leads a run within its workflow of DBOS, from where it was. */
export async function leadDbosRun(
  { run, definition, dispatch }: ClaimedRun,
  needs: LeadNeeds,
): Promise<ActiveRun> {
  const { process, parts, hear } = needs;
  const { attempt, executions, allowance } = dispatch;
  const { id: runId, task } = run;
  const isResumed = attempt > 1 || executions > 1;
  const isNew = !isResumed && run.forkedFrom === undefined;
  let history = isNew ? NO_HISTORY : wholeHistory(await needs.history(runId));
  if (isResumed) {
    const steps = await recordedSteps(process, runId);
    history = { ...history, steps: stepsToGoOn(allSteps(history.steps, steps)) };
  }
  if (executions > 1) await needs.takenOver(history.steps.length);
  return new ActiveRun(parts, {
    id: runId,
    definition: allowance ? withAllowance(definition, allowance) : definition,
    task,
    history,
    isResumed,
    hear,
  });
}

/** Reads the steps that earlier versions left in DBOS; their threads, which have no leader any more, are ended. */
async function recordedSteps({ api }: DbosProcess, runId: string): Promise<RunHistory['steps']> {
  const flows = await flowsOfRun(api, runId);
  const left = flows.filter(({ id, status }) => id.includes('/') && status === 'PENDING');
  if (left.length > 0) await api.cancelWorkflows(left.map(({ id }) => id));
  const ids = flows.map(({ id }) => id);
  return stepsOfFlows(api, ids);
}

/** A budget that the run was given is one more of its limits, so that it counts after a takeover as well. */
function withAllowance(definition: DefinitionSnapshot, allowance: Spending): DefinitionSnapshot {
  const workflow = workflowNamed(definition, definition.name);
  const limits = { ...workflow.limits };
  for (const name of ['tokens', 'costUsd'] as const) {
    const left = allowance[name];
    if (left !== undefined) limits[name] = Math.min(left, limits[name] ?? Infinity);
  }
  return {
    ...definition,
    workflows: { ...definition.workflows, [definition.name]: { ...workflow, limits } },
  };
}
