import type { Step } from '../definition/step.ts';
import { allSteps } from '../definition/walk-steps.ts';
import type { WorkflowDefinition } from '../definition/workflow-file.ts';
import { reachableFrom, startOf, waysOf } from '../lint/flow-graph.ts';
import type { StepState } from './run-states.ts';

/** More are not drawn. */
const MOST = 500;

/**
 * The ids of branches that a run has passed. A run keeps nothing of them; but where every way to a step that it came
 * to, or to the end, leads through a branch, it has passed that.
 */
export function passedBranches(
  { steps, initial_step: initial }: WorkflowDefinition,
  states: ReadonlyMap<string, StepState>,
  isDone: boolean,
): readonly string[] {
  if (states.size === 0 && !isDone) return [];
  const bodies = Array.from(allSteps(steps), ({ step }) => ('steps' in step ? step.steps : []));
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

/** Whether a run came to a step, or to one of its body. */
function isVisited(step: Step | undefined, states: ReadonlyMap<string, StepState>): boolean {
  return step !== undefined && [...allSteps([step])].some(({ step: { id } }) => states.has(id));
}
