import type { Step } from '../definition/step.ts';
import { reachableFrom, waysOf } from '../lint/flow-graph.ts';

/** The least and the most of something. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

export const NOTHING: Range = { min: 0, max: 0 };

/** One after the other. */
export function plus(one: Range, other: Range): Range {
  return { min: one.min + other.min, max: one.max + other.max };
}

/** This many times. */
function times(range: Range, count: Range): Range {
  return { min: range.min * count.min, max: range.max * count.max };
}

/** One of the two. */
export function either(one: Range, other: Range): Range {
  return { min: Math.min(one.min, other.min), max: Math.max(one.max, other.max) };
}

/** The usage of a part of a run. */
export interface Estimate {
  readonly calls: Range;
  readonly inputTokens: Range;
  readonly outputTokens: Range;
  readonly costUsd: Range;
}

export const FREE: Estimate = {
  calls: NOTHING,
  inputTokens: NOTHING,
  outputTokens: NOTHING,
  costUsd: NOTHING,
};

type Combine = (one: Range, other: Range) => Range;

export function combine(one: Estimate, other: Estimate, by: Combine): Estimate {
  return {
    calls: by(one.calls, other.calls),
    inputTokens: by(one.inputTokens, other.inputTokens),
    outputTokens: by(one.outputTokens, other.outputTokens),
    costUsd: by(one.costUsd, other.costUsd),
  };
}

/** Returns an estimate that holds this many times. */
export function repeated(estimate: Estimate, count: Range): Estimate {
  return combine(estimate, FREE, (range) => times(range, count));
}

/** Returns the estimates of all ways through a list of steps, and the steps that ways lead through more than once. */
export function estimateWays(
  steps: readonly Step[],
  start: number,
  ofStep: (step: Step) => Estimate,
): { readonly estimate: Estimate; readonly cycles: readonly string[] } {
  const ways = waysOf(steps);
  const reached = reachableFrom(ways, start);
  const own = new Map(
    steps.flatMap((step, at): [number, Estimate][] =>
      reached.has(at) ? [[at, ofStep(step)]] : [],
    ),
  );
  const after = new Map<number, Estimate>();
  const cycles = new Set<string>();
  const onWay = new Set<number>();
  // Without recursion: a list may have thousands of steps.
  const open: number[] = [start];
  while (open.length > 0) {
    const at = open.at(-1) ?? start;
    if (!steps[at] || after.has(at)) {
      open.pop();
      continue;
    }
    const next = (ways[at] ?? []).filter(({ isFailure }) => !isFailure);
    const isOpen = !onWay.has(at);
    onWay.add(at);
    const missing = next.flatMap(({ to }) => (to === undefined || after.has(to) ? [] : [to]));
    const waiting = missing.filter((to) => !onWay.has(to));
    if (isOpen && waiting.length > 0) {
      open.push(...waiting);
      continue;
    }
    for (const to of missing) if (onWay.has(to)) cycles.add(steps[to]?.id ?? '');
    const rests = next
      .filter(({ to }) => to === undefined || after.has(to))
      .map(({ to }) => (to === undefined ? FREE : (after.get(to) ?? FREE)));
    const [first = FREE, ...others] = rests;
    const rest = others.reduce((sum, one) => combine(sum, one, either), first);
    after.set(at, combine(own.get(at) ?? FREE, rest, plus));
    onWay.delete(at);
    open.pop();
  }
  return { estimate: after.get(start) ?? FREE, cycles: [...cycles] };
}
