import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { toMs } from '../definition/policies.ts';
import type { HumanStep, SleepStep } from '../definition/step.ts';
import { isFatal, stepFailed, toErrorJson, WorkflowError } from '../errors.ts';
import { renderPrompt } from '../language/template.ts';
import { valueAt } from '../language/variable-path.ts';
import {
  type ExecutionContext,
  namedInputs,
  type Place,
  policiesOf,
  type StepDone,
} from './execution-context.ts';
import { WorkTurn } from './run-record.ts';

/** Waits for a person. */
export async function runHuman(
  context: ExecutionContext,
  step: HumanStep,
  { name, path, stepId }: Place,
): Promise<JsonValue> {
  const { scope, services, variables } = context;
  const { definition, engine, tell, clock, record, runId } = services;
  const template = definition.prompts[step.prompt_id];
  if (template === undefined) {
    throw new WorkflowError('not-found', `there is no prompt '${step.prompt_id}'`);
  }
  const question = renderPrompt(template, namedInputs(step.input_variables, variables));
  const { timeout } = policiesOf(
    definition,
    step.timeout === undefined ? {} : { timeout: step.timeout },
  );
  const startedAt = engine.now();
  const known = scope.known?.(name);
  const isReplayed = known !== undefined;
  const { follows } = context;
  const input = (): JsonValue => question;
  const turn =
    record && new WorkTurn(record, { path, follows, speaker: 'person', input, startedAt });
  const rest = clock.ask();
  try {
    if (!isReplayed) await turn?.began();
    const value = await scope.waitFor(name, toQuestion(stepId, question, step.output?.schema), {
      asked: () => tell('step:waiting', { path, stepId, question }),
      ...(timeout?.total === undefined ? {} : { untilMs: startedAt + toMs(timeout.total) }),
    });
    if (!isReplayed) tell('step:answered', { path, stepId, value });
    const endedAt = engine.now();
    await turn?.ended({ status: 'done', output: value }, known ?? { startedAt, endedAt });
    tell('step:ended', { path, stepId, output: value, isReplayed, ms: endedAt - startedAt });
    context.follows = [path];
    return value;
  } catch (error) {
    const endedAt = engine.now();
    if (isFatal(error)) {
      // Where the engine was closed, the question stays open.
      if (error.code !== 'closed') await turn?.brokenOff(toErrorJson(error), endedAt);
      throw error;
    }
    const failure = stepFailed({ runId, path, stepId }, error);
    const json = toErrorJson(failure);
    tell('step:failed', { path, stepId, error: json });
    await turn?.ended({ status: 'failed', error: json }, { startedAt, endedAt });
    throw failure;
  } finally {
    rest();
  }
}

/** Waits; after a resume until the same time. */
export async function runSleep(
  { scope, variables, services }: ExecutionContext,
  step: SleepStep,
  { name, path, stepId, type }: Place,
): Promise<StepDone> {
  const until =
    step.until === undefined
      ? services.engine.now() + toMs(step.duration ?? 0)
      : timeOf(step.until, valueAt(step.until, variables));
  const isReplayed = scope.known?.(name) !== undefined;
  if (!isReplayed) services.tell('step:started', { path, stepId, stepType: type });
  const startedAt = services.engine.now();
  await scope.sleep(name, until);
  const ms = services.engine.now() - startedAt;
  services.tell('step:ended', { path, stepId, output: null, isReplayed, ms });
  return { output: undefined };
}

/** `Date.parse` takes nearly any text that has a number in it for a time. */
const ISO_TIME =
  /^((?:\d{4}|[+-]\d{6})-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i;

function timeOf(path: string, value: unknown): number {
  const text = typeof value === 'string' ? value.trim() : '';
  const [, day] = ISO_TIME.exec(text) ?? [];
  const at = day !== undefined && isDay(day) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  const message = `'until: ${path}' must be a time such as 2026-01-31T09:00:00Z, and is ${JSON.stringify(value)}`;
  throw new WorkflowError('condition-failed', message, { context: { path } });
}

/** `Date.parse` takes 30 February for 2 March. */
function isDay(text: string): boolean {
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** A question to a person, as the journal stores it, so that an answer from any process finds it. */
interface Question {
  readonly stepId: string;
  readonly text: string;
  /** Schema of the answer. */
  readonly schema?: JsonObject;
}

/** Returns a question as the journal keeps it. */
export function toQuestion(
  stepId: string,
  text: string,
  schema: JsonObject | undefined,
): JsonObject {
  return { stepId, text, ...(schema ? { schema } : {}) };
}

/** Reads a question of the journal. */
export function readQuestion(question: JsonValue): Question {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by toQuestion
  return question as unknown as Question;
}
