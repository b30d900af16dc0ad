import type { Step } from '../definition/step.ts';
import { allSteps, bodiesOf } from '../definition/walk-steps.ts';
import type { WorkflowDefinition } from '../definition/workflow-file.ts';
import type { RunEvent } from '../events.ts';
import { reachableFrom, startOf, waysOf } from '../lint/flow-graph.ts';

/** The state of a step in a run, the last time that it was begun. */
export type StepState = 'running' | 'waiting' | 'done' | 'failed' | 'skipped';

/** A run as `WorkflowEngine.run` gives it. */
export interface StepsOfRun {
  readonly status: string;
  readonly steps: readonly { readonly stepId: string; readonly error?: unknown }[];
  readonly waiting: readonly { readonly stepId: string }[];
}

/** The known states of a run. */
interface RunStates {
  /** The state of each step, by its id. */
  readonly states: ReadonlyMap<string, StepState>;
  /** True if it came to the end of its workflow. */
  readonly isDone: boolean;
}

/** Reads the states from the events of a run, from the journal, or as given. */
export function runStates(
  run: Iterable<RunEvent> | StepsOfRun | ReadonlyMap<string, StepState>,
): RunStates {
  if ('steps' in run) return { states: statesInJournal(run), isDone: run.status === 'done' };
  if ('get' in run) return { states: run, isDone: false };
  const events = [...run];
  const isDone = events.some((event) => event.type === 'run:ended' && event.status === 'done');
  return { states: stepStates(events), isDone };
}

/** Returns the state of each step that the journal knows of, by its id. */
function statesInJournal({ steps, waiting }: StepsOfRun): ReadonlyMap<string, StepState> {
  const states = new Map<string, StepState>();
  for (const { stepId, error } of steps)
    states.set(stepId, error === undefined ? 'done' : 'failed');
  for (const { stepId } of waiting) states.set(stepId, 'waiting');
  return states;
}

/** Returns the state of each step, by its id, from the events of a run. */
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

/** More are not drawn. */
const MOST = 500;

/**
 * Returns the ids of branches that a run has passed. A run keeps nothing of them; but where every way to a step that it came
 * to, or to the end, leads through a branch, it has passed that.
 */
export function passedBranches(
  { steps, initial_step: initial }: WorkflowDefinition,
  states: ReadonlyMap<string, StepState>,
  isDone: boolean,
): readonly string[] {
  if (states.size === 0 && !isDone) return [];
  const bodies = [...allSteps(steps)].flatMap(({ step }) =>
    bodiesOf(step).map((body) => body.steps),
  );
  return [
    ...passedIn(steps, startOf(steps, initial), states, isDone),
    ...bodies.flatMap((body) => passedIn(body, 0, states, false)),
  ];
}

function passedIn(
  steps: readonly Step[],
  start: number,
  states: ReadonlyMap<string, StepState>,
  isDone: boolean,
): readonly string[] {
  const places = [...steps.keys()].filter((at) => isBranch(steps[at])).slice(0, MOST);
  if (places.length === 0) return [];
  const ways = waysOf(steps);
  const visited = [...steps.keys()].filter((at) => isVisited(steps[at], states));
  return places.flatMap((place) => {
    const others = reachableFrom(ways.with(place, []), start);
    others.delete(place);
    const isLeft = [...others].some((at) => ways[at]?.some(({ to }) => to === undefined));
    const isPassed = visited.some((at) => !others.has(at)) || (isDone && !isLeft);
    return isPassed ? [steps[place]?.id ?? ''] : [];
  });
}

/** One with a condition of its own may have been left out. */
function isBranch(step: Step | undefined): boolean {
  return step?.type === 'branch' && step.when === undefined;
}

/** Checks whether a run came to a step, or to one of its body. */
function isVisited(step: Step | undefined, states: ReadonlyMap<string, StepState>): boolean {
  return step !== undefined && [...allSteps([step])].some(({ step: { id } }) => states.has(id));
}
