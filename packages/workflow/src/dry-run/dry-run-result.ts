import {
  AMOUNT,
  having,
  type Kinds,
  OBJECT,
  optional,
  TEXT,
} from '@vizprompt/providers/config/internal';
import type { Step } from '../definition/step.ts';
import { reachableFrom, waysOf } from '../lint/flow-graph.ts';

/** A prompt as it would be sent. */
export interface DryRunPrompt {
  readonly workflow: string;
  readonly stepId: string;
  /** The role; absent where a person is asked. */
  readonly agent?: string;
  /** `provider:model`; absent where the role names none and there is no default, or a person is asked. */
  readonly model?: string;
  readonly system?: string;
  /** The rendered prompt. Outputs of other steps are shown as `⟨name⟩`. */
  readonly prompt: string;
  /** Why it could not be rendered; `prompt` is the template then. */
  readonly problem?: string;
  /** Input tokens of one call. */
  readonly inputTokens: Range;
  /** Output tokens of one call. */
  readonly outputTokens: Range;
  /** The cost of one call, in US dollars; absent without a price. */
  readonly costUsd?: Range;
}

/** The prompts that a run would send, and their cost. */
export interface DryRun {
  readonly workflow: string;
  readonly promptSet: string;
  /** The hash of the pinned definition, as a run would have it. */
  readonly hash: string;
  /** All that can be reached, in the order of the files. */
  readonly prompts: readonly DryRunPrompt[];
  /** Calls of models. */
  readonly calls: Range;
  readonly inputTokens: Range;
  readonly outputTokens: Range;
  /** US dollars of the models that have a price. */
  readonly costUsd: Range;
  /** Models that `prices` lacks, by their keys there; they are not in `costUsd`. */
  readonly unpriced: readonly string[];
  /** Roles that are called without a model: they name none, and there is no `defaultModel`. Not in `costUsd` either. */
  readonly withoutModel: readonly string[];
  /** Steps in cycles by `next_step` and subflows that run themselves: counted once, and nothing but `limits` ends them. */
  readonly unbounded: readonly string[];
}

/** The assumptions of a dry run. */
export interface DryRunOptions {
  /** Which prompts are used. Default: `'default'`, or the only one. */
  readonly promptSet?: string | undefined;
  /** For roles that name no model, as `provider:model`. */
  readonly defaultModel?: string | undefined;
  /** US dollars of a million tokens, by the id of the model without its provider. */
  readonly prices?: Readonly<Record<string, DryRunPrice>> | undefined;
  /** Tokens of an answer at most, where `maxOutputTokens` does not say. Default: 1,000. */
  readonly outputTokens?: number | undefined;
  /** Items of lists that are not known yet. Default: 0 to 10. */
  readonly items?: Range | undefined;
}

/** As `Price` of `@vizprompt/providers/middleware`. */
export interface DryRunPrice {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

export const DRY_RUN_KINDS: Kinds<DryRunOptions> = {
  promptSet: optional(TEXT),
  defaultModel: optional(TEXT),
  prices: optional(OBJECT),
  outputTokens: optional(AMOUNT),
  items: optional(having('{ min, max }', 'min', 'max')),
};

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
