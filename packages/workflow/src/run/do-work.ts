import type { ErrorJson, JsonObject, JsonValue, Usage } from '@vizprompt/providers';
import { fromErrorJson, isFatal, reasonOf, stepFailed, toErrorJson } from './failure.ts';
import { WorkTurn } from '../record/work-turn.ts';
import { giveOutput } from './give-output.ts';
import { unlessAborted } from './linked-signal.ts';
import { forkAt, type Place, type Thread } from './thread.ts';

/** A piece of work of a step. */
export interface StepWork {
  /** Who does it: the agent, the function, the tool, ... */
  readonly speaker: string;
  readonly agent?: string;
  readonly model?: string;
  readonly kind?: 'turn' | 'aggregate';
  /** What it is given, as recorders keep it. */
  input(): JsonValue;
  run(signal: AbortSignal): Promise<Worked>;
}

/** What came of it. */
interface Worked {
  readonly output: JsonValue;
  readonly model?: string;
  readonly usage?: Usage;
  readonly costUsd?: number;
}

/**
 * Does a piece of work once in the life of the run, and tells of it.
 *
 * @throws WorkflowError with the code `step-failed`, or one that ends the run.
 */
export async function doWork(thread: Thread, place: Place, work: StepWork): Promise<JsonValue> {
  const { services, scope, keepsFailures } = thread;
  const { path, stepId, type } = place;
  const { tell, record, clock } = services;
  const given = forkAt(thread, path)?.output;
  if (given !== undefined) return giveOutput(thread, place, given);
  const startedAt = services.engine.now();
  const turn =
    record &&
    new WorkTurn(record, {
      ...work,
      path,
      follows: thread.follows,
      startedAt,
    });
  let failure: unknown;
  let hasFailed = false;
  try {
    const done = await scope.step(place.name, async ({ signal }) => {
      const rest = clock.work();
      try {
        if (signal.aborted) throw reasonOf(signal);
        tell('step:started', {
          path,
          stepId,
          stepType: type,
          ...(work.agent === undefined ? {} : { agent: work.agent }),
          ...(work.model === undefined ? {} : { model: work.model }),
        });
        await turn?.began();
        const { output, ...more } = await unlessAborted(work.run(signal), signal);
        return { output, meta: { stepId, type, ...jsonOf(more) } };
      } catch (error) {
        if (signal.aborted) throw reasonOf(signal);
        if (isFatal(error)) throw error;
        failure = stepFailed({ runId: services.runId, path, stepId }, error);
        hasFailed = true;
        if (!keepsFailures) throw failure;
        return { output: null, meta: { stepId, type, error: jsonOf(toErrorJson(failure)) } };
      } finally {
        rest();
      }
    });
    const { meta = {}, output, isReplayed } = done;
    const error = errorIn(meta);
    if (error) {
      failure ??= fromErrorJson(error);
      hasFailed = true;
      throw failure;
    }
    tell('step:ended', {
      path,
      stepId,
      output,
      isReplayed,
      ...modelAndUsage(meta),
      ms: services.engine.now() - startedAt,
    });
    await turn?.ended({ status: 'done', output, ...modelAndUsage(meta) }, done);
    thread.follows = [path];
    return output;
  } catch (error) {
    if (hasFailed && error === failure) {
      const json = toErrorJson(error);
      tell('step:failed', { path, stepId, error: json });
      await turn?.ended(
        { status: 'failed', error: json },
        { startedAt, endedAt: services.engine.now() },
      );
    } else {
      await turn?.brokenOff(toErrorJson(error), services.engine.now());
    }
    throw error;
  }
}

function errorIn({ error }: JsonObject): ErrorJson | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written above
  return error === undefined ? undefined : (error as unknown as ErrorJson);
}

function modelAndUsage(meta: JsonObject): { model?: string; usage?: Usage } {
  const { model, usage } = meta;
  return {
    ...(typeof model === 'string' ? { model } : {}),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written above
    ...(usage === undefined ? {} : { usage: usage as Usage }),
  };
}

function jsonOf(value: object): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plain data of this package
  return value as JsonObject;
}
