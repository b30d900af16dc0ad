import { type JsonValue, messageOf } from '@vizprompt/providers';
import type { ErrorJson } from '@vizprompt/providers/internal';
import { type Answer, answersVariable } from '../aggregate/answer.ts';
import { bestAnswer } from '../aggregate/best-of.ts';
import { combineAnswers } from '../aggregate/combine-answers.ts';
import { linkSignal } from '../calls/time-limit.ts';
import type { Aggregate, AggregateName, ParallelAgent } from '../definition/agent-call.ts';
import type { FailureMode } from '../definition/policies.ts';
import type { ForeachStep, MultiAgentStep, ParallelStep } from '../definition/step.ts';
import { fromErrorJson, isFatal, toErrorJson, WorkflowError } from '../errors.ts';
import { evaluate } from '../language/condition.ts';
import {
  errorsIn,
  forkAt,
  jsonOf,
  namedInputs,
  ownVariables,
  type Place,
  readPart,
  type ExecutionContext,
  toJson,
} from './execution-context.ts';
import { callAgent } from './step-work.ts';

/** Several agents answer at the same time. */
export async function runMultiAgent(
  context: ExecutionContext,
  step: MultiAgentStep,
  place: Place,
): Promise<JsonValue> {
  const { scope, variables, services, forks } = context;
  const isFirstSuccess = strategyOf(step) === 'firstSuccess';
  const mode = isFirstSuccess ? { quorum: 1 } : (step.failureMode ?? 'failFast');
  const names = partNames(step.agents_to_run);
  const followed: (readonly string[])[] = [];
  const parts = step.agents_to_run.map((call, at): ParallelPart => {
    const name = names[at] ?? String(at);
    return {
      name,
      async run(signal) {
        await services.counter.begin(`${place.path}/${name}`);
        const changes = forkAt(context, `${place.path}/${name}`)?.variables;
        const task = toJson({
          kind: 'agent',
          workflow: context.workflow,
          stepId: step.id,
          at,
          inputs: namedInputs(call.input_variables, { ...variables, ...changes }),
          forks,
          keepsFailures: context.keepsFailures || mode !== 'failFast',
          follows: context.follows,
        });
        const result = readPart(await scope.child(`${place.name}/${name}`, task, { signal }));
        followed[at] = result.follows;
        return result.output;
      },
    };
  });
  const ends = await runParallel(context, place, parts, {
    mode,
    maxConcurrency: step.maxConcurrency,
  });
  setPartErrors(variables, step.id, parts, ends);
  for (const [at, { output_variable: name }] of step.agents_to_run.entries()) {
    if (name !== undefined) variables[name] = valueOf(ends[at]);
  }
  const follows = followed.flat();
  if (follows.length > 0) context.follows = follows;
  const { aggregate } = step;
  if (aggregate === undefined) {
    return Object.fromEntries(ends.map((end, at) => [names[at] ?? '', valueOf(end)]));
  }
  const answers = ends.flatMap((end, at): Answer[] =>
    end.status === 'done'
      ? [{ name: names[at] ?? '', value: end.value, weight: step.agents_to_run[at]?.weight ?? 1 }]
      : [],
  );
  return aggregateAnswers(context, place, aggregate, answers);
}

function strategyOf({ aggregate }: MultiAgentStep): string | undefined {
  return typeof aggregate === 'object' ? aggregate.strategy : aggregate;
}

function valueOf(end: PartEnd | undefined): JsonValue {
  return end?.status === 'done' ? end.value : null;
}

const DEFAULT_CONCURRENCY = 8;

/** Does its steps for each item of a list, each in a context and with variables of its own. */
export async function runForeach(
  context: ExecutionContext,
  step: ForeachStep,
  place: Place,
): Promise<JsonValue> {
  const { scope, variables, forks } = context;
  const items = evaluate(step.in, variables);
  if (!Array.isArray(items)) {
    const given = items === null ? 'null' : typeof items;
    const message = `'in' of the step '${step.id}' must give a list, and gave ${given}: ${step.in}`;
    throw new WorkflowError('condition-failed', message, { context: { condition: step.in } });
  }
  const { failureMode = 'failFast', maxConcurrency = DEFAULT_CONCURRENCY } = step;
  const followed: (readonly string[])[] = [];
  const parts = items.map((item: JsonValue, at): ParallelPart => ({
    name: String(at),
    async run(signal) {
      const name = `${place.name}/${at}`;
      const own = { ...variables, [step.as]: item };
      if (step.indexAs !== undefined) own[step.indexAs] = at;
      const task = toJson({
        kind: 'item',
        workflow: context.workflow,
        stepId: step.id,
        variables: own,
        keepsFailures: context.keepsFailures || failureMode !== 'failFast',
        follows: context.follows,
        forks,
      });
      const result = readPart(await scope.child(name, task, { signal }));
      followed[at] = result.follows;
      return result.output;
    },
  }));
  const ends = await runParallel(context, place, parts, { mode: failureMode, maxConcurrency });
  setPartErrors(variables, step.id, parts, ends);
  const follows = followed.flat();
  if (follows.length > 0) context.follows = follows;
  return ends.map((end) => (end.status === 'done' ? end.value : null));
}

/** Runs branches at the same time, each with variables of its own. */
export async function runBranches(
  context: ExecutionContext,
  step: ParallelStep,
  place: Place,
): Promise<JsonValue> {
  const { scope, variables, forks } = context;
  const { join = 'all', errors = join === 'all' ? 'fail' : 'settle' } = step;
  const mode = modeOf(join, errors);
  const followed: (readonly string[])[] = [];
  const names = Object.keys(step.branches);
  const parts = names.map((name, at): ParallelPart => {
    return {
      name,
      async run(signal) {
        const task = toJson({
          kind: 'item',
          workflow: context.workflow,
          stepId: step.id,
          branch: name,
          variables: { ...variables },
          keepsFailures: context.keepsFailures || mode !== 'failFast',
          follows: context.follows,
          forks,
        });
        const result = readPart(await scope.child(`${place.name}/${name}`, task, { signal }));
        followed[at] = result.follows;
        return result.output;
      },
    };
  });
  const ends = await runParallel(context, place, parts, {
    mode,
    failsAtOnce: errors === 'fail',
    maxConcurrency: step.maxConcurrency,
  });
  setPartErrors(variables, step.id, parts, ends);
  const follows = followed.flat();
  if (follows.length > 0) context.follows = follows;
  return Object.fromEntries(names.map((name, at) => [name, valueOf(ends[at])]));
}

function modeOf(join: NonNullable<ParallelStep['join']>, errors: 'fail' | 'settle'): FailureMode {
  if (join !== 'all') return { quorum: join === 'any' ? 1 : join };
  return errors === 'fail' ? 'failFast' : 'settled';
}

/** Makes one value of several answers, by an agent where the strategy asks for one. */
async function aggregateAnswers(
  context: ExecutionContext,
  place: Place,
  aggregate: Aggregate | AggregateName,
  answers: readonly Answer[],
): Promise<JsonValue> {
  if (typeof aggregate === 'object' && isAsked(aggregate)) {
    const all = answersVariable(answers);
    const inputs = {
      answers: all,
      ...namedInputs(
        aggregate.input_variables,
        ownVariables({ ...context.variables, answers: all }),
      ),
    };
    const name = `${place.name}:${aggregate.strategy}`;
    const own = { ...place, name, path: `${place.path}:${aggregate.strategy}` };
    const outputOf = (reply: JsonValue): JsonValue =>
      aggregate.strategy === 'judge' ? reply : bestAnswer(reply, answers);
    const work = { call: aggregate, inputs, kind: 'aggregate', check: outputOf } as const;
    const output = outputOf(await callAgent(context, own, work));
    if (aggregate.output_variable !== undefined) {
      context.variables[aggregate.output_variable] = output;
    }
    return output;
  }
  const output = combineAnswers(aggregate, answers);
  await recordCombination(context, place, aggregate, answers, output);
  return output;
}

type Asked = Extract<Aggregate, { readonly strategy: 'judge' | 'bestOf' }>;

function isAsked(aggregate: Aggregate): aggregate is Asked {
  return aggregate.strategy === 'judge' || aggregate.strategy === 'bestOf';
}

/** For recorders, the answers come together here; there is nothing to do again after a resume. */
async function recordCombination(
  context: ExecutionContext,
  { path }: Place,
  aggregate: Exclude<Aggregate, Asked> | AggregateName,
  answers: readonly Answer[],
  output: JsonValue,
): Promise<void> {
  const { record, engine } = context.services;
  if (!record) return;
  const speaker = typeof aggregate === 'string' ? aggregate : aggregate.strategy;
  const own = `${path}:${speaker}`;
  const at = new Date(engine.now()).toISOString();
  await record.ended(
    {
      path: own,
      follows: context.follows,
      kind: 'aggregate',
      speaker,
      input: answersVariable(answers),
      startedAt: at,
    },
    { status: 'done', output, endedAt: at },
  );
  context.follows = [own];
}

/** A part of a parallel step. */
interface ParallelPart {
  readonly name: string;
  run(signal: AbortSignal): Promise<JsonValue>;
}

/** How a part ended: `stopped` because the others were enough. */
type PartEnd =
  | { readonly status: 'done'; readonly value: JsonValue }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'stopped' };

/** How parts are run. */
interface ParallelOptions {
  readonly mode: FailureMode;
  /** Default: all at once. */
  readonly maxConcurrency?: number | undefined;
  /** True if a failure decides in any mode. */
  readonly failsAtOnce?: boolean;
}

const STOPPED: PartEnd = { status: 'stopped' };

/**
 * Runs parts at the same time, begun in their order.
 *
 * @returns How each part ended, in their order.
 * @throws The error of a part (`failFast`), WorkflowError with the code `step-failed` where too few succeed, and
 * what ends the run.
 */
async function runParallel(
  context: ExecutionContext,
  place: Place,
  parts: readonly ParallelPart[],
  { mode, maxConcurrency = Infinity, failsAtOnce = mode === 'failFast' }: ParallelOptions,
): Promise<readonly PartEnd[]> {
  const { scope } = context;
  const needed = typeof mode === 'object' ? mode.quorum : undefined;
  const before =
    needed === undefined ? undefined : readDecision(scope.known?.(decisionOf(place))?.output);
  const ends: PartEnd[] = parts.map(() => STOPPED);
  const linked = parts.map(() => linkSignal(scope.signal));
  const runs: Promise<void>[] = [];
  const successes: number[] = [];
  const failures: number[] = [];
  const stopped = new WorkflowError('cancelled', `the other parts of '${place.path}' decided`);
  let fatal: { readonly error: unknown } | undefined;

  const isDecided = (): boolean => {
    if (fatal) return true;
    if (failsAtOnce && failures.length > 0) return true;
    if (mode === 'failFast') return false;
    if (needed === undefined) return false;
    return successes.length >= needed || parts.length - failures.length < needed;
  };

  const runPart = async (at: number, { run }: ParallelPart, signal: AbortSignal): Promise<void> => {
    try {
      ends[at] = { status: 'done', value: await run(signal) };
      successes.push(at);
    } catch (error) {
      // A part that the decision of the others stopped has no end of its own.
      if (signal.reason === stopped) return;
      if (isFatal(error)) fatal ??= { error };
      else {
        ends[at] = { status: 'failed', error };
        failures.push(at);
      }
    }
  };

  try {
    await new Promise<void>((resolve) => {
      let next = 0;
      let active = 0;
      const runNext = async (at: number): Promise<void> => {
        const [part, own] = [parts[at], linked[at]];
        // A part that was not used before a resume does not begin again.
        const isLeftOut = !part || !own || (before && !before.chosen.includes(at));
        if (isLeftOut) return;
        active++;
        await runPart(at, part, own.signal);
        active--;
        pump();
      };
      const canBegin = (): boolean =>
        !isDecided() && active < maxConcurrency && next < parts.length;
      const pump = (): void => {
        while (canBegin()) runs.push(runNext(next++));
        if (isDecided() || active === 0) resolve();
      };
      pump();
    });
    if (fatal) throw asError(fatal);
    const judgedEnds = judged(place, ends, failures, failsAtOnce ? 'failFast' : mode);
    // Where nothing failed and no part was first, there was nothing to decide.
    if (needed === undefined && failures.length === 0) return judgedEnds;
    const live: Decision = {
      chosen: [...successes],
      errors: Object.fromEntries(failures.map((at) => [at, errorOf(ends[at])])),
    };
    const { output } = await scope.step(decisionOf(place), async () => ({
      output: jsonOf(live),
      meta: { stepId: place.stepId, type: place.type, isInner: true },
    }));
    return asDecided(ends, readDecision(output) ?? live);
  } finally {
    for (const one of linked) one.abort(stopped);
    await Promise.allSettled(runs);
    for (const one of linked) one.unlink();
  }
}

/** Which parts were enough, and which had failed by then: time decided it, so the journal keeps it. */
interface Decision {
  readonly chosen: readonly number[];
  readonly errors: Readonly<Record<string, ErrorJson>>;
}

function asError({ error }: { readonly error: unknown }): unknown {
  return error;
}

function decisionOf({ name }: Place): string {
  return `${name}:chosen`;
}

function readDecision(output: JsonValue | undefined): Decision | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by runParallel
  return output === undefined ? undefined : (output as unknown as Decision);
}

function asDecided(ends: readonly PartEnd[], { chosen, errors }: Decision): PartEnd[] {
  return ends.map((end, at) => {
    if (chosen.includes(at)) return end;
    const error = errors[at];
    return error ? { status: 'failed', error: fromErrorJson(error) } : STOPPED;
  });
}

function errorOf(end: PartEnd | undefined): ErrorJson {
  return toErrorJson(end?.status === 'failed' ? end.error : undefined);
}

/** @throws WorkflowError with the code `step-failed` where too few parts succeeded. */
function judged(
  { path, stepId }: Place,
  ends: readonly PartEnd[],
  failures: readonly number[],
  mode: FailureMode,
): readonly PartEnd[] {
  const first = ends[failures[0] ?? -1];
  const cause = first?.status === 'failed' ? first.error : undefined;
  if (mode === 'failFast') {
    if (failures.length > 0) throw cause;
    return ends;
  }
  const needed = typeof mode === 'object' ? mode.quorum : Math.min(1, ends.length);
  const successes = ends.filter(({ status }) => status === 'done').length;
  if (successes >= needed) return ends;
  const why = cause === undefined ? '' : `; the first: ${messageOf(cause)}`;
  throw new WorkflowError(
    'step-failed',
    `the step '${path}' failed: ${failures.length} of its ${ends.length} parts failed, and ${needed} must succeed${why}`,
    { cause, context: { path, stepId, failed: failures.length, needed } },
  );
}

/** Puts the errors of parts that failed into the variable `errors`, under the step and the name of the part. */
function setPartErrors(
  variables: { [name: string]: JsonValue },
  stepId: string,
  parts: readonly Pick<ParallelPart, 'name'>[],
  ends: readonly PartEnd[],
): void {
  const failed = ends.flatMap((end, at) =>
    end.status === 'failed' ? [[parts[at]?.name ?? '', toErrorJson(end.error)] as const] : [],
  );
  if (failed.length === 0) return;
  const own = jsonOf(Object.fromEntries(failed));
  variables['errors'] = { ...errorsIn(variables), [stepId]: own };
}

/** Returns the names of parallel agents: their ids, and from the second of the same id on with a number: `critic~2`. */
export function partNames(agents: readonly ParallelAgent[]): readonly string[] {
  const counts = new Map<string, number>();
  return agents.map(({ agent_id: id }) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}~${count}`;
  });
}
