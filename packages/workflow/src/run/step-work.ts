import { type JsonObject, type JsonValue, messageOf, type Usage } from '@vizprompt/providers';
import type { ErrorJson } from '@vizprompt/providers/internal';
import { askAgent } from '../calls/ask-agent.ts';
import { retryByRules, type RetryNotice } from '../calls/retry-backoff.ts';
import type { CallBudget } from '../calls/run-limits.ts';
import { CallDeadline, type TimedAttempt, unlessAborted, withinTime } from '../calls/time-limit.ts';
import type { AgentCall } from '../definition/agent-call.ts';
import type {
  ActivityStep,
  AgentStep,
  FunctionStep,
  RetrieveStep,
  ToolStep,
  Variables,
} from '../definition/step.ts';
import { fromErrorJson, isFatal, reasonOf, stepFailed, toErrorJson } from '../errors.ts';
import { renderPrompt, toPromptText } from '../language/template.ts';
import { valueAt } from '../language/variable-path.ts';
import { AgentTools, type AskModel, type StepTools } from './agent-tools.ts';
import {
  equipment,
  type ExecutionContext,
  forkAt,
  jsonOf,
  namedInputs,
  ofPromptSet,
  type Place,
  type Policies,
  policiesOf,
  type RunServices,
} from './execution-context.ts';
import { WorkTurn } from './run-record.ts';
import { assertFits } from './validate-input.ts';

/** A piece of work of a step. */
interface StepWork {
  /** The name of the agent, function, tool, ... */
  readonly speaker: string;
  readonly agent?: string;
  readonly model?: string;
  readonly kind?: 'turn' | 'aggregate';
  /** Its input, as recorders store it. */
  input(): JsonValue;
  /** Work before it that the journal keeps on its own. */
  prepare?(): Promise<void>;
  run(signal: AbortSignal): Promise<Worked>;
}

/** The result. */
interface Worked {
  readonly output: JsonValue;
  readonly model?: string;
  readonly usage?: Usage;
  readonly costUsd?: number;
  /** Why the answer is not whole, where the step allows that. */
  readonly finishReason?: string;
}

/**
 * Does a piece of work once in the life of the run, and emits its events.
 *
 * @throws WorkflowError with the code `step-failed`, or one that ends the run.
 */
async function doWork(context: ExecutionContext, place: Place, work: StepWork): Promise<JsonValue> {
  const { services, scope, keepsFailures } = context;
  const { path, stepId, type } = place;
  const { tell, record, clock } = services;
  const given = forkAt(context, path)?.output;
  if (given !== undefined) return giveOutput(context, place, given);
  const startedAt = services.engine.now();
  const turn =
    record &&
    new WorkTurn(record, {
      ...work,
      path,
      follows: context.follows,
      startedAt,
    });
  let failure: unknown;
  let hasFailed = false;
  const begin = async (): Promise<void> => {
    tell('step:started', {
      path,
      stepId,
      stepType: type,
      ...(work.agent === undefined ? {} : { agent: work.agent }),
      ...(work.model === undefined ? {} : { model: work.model }),
    });
    await turn?.began();
  };
  let prepared: { readonly error: unknown } | undefined;
  let isPrepared = false;
  try {
    if (work.prepare && !scope.known?.(place.name)) {
      isPrepared = true;
      await begin();
      try {
        await work.prepare();
      } catch (error) {
        if (scope.signal.aborted) throw reasonOf(scope.signal);
        if (isFatal(error)) throw error;
        prepared = { error };
      }
    }
    const done = await scope.step(place.name, async ({ signal }) => {
      const rest = clock.work();
      try {
        if (signal.aborted) throw reasonOf(signal);
        if (prepared) throw prepared.error;
        if (!isPrepared) await begin();
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
      ...answerMeta(meta),
      ms: services.engine.now() - startedAt,
    });
    await turn?.ended({ status: 'done', output, ...answerMeta(meta) }, done);
    context.follows = [path];
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

function answerMeta(meta: JsonObject): { model?: string; usage?: Usage; finishReason?: string } {
  const { model, usage, finishReason } = meta;
  return {
    ...(typeof model === 'string' ? { model } : {}),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written above
    ...(usage === undefined ? {} : { usage: usage as Usage }),
    ...(typeof finishReason === 'string' ? { finishReason } : {}),
  };
}

/** A call of an agent, with the values of its inputs. */
interface AgentWork {
  readonly call: AgentCall;
  readonly inputs: { readonly [name: string]: JsonValue };
  readonly kind?: 'turn' | 'aggregate';
  /** Tools of the step, which makes the output of the turn. */
  readonly own?: StepTools;
  /** Throws where an answer is of no use: the model is asked again, and then it is not kept, so that `resume` asks again. */
  readonly check?: (answer: JsonValue) => void;
}

/** Lets an agent answer, after it has called tools perhaps. */
export async function callAgent(
  context: ExecutionContext,
  place: Place,
  { call, inputs, kind = 'turn', own, check }: AgentWork,
): Promise<JsonValue> {
  const { services } = context;
  const { definition, engine, tell } = services;
  const role = ofPromptSet('role', definition.agent_roles, call.agent_id);
  const template = ofPromptSet('prompt', definition.prompts, call.prompt_id);
  const names = engine.models.namesOf(definition, call);
  const { path, stepId } = place;
  const tools = (call.tools ?? own) && new AgentTools(context, place, call, own);
  let rendered: string | undefined;
  const prompt = (): string => (rendered ??= renderPrompt(template, inputs));
  const [model] = names;
  const ask: AskModel = async (signal, round) => {
    const models = [];
    for (const name of names) models.push({ name, model: await engine.models.model(name) });
    return askAgent({
      path,
      models,
      system: role.system_prompt,
      prompt: prompt(),
      ...round,
      output: call.output,
      temperature: call.temperature,
      maxOutputTokens: call.maxOutputTokens,
      allowTruncated: call.allowTruncated ?? false,
      check,
      ...policiesOf(definition, call),
      signal,
      limiter: engine.limiter,
      middleware: engine.middleware({
        runId: services.runId,
        path,
        stepId,
        agent: call.agent_id,
      }),
      prices: engine.prices,
      runBudget: services.budget,
      budget: budgetOf(services, place),
      onDelta: (piece, text) => tell('step:delta', { path, stepId, kind: piece, text }),
      onRetry: retryTeller(services, place),
      onFallback: (from, to, error) =>
        tell('step:fell-back', { path, stepId, from, to, error: toErrorJson(error) }),
    });
  };
  return doWork(context, place, {
    speaker: call.agent_id,
    agent: call.agent_id,
    kind,
    ...(model === undefined ? {} : { model }),
    input: prompt,
    ...(tools ? { prepare: () => tools.converse(ask) } : {}),
    run: async (signal) => tools?.answer ?? ask(signal),
  });
}

/** A call of something that the engine was given: a function, a tool, a retriever, an activity. */
interface FunctionWork {
  readonly speaker: string;
  readonly policies: Policies;
  input(): JsonValue;
  /** One attempt. Its result becomes JSON. */
  call(attempt: TimedAttempt): unknown;
}

/** Calls it when there is a place, within its time, again where it failed and may succeed. */
function callFunction(
  context: ExecutionContext,
  place: Place,
  work: FunctionWork,
): Promise<JsonValue> {
  const { engine, definition, budget } = context.services;
  return doWork(context, place, {
    speaker: work.speaker,
    input: work.input,
    async run(signal) {
      const { retry, timeout } = policiesOf(definition, work.policies);
      const deadline = new CallDeadline(timeout, signal);
      const output = await retryByRules(
        {
          rules: retry ?? {},
          isAskedFor: retry !== undefined,
          signal: deadline.signal,
          onRetry: retryTeller(context.services, place),
        },
        async () => {
          const release = await engine.limiter.acquire(deadline.signal);
          deadline.start();
          try {
            return await withinTime(timeout, deadline.signal, async (attempt) =>
              work.call(attempt),
            );
          } catch (error) {
            throw budget.limitOf(error, place.path) ?? error;
          } finally {
            release();
          }
        },
      ).finally(() => deadline.close());
      return { output: toJsonValue(output, work.speaker) };
    },
  });
}

/** Returns the budget for the calls of a step, which emits what is reserved and spent; `undefined` where nothing is limited. */
function budgetOf({ budget, tell }: RunServices, { path, stepId }: Place): CallBudget | undefined {
  return budget.forStep(path, {
    reserved: (spending, remaining) =>
      tell('budget:reserved', { path, stepId, spending, remaining }),
    settled: (spending, remaining) => tell('budget:settled', { path, stepId, spending, remaining }),
  });
}

function retryTeller(
  { tell }: RunServices,
  { path, stepId }: Place,
): (notice: RetryNotice) => void {
  return ({ attempt, waitMs, error }) =>
    tell('step:retried', { path, stepId, attempt, waitMs, error: toErrorJson(error) });
}

/** Returns the value as the journal would give it back. */
function toJsonValue(value: unknown, speaker: string): JsonValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined) throw new TypeError(`a ${typeof value} has none`);
    const json: JsonValue = JSON.parse(text);
    return json;
  } catch (cause) {
    throw new TypeError(`what '${speaker}' gave is no JSON: ${messageOf(cause)}`, { cause });
  }
}

/** Returns the output that a fork gave the step. It is in the journal like any other: a fork of the fork takes it over. */
export async function giveOutput(
  { scope, services }: ExecutionContext,
  { name, path, stepId, type }: Place,
  output: JsonValue,
): Promise<JsonValue> {
  await scope.step(name, async () => ({ output, meta: { stepId, type } }));
  services.tell('step:ended', { path, stepId, output, isReplayed: true, ms: 0 });
  return output;
}

/** One agent answers. */
export function runAgent(
  context: ExecutionContext,
  step: AgentStep,
  place: Place,
): Promise<JsonValue> {
  const inputs = namedInputs(step.input_variables, context.variables);
  return callAgent(context, place, { call: step, inputs });
}

/** Calls a function of the engine. */
export function runFunction(
  context: ExecutionContext,
  step: FunctionStep,
  place: Place,
): Promise<JsonValue> {
  const { runId, engine } = context.services;
  const call = equipment('function', engine.functions, step.function);
  return callWithInputs(context, step, place, step.function, (input, key, signal) =>
    call(input, { runId, key, signal }),
  );
}

/** Runs a tool of the engine. */
export function runTool(
  context: ExecutionContext,
  step: ToolStep,
  place: Place,
): Promise<JsonValue> {
  const tool = equipment('tool', context.services.engine.tools, step.tool);
  return callWithInputs(context, step, place, step.tool, (input, id, signal) =>
    tool.run(input, { id, signal }),
  );
}

/** Calls a function or a tool with the variables that its step names, and a key that is the same in each attempt. */
function callWithInputs(
  context: ExecutionContext,
  step: FunctionStep | ToolStep,
  place: Place,
  speaker: string,
  call: (input: Variables, key: string, signal: AbortSignal) => unknown,
): Promise<JsonValue> {
  const { runId } = context.services;
  const input = namedInputs(step.input_variables, context.variables);
  return callFunction(context, place, {
    speaker,
    policies: step,
    input: () => ({ ...input }),
    // A copy: what a function does to its input must not change the variables.
    call: ({ signal }) => call(structuredClone({ ...input }), `${runId}/${place.path}`, signal),
  });
}

const DEFAULT_LIMIT = 5;

/** Looks passages up. */
export function runRetrieve(
  context: ExecutionContext,
  step: RetrieveStep,
  place: Place,
): Promise<JsonValue> {
  const query = toPromptText(valueAt(step.query, context.variables));
  const { engine, runId: conversation } = context.services;
  const retriever = equipment('retriever', engine.retrievers, step.retriever);
  const { limit = DEFAULT_LIMIT, k = limit, filter } = step;
  return callFunction(context, place, {
    speaker: step.retriever,
    policies: step,
    input: () => query,
    call: ({ signal }) =>
      retriever.retrieve(query, {
        limit: k,
        k,
        signal,
        conversation,
        ...(filter === undefined ? {} : { filter }),
      }),
  });
}

/** Runs an activity of the engine, again under the same key after a crash. */
export function runActivity(
  context: ExecutionContext,
  step: ActivityStep,
  place: Place,
): Promise<JsonValue> {
  const { runId, engine, tell, activityRecorder } = context.services;
  const { path, stepId } = place;
  const input = namedInputs(step.input_variables, context.variables);
  const activity = equipment('activity', engine.activities, step.activity);
  return callFunction(context, place, {
    speaker: step.activity,
    policies: step,
    input: () => ({ ...input }),
    async call({ signal, alive }) {
      const own = structuredClone({ ...input });
      if (activity.input) await assertFits(activity.input, own, `the input of '${step.activity}'`);
      const spending = budgetOf(context.services, place);
      const output = await activity.run(own, {
        key: `${runId}/${path}`,
        signal,
        emit: (name, payload) => {
          alive();
          tell('step:emitted', { path, stepId, name, payload });
        },
        ...(spending ? { budget: spending.budget } : {}),
        ...(activityRecorder ? { recorder: activityRecorder } : {}),
      });
      await spending?.written();
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked where it says what it is
      const value = (output ?? null) as JsonValue;
      if (activity.output)
        await assertFits(activity.output, value, `the output of '${step.activity}'`);
      return value;
    },
  });
}
