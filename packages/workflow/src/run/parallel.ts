import { messageOf, type ErrorJson, type JsonObject, type JsonValue } from '@vizprompt/providers';
import type { FailureMode } from '../definition/policies.ts';
import { WorkflowError } from '../errors.ts';
import { fromErrorJson, isFatal, toErrorJson } from './failure.ts';
import { linkSignal } from './linked-signal.ts';
import type { Place, Thread } from './thread.ts';

/** A part of a parallel step. */
export interface ParallelPart {
  readonly name: string;
  run(signal: AbortSignal): Promise<JsonValue>;
}

/** How a part ended: `stopped` because the others were enough. */
export type PartEnd =
  | { readonly status: 'done'; readonly value: JsonValue }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'stopped' };

/** How parts are run. */
export interface ParallelOptions {
  readonly mode: FailureMode;
  /** Default: all at once. */
  readonly maxConcurrency?: number | undefined;
}

const STOPPED: PartEnd = { status: 'stopped' };

/**
 * Runs parts at the same time, begun in their order.
 *
 * @returns How each part ended, in their order.
 * @throws The error of a part (`failFast`), WorkflowError with the code `step-failed` where too few succeed, and
 * what ends the run.
 */
export async function runParallel(
  thread: Thread,
  place: Place,
  parts: readonly ParallelPart[],
  { mode, maxConcurrency = Infinity }: ParallelOptions,
): Promise<readonly PartEnd[]> {
  const { scope } = thread;
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
    if (mode === 'failFast') return failures.length > 0;
    if (needed === undefined) return false;
    return successes.length >= needed || parts.length - failures.length < needed;
  };

  const runPart = async (at: number, { run }: ParallelPart, signal: AbortSignal): Promise<void> => {
    try {
      ends[at] = { status: 'done', value: await run(signal) };
      successes.push(at);
    } catch (error) {
      // What the decision of the others stopped has no end of its own.
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
        // Who took no part before a resume does not begin again.
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
    const judgedEnds = judged(place, ends, failures, mode);
    // Where nothing failed and nobody was first, there was nothing to decide.
    if (needed === undefined && failures.length === 0) return judgedEnds;
    const live: Decision = {
      chosen: [...successes],
      errors: Object.fromEntries(failures.map((at) => [at, errorOf(ends[at])])),
    };
    const { output } = await scope.step(decisionOf(place), async () => ({
      output: toJson(live),
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

function toJson(decision: Decision): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is plain
  return decision as unknown as JsonObject;
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
