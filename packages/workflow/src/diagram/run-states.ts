import type { RunEvent } from '../events.ts';

/** What became of a step in a run, the last time that it was begun. */
export type StepState = 'running' | 'waiting' | 'done' | 'failed' | 'skipped';

/** A run as `WorkflowEngine.run` gives it. */
export interface StepsOfRun {
  readonly status: string;
  readonly steps: readonly { readonly stepId: string; readonly error?: unknown }[];
  readonly waiting: readonly { readonly stepId: string }[];
}

/** What is known of a run. */
export interface RunStates {
  /** The state of each step, by its id. */
  readonly states: ReadonlyMap<string, StepState>;
  /** Whether it came to the end of its workflow. */
  readonly isDone: boolean;
}

/** What the events of a run tell, or what the journal knows of it, or what is given. */
export function runStates(
  run: Iterable<RunEvent> | StepsOfRun | ReadonlyMap<string, StepState>,
): RunStates {
  if ('steps' in run) return { states: statesInJournal(run), isDone: run.status === 'done' };
  if ('get' in run) return { states: run, isDone: false };
  const events = [...run];
  const isDone = events.some((event) => event.type === 'run:ended' && event.status === 'done');
  return { states: stepStates(events), isDone };
}

/** The state of each step that the journal knows of, by its id. */
function statesInJournal({ steps, waiting }: StepsOfRun): ReadonlyMap<string, StepState> {
  const states = new Map<string, StepState>();
  for (const { stepId, error } of steps)
    states.set(stepId, error === undefined ? 'done' : 'failed');
  for (const { stepId } of waiting) states.set(stepId, 'waiting');
  return states;
}

/** The state of each step, by its id, as the events of a run tell. */
function stepStates(events: Iterable<RunEvent>): ReadonlyMap<string, StepState> {
  const states = new Map<string, StepState>();
  for (const event of events) {
    if (event.type === 'run:ended') {
      if (event.status === 'done') continue;
      for (const [id, state] of states) {
        if (state === 'running' || state === 'waiting') states.set(id, 'failed');
      }
      continue;
    }
    const state = 'stepId' in event ? stateAfter(event.type) : undefined;
    if (state && 'stepId' in event) states.set(event.stepId, state);
  }
  return states;
}

function stateAfter(type: RunEvent['type']): StepState | undefined {
  switch (type) {
    case 'step:started':
    case 'step:answered':
      return 'running';
    case 'step:waiting':
      return 'waiting';
    case 'step:ended':
      return 'done';
    case 'step:failed':
      return 'failed';
    case 'step:skipped':
      return 'skipped';
    default:
      return undefined;
  }
}
