import type { Step } from '../definition/step.ts';

/** A way from a step to another of the same list, or to its end. */
export interface Way {
  /** The place in the list; `undefined` for the end. */
  readonly to: number | undefined;
  /** True if it is taken because the step failed: it has set nothing then. */
  readonly isFailure: boolean;
}

/** Returns the ways that lead from each step of a list. Names that are not there lead nowhere. */
export function waysOf(steps: readonly Step[]): readonly (readonly Way[])[] {
  const places = new Map(steps.map(({ id }, at) => [id, at]));
  return steps.map((step, at) => {
    const after = at + 1 < steps.length ? at + 1 : undefined;
    const ways: Way[] = [];
    const add = (name: string | undefined, isFailure = false): void => {
      if (name === undefined) ways.push({ to: after, isFailure });
      else if (name === 'end') ways.push({ to: undefined, isFailure });
      else if (places.has(name)) ways.push({ to: places.get(name), isFailure });
    };
    if (step.type === 'branch') {
      for (const { next_step } of step.branches) add(next_step);
      add(step.else ?? step.next_step);
      if (step.when !== undefined) add(step.next_step);
    } else {
      add(step.next_step);
    }
    if (typeof step.onError === 'object' && 'goto' in step.onError) add(step.onError.goto, true);
    return ways;
  });
}

/** Returns the places of a list that can be reached from one of them, itself included. */
export function reachableFrom(ways: readonly (readonly Way[])[], start: number): Set<number> {
  const reached = new Set([start]);
  for (const at of reached) {
    for (const { to } of ways[at] ?? []) if (to !== undefined) reached.add(to);
  }
  return reached;
}

/** Returns the place of the first step. */
export function startOf(steps: readonly Step[], initial: string | undefined): number {
  return initial === undefined
    ? 0
    : Math.max(
        0,
        steps.findIndex(({ id }) => id === initial),
      );
}
