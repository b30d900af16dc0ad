import type { JsonObject, JsonValue } from '@vizprompt/providers';
import type { ErrorJson } from '@vizprompt/providers/internal';
import type { OnError } from '../definition/policies.ts';
import type {
  BranchStep,
  LoopStep,
  ParallelBranch,
  Step,
  SubflowStep,
} from '../definition/step.ts';
import { allSteps } from '../definition/walk-steps.ts';
import type { WorkflowDefinition } from '../definition/workflow-file.ts';
import {
  fromErrorJson,
  isFatal,
  reasonOf,
  stepFailed,
  toErrorJson,
  WorkflowError,
} from '../errors.ts';
import { holds } from '../language/condition.ts';
import { valueAt } from '../language/variable-path.ts';
import {
  type AgentTask,
  type DurableScope,
  errorOf,
  errorsIn,
  type ExecutionContext,
  forgetError,
  forkAt,
  type ItemTask,
  jsonOf,
  namedInputs,
  ownVariables,
  type OwnVariables,
  pathIn,
  type Place,
  placeOf,
  readTask,
  type RunServices,
  type StepDone,
  type StepTask,
  toJson,
  usedUp,
  workflowNamed,
} from './execution-context.ts';
import { partNames, runBranches, runForeach, runMultiAgent } from './parallel-steps.ts';
import { runByData } from './run-by-data.ts';
import { runTeam } from './run-team.ts';
import {
  callAgent,
  giveOutput,
  runActivity,
  runAgent,
  runFunction,
  runRetrieve,
  runTool,
} from './step-work.ts';
import { assertFits } from './validate-input.ts';
import { runHuman, runSleep } from './waiting-steps.ts';

/**
 * Runs a task in a scope: the whole run, or a part that runs in parallel. Everything is decided by the definition, the
 * task and what the scope returns, so a replay after a crash takes the same way.
 *
 * @returns The output of a run, or a `PartResult`.
 */
export async function interpret(
  json: JsonObject,
  scope: DurableScope,
  services: RunServices,
): Promise<JsonValue> {
  const task = readTask(json);
  const { definition } = services;
  if (task.kind === 'run' || task.kind === 'flow') {
    const isRun = task.kind === 'run';
    const name = isRun ? definition.name : task.workflow;
    const start = {
      services,
      scope,
      workflow: name,
      prefix: '',
      keepsFailures: !isRun,
      forks: task.forks,
      follows: isRun ? [] : task.follows,
    };
    const onVariables = isRun ? services.onVariables : undefined;
    const workflow = workflowNamed(definition, name);
    return (await runWorkflow(start, workflow, task.input, onVariables)).output;
  }
  const step = stepOf(services, task);
  const context: ExecutionContext = {
    services,
    scope,
    workflow: task.workflow,
    variables: ownVariables(task.kind === 'agent' ? {} : task.variables),
    prefix: '',
    keepsFailures: task.keepsFailures,
    forks: task.forks,
    follows: task.follows,
  };
  if (task.kind === 'item') {
    const output = await runBody(context, bodyOf(step, task));
    return toJson({ output, follows: context.follows });
  }
  if (task.kind === 'step') {
    const { output } = await runStep(context, step, '');
    const { variables, follows } = context;
    return toJson({
      ...(output === undefined ? {} : { output }),
      variables: { ...variables },
      follows,
    });
  }
  const call = step.type === 'multi_agent_interaction' ? step.agents_to_run[task.at] : undefined;
  if (!call) throw noSuchStep(task);
  const output = await callAgent(context, placeOf(context, step, ''), {
    call,
    inputs: task.inputs,
  });
  return toJson({ output, follows: context.follows });
}

function stepOf({ definition }: RunServices, task: AgentTask | ItemTask | StepTask): Step {
  const { steps } = workflowNamed(definition, task.workflow);
  const step = byId(steps).get(task.stepId);
  if (step) return step;
  throw noSuchStep(task);
}

const stepsById = new WeakMap<readonly Step[], ReadonlyMap<string, Step>>();

function byId(steps: readonly Step[]): ReadonlyMap<string, Step> {
  const found = stepsById.get(steps);
  if (found) return found;
  const made = new Map([...allSteps(steps)].map(({ step }) => [step.id, step]));
  stepsById.set(steps, made);
  return made;
}

function noSuchStep({ workflow, stepId }: AgentTask | ItemTask | StepTask): WorkflowError {
  const message = `there is no such part of the step '${stepId}' in '${workflow}'`;
  return new WorkflowError('not-found', message, { context: { workflow, stepId } });
}

/**
 * Runs a workflow with variables of its own.
 *
 * @throws WorkflowError with the code `invalid-input` if the input does not fit the workflow's `inputs`.
 */
async function runWorkflow(
  context: Omit<ExecutionContext, 'variables'>,
  workflow: WorkflowDefinition,
  input: JsonValue,
  onVariables?: (variables: OwnVariables) => void,
): Promise<{ readonly output: JsonValue; readonly follows: readonly string[] }> {
  if (workflow.inputs)
    await assertFits(workflow.inputs, input, `user_input of '${context.workflow}'`);
  const variables = ownVariables({ user_input: input, errors: {} });
  onVariables?.(variables);
  const inner: ExecutionContext = { ...context, variables };
  const last = await runSteps(inner, workflow.steps, workflow.initial_step);
  const output = workflow.output === undefined ? last : valueAt(workflow.output, variables);
  return { output, follows: inner.follows };
}

const places = new WeakMap<readonly Step[], ReadonlyMap<string, number>>();

/**
 * Runs the steps of a list from one to the next until the end, or side by side where their workflow says so.
 *
 * @param initial - The id of the first one. Default: the first of the list.
 * @returns The output of the step that ran last.
 */
async function runSteps(
  context: ExecutionContext,
  steps: readonly Step[],
  initial: string | undefined = steps[0]?.id,
): Promise<JsonValue> {
  const { scope, services, prefix } = context;
  const { order } = workflowNamed(services.definition, context.workflow);
  if (order === 'by-data') return runByData(context, steps);
  const at = placesOf(steps);
  const visits = new Map<string, number>();
  let output: JsonValue = null;
  let id = initial ?? 'end';
  while (id !== 'end') {
    const place = at.get(id);
    const step = place === undefined ? undefined : steps[place];
    if (place === undefined || !step) throw unknownStep(context, id, at);
    const visit = (visits.get(id) ?? 0) + 1;
    visits.set(id, visit);
    const name = `${prefix}${id}#${visit}`;
    const path = pathIn(scope, name);
    if (scope.signal.aborted) throw reasonOf(scope.signal);
    const turn = services.counter.begin(path);
    if (turn) await turn;
    Object.assign(context.variables, forkAt(context, path)?.variables);
    const done = await runStep(context, step, name);
    if (done.output !== undefined) output = done.output;
    id = done.next ?? step.next_step ?? steps[place + 1]?.id ?? 'end';
  }
  return output;
}

function placesOf(steps: readonly Step[]): ReadonlyMap<string, number> {
  const known = places.get(steps);
  if (known) return known;
  const made = new Map(steps.map(({ id }, at) => [id, at]));
  places.set(steps, made);
  return made;
}

function unknownStep(
  { workflow, services: { runId } }: ExecutionContext,
  id: string,
  at: ReadonlyMap<string, number>,
): WorkflowError {
  const known = [...at.keys()].slice(0, 20).join(', ');
  return new WorkflowError(
    'not-found',
    `there is no step '${id}' in this list of '${workflow}'; there is: ${known}`,
    { context: { runId, workflow, step: id } },
  );
}

/** Runs a step by the rules of all types: `when`, `onError`, `output_variable`. */
async function runStep(context: ExecutionContext, step: Step, name: string): Promise<StepDone> {
  const place = placeOf(context, step, name);
  const { variables } = context;
  const { onError = 'fail' } = step;
  try {
    const given = forkAt(context, place.path)?.output;
    if (given !== undefined) {
      setGiven(variables, step, given);
      return { output: await giveOutput(context, place, given) };
    }
    const known = onError === 'fail' ? undefined : knownFailure(context, place);
    if (known) throw known;
    if (step.when !== undefined && !holds(step.when, variables)) return skip(context, step, place);
    const isKept = onError === 'fail' || context.keepsFailures;
    const inner = isKept ? context : { ...context, keepsFailures: true };
    const before = errorOf(variables, step.id);
    const done = await runByType(inner, step, place);
    context.follows = inner.follows;
    forgetError(variables, step.id, before);
    if (done.output !== undefined) setOutput(variables, step, done.output);
    return done;
  } catch (error) {
    if (isFatal(error)) throw error;
    const failure = stepFailed(
      { runId: context.services.runId, path: place.path, stepId: step.id },
      error,
    );
    if (onError === 'fail') throw failure;
    return handleFailure(context, step, place, onError, toErrorJson(failure));
  }
}

async function handleFailure(
  context: ExecutionContext,
  step: Step,
  { name, stepId, type }: Place,
  onError: Exclude<OnError, 'fail'>,
  failure: ErrorJson,
): Promise<StepDone> {
  const { variables, scope } = context;
  // The result that a resumed run would find instead: what follows was done after this failure.
  const { output: kept } = await scope.step(failureName(name), async () => ({
    output: jsonOf(failure),
    meta: { stepId, type, isInner: true },
  }));
  variables['errors'] = { ...errorsIn(variables), [step.id]: kept };
  const output: JsonValue =
    typeof onError === 'object' && 'default' in onError
      ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it comes from JSON
        ((onError.default ?? null) as JsonValue)
      : null;
  setGiven(variables, step, output);
  return {
    output,
    next: typeof onError === 'object' && 'goto' in onError ? onError.goto : undefined,
  };
}

/** A failure that was dealt with before a resume is not tried again. */
function knownFailure(context: ExecutionContext, { name }: Place): Error | undefined {
  const known = context.scope.known?.(failureName(name));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by handleFailure
  return known && fromErrorJson(known.output as unknown as ErrorJson);
}

function failureName(name: string): string {
  return `${name}:failed`;
}

function skip(
  { services, variables }: ExecutionContext,
  step: Step,
  { path, stepId }: Place,
): StepDone {
  services.tell('step:skipped', { path, stepId });
  const own = 'output_variable' in step ? step.output_variable : undefined;
  if (own !== undefined) variables[own] ??= null;
  for (const [name] of otherOutputs(step, null)) variables[name] ??= null;
  return { output: undefined };
}

/** Where the output did not come from the parts of the step. */
function setGiven(variables: { [name: string]: JsonValue }, step: Step, output: JsonValue): void {
  setOutput(variables, step, output);
  for (const [name, value] of otherOutputs(step, output)) variables[name] = value;
}

function setOutput(variables: { [name: string]: JsonValue }, step: Step, output: JsonValue): void {
  if ('output_variable' in step && step.output_variable !== undefined) {
    variables[step.output_variable] = output;
  }
}

/** Runs a step as its type says. */
async function runByType(context: ExecutionContext, step: Step, place: Place): Promise<StepDone> {
  switch (step.type) {
    case 'branch':
      return runBranch(context, step);
    case 'sleep':
      return runSleep(context, step, place);
    case 'agent_interaction':
      return { output: await runAgent(context, step, place) };
    case 'multi_agent_interaction':
      return { output: await runMultiAgent(context, step, place) };
    case 'loop':
      return { output: await runLoop(context, step, place) };
    case 'foreach':
      return { output: await runForeach(context, step, place) };
    case 'parallel':
      return { output: await runBranches(context, step, place) };
    case 'team':
      return { output: await runTeam(context, step, place) };
    case 'function':
      return { output: await runFunction(context, step, place) };
    case 'tool':
      return { output: await runTool(context, step, place) };
    case 'activity':
      return { output: await runActivity(context, step, place) };
    case 'retrieve':
      return { output: await runRetrieve(context, step, place) };
    case 'human':
      return { output: await runHuman(context, step, place) };
    default:
      return { output: await runSubflow(context, step, place) };
  }
}

/** Goes to the first branch whose condition holds. */
function runBranch({ variables }: ExecutionContext, step: BranchStep): StepDone {
  const branch = step.branches.find(({ when }) => holds(when, variables));
  return { output: undefined, next: branch ? branch.next_step : step.else };
}

/** Repeats its steps until the condition holds, or the rounds are used up. */
async function runLoop(
  context: ExecutionContext,
  step: LoopStep,
  place: Place,
): Promise<JsonValue> {
  const { variables } = context;
  const { as = 'round' } = step;
  let output: JsonValue = null;
  for (let round = 1; round <= step.maxRounds; round++) {
    variables[as] = round;
    const inner: ExecutionContext = { ...context, prefix: `${place.name}/${round}/` };
    output = await runSteps(inner, step.steps);
    context.follows = inner.follows;
    if (step.until !== undefined && holds(step.until, variables)) return output;
  }
  if (step.until !== undefined) {
    const { id: stepId, until, maxRounds: rounds, onExhausted = 'continue' } = step;
    const message = `the loop '${place.path}' used up its ${rounds} rounds, and 'until: ${until}' is not true`;
    usedUp(context, place, { stepId, rounds, message, onExhausted });
  }
  return output;
}

/** Runs another workflow, with variables of its own. */
async function runSubflow(
  context: ExecutionContext,
  step: SubflowStep,
  place: Place,
): Promise<JsonValue> {
  const workflow = workflowNamed(context.services.definition, step.workflow);
  const given = namedInputs(step.input_variables, context.variables);
  const names = Object.keys(given);
  const isWhole = names.length === 1 && names[0] === 'user_input';
  const input = isWhole ? (given['user_input'] ?? null) : { ...given };
  // A workflow that runs itself would otherwise fill the stack before the limit of steps ends it.
  await Promise.resolve();
  const inner = { ...context, workflow: step.workflow, prefix: `${place.name}/` };
  const { output, follows } = await runWorkflow(inner, workflow, input);
  context.follows = follows;
  return output;
}

/** Returns the steps of an item or a branch. */
function bodyOf(step: Step, task: ItemTask): ParallelBranch {
  if (step.type === 'foreach') return step;
  const { branch } = task;
  const body =
    step.type === 'parallel' && branch !== undefined && Object.hasOwn(step.branches, branch)
      ? step.branches[branch]
      : undefined;
  if (body) return body;
  throw noSuchStep(task);
}

/** Runs the steps of an item or a branch, with the context's variables. */
async function runBody(
  context: ExecutionContext,
  { steps, result }: ParallelBranch,
): Promise<JsonValue> {
  const last = await runSteps(context, steps);
  if (result !== undefined) return valueAt(result, context.variables);
  const final = steps.at(-1);
  const name = final && 'output_variable' in final ? final.output_variable : undefined;
  return name === undefined ? last : (context.variables[name] ?? null);
}

/**
 * Returns the variables that a step sets next to its own, those of parallel agents and of a judge, with what they hold where
 * its output was given to it: by a fork, or because it failed.
 */
function otherOutputs(
  step: Step,
  output: JsonValue,
): readonly (readonly [name: string, value: JsonValue])[] {
  if (step.type === 'team') {
    const own = Object.values(step.members).map((member) => member.output_variable);
    return [...own, step.notes_variable].flatMap((name) =>
      name === undefined ? [] : [[name, null] as const],
    );
  }
  if (step.type !== 'multi_agent_interaction') return [];
  const { agents_to_run: agents, aggregate } = step;
  const answers = aggregate === undefined ? entriesOf(output) : new Map<string, JsonValue>();
  const names = partNames(agents);
  const all: [string | undefined, JsonValue][] = agents.map(({ output_variable: name }, at) => [
    name,
    answers.get(names[at] ?? '') ?? null,
  ]);
  if (typeof aggregate === 'object' && 'output_variable' in aggregate) {
    all.push([aggregate.output_variable, output]);
  }
  return all.flatMap(([name, value]) => (name === undefined ? [] : [[name, value]]));
}

function entriesOf(output: JsonValue): ReadonlyMap<string, JsonValue> {
  return new Map(Object.entries<JsonValue>(typeof output === 'object' && output ? output : {}));
}
