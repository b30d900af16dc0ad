import type { JsonValue } from '@vizprompt/providers';
import type {
  ActivityStep,
  AgentStep,
  FunctionStep,
  RetrieveStep,
  ToolStep,
} from '../definition/step.ts';
import { toPromptText } from '../language/template.ts';
import { valueAt } from '../language/variable-path.ts';
import { namedInputs, type Place, type ExecutionContext } from './execution-context.ts';
import { equipment } from './find-named.ts';
import { callAgent, callFunction } from './step-work.ts';
import { assertFits } from './validate-input.ts';

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
  const input = namedInputs(step.input_variables, context.variables);
  const call = equipment('function', engine.functions, step.function);
  return callFunction(context, place, {
    speaker: step.function,
    policies: step,
    input: () => ({ ...input }),
    // A copy: what a function does to its input must not change the variables.
    call: ({ signal }) =>
      call(structuredClone({ ...input }), { runId, key: `${runId}/${place.path}`, signal }),
  });
}

/** Runs a tool of the engine. */
export function runTool(
  context: ExecutionContext,
  step: ToolStep,
  place: Place,
): Promise<JsonValue> {
  const { runId, engine } = context.services;
  const input = namedInputs(step.input_variables, context.variables);
  const tool = equipment('tool', engine.tools, step.tool);
  return callFunction(context, place, {
    speaker: step.tool,
    policies: step,
    input: () => ({ ...input }),
    call: ({ signal }) =>
      tool.run(structuredClone({ ...input }), { id: `${runId}/${place.path}`, signal }),
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
  const { runId, engine, tell, budget, activityRecorder } = context.services;
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
      const spending = budget.forStep(path, {
        reserved: (amount, remaining) =>
          tell('budget:reserved', { path, stepId, spending: amount, remaining }),
        settled: (amount, remaining) =>
          tell('budget:settled', { path, stepId, spending: amount, remaining }),
      });
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
