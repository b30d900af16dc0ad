import type {
  Activity,
  JsonObject,
  JsonValue,
  Retriever,
  TurnRecorder,
} from '@vizprompt/providers';
import type { RunnableTool } from '@vizprompt/providers/generate';
import type { ModelServices } from '../calls/ask-agent.ts';
import type { McpServers } from '../calls/mcp-servers.ts';
import type { ActiveClock, RunBudget, StepCounter } from '../calls/run-limits.ts';
import type { InputVariables } from '../definition/agent-call.ts';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import type { Retry, Timeout } from '../definition/policies.ts';
import type { Step } from '../definition/step.ts';
import type { WorkflowDefinition } from '../definition/workflow-file.ts';
import { toErrorJson, WorkflowError } from '../errors.ts';
import type { WorkflowEvents } from '../events.ts';
import { valueAt } from '../language/variable-path.ts';
import type { RunRecord } from './run-record.ts';

/** The context of a piece of work in progress. */
export interface WorkContext {
  readonly path: string;
  /** Aborted when the run is cancelled, a sibling failed or the time is over. */
  readonly signal: AbortSignal;
}

/** A finished piece of work, as the journal stores it. */
export interface Work {
  readonly output: JsonValue;
  /** The agent that answered, its cost and whatever else must not be lost. */
  readonly meta?: { readonly [key: string]: JsonValue };
}

/** Work that is in the journal. */
export interface DoneWork extends Work {
  /** It was done before, and not again. */
  readonly isReplayed: boolean;
  /** Milliseconds since 1970, when it was really done. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/**
 * A thread of execution that survives the process: what it did is found again under the same path, and not
 * done twice. The interpreter of workflows needs nothing else, so it runs on a journal in SQLite as on any
 * durable engine.
 */
export interface DurableScope {
  readonly runId: string;
  /** The path of the scope, with a slash at its end; `''` for the run itself. */
  readonly path: string;
  readonly signal: AbortSignal;
  /**
   * Does a piece of work once, and gives what it left, now or before. Failures are not kept.
   *
   * @param name - Unique in the scope; `''` for the only step of a scope that has no other.
   */
  step(name: string, work: (context: WorkContext) => Promise<Work>): Promise<DoneWork>;
  /**
   * Returns the result that a step of this name left before, where the runtime knows it without doing the step: so that the way to a
   * decision need not begin again.
   */
  known?(name: string): Omit<DoneWork, 'isReplayed'> | undefined;
  /**
   * Does a task, described by plain JSON, in a thread next to this one, in this process or another. The thread's
   * `signal` also follows the one that is given.
   */
  child(
    name: string,
    task: JsonObject,
    options?: { readonly signal?: AbortSignal },
  ): Promise<JsonValue>;
  /** Waits until a time (milliseconds since 1970) that is kept from the first time on. */
  sleep(name: string, untilMs: number): Promise<void>;
  /** Waits for a value from outside. `asked` is called once the waiting is durable. */
  waitFor(
    name: string,
    question: JsonValue,
    options: { readonly asked: () => void; readonly untilMs?: number },
  ): Promise<JsonValue>;
}

/** Returns the path of a step of a scope. */
export function pathIn({ path }: Pick<DurableScope, 'path'>, name: string): string {
  // A name that begins so continues the path of the scope: it belongs to its only step.
  return /^(?:$|[/:])/.test(name) ? path.slice(0, -1) + name : path + name;
}

/** Variables that steps set. */
export type OwnVariables = { [name: string]: JsonValue };

/** A running sequence of steps, in a scope of its own or in a part of one. */
export interface ExecutionContext {
  readonly services: RunServices;
  readonly scope: DurableScope;
  /** The name of the workflow whose steps they are. */
  readonly workflow: string;
  readonly variables: OwnVariables;
  /** The prefix of names in the scope. */
  readonly prefix: string;
  /** True if failures are handled: they must be the same after a resume, so the journal keeps them. */
  readonly keepsFailures: boolean;
  /** The changes of forks at some paths. */
  readonly forks: readonly ForkPoint[];
  /** The paths of what was done last; what comes next follows them. */
  follows: readonly string[];
}

/** A step, and where it is in the run. */
export interface Place {
  readonly stepId: string;
  readonly type: string;
  /** In the scope. */
  readonly name: string;
  readonly path: string;
}

/** How a step ended. */
export interface StepDone {
  /** `undefined` for steps that give nothing, such as a branch. */
  readonly output: JsonValue | undefined;
  /** The step that comes next, where it is not the one that the list says. */
  readonly next?: string | undefined;
}

export function placeOf(context: ExecutionContext, step: Step, name: string): Place {
  return { stepId: step.id, type: step.type, name, path: pathIn(context.scope, name) };
}

/** Returns the workflow of a name. */
export function workflowNamed(
  { workflows }: Pick<DefinitionSnapshot, 'workflows'>,
  name: unknown,
): WorkflowDefinition {
  const isThere = typeof name === 'string' && Object.hasOwn(workflows, name);
  const workflow = isThere ? workflows[name] : undefined;
  if (workflow) return workflow;
  throw new WorkflowError('not-found', `there is no workflow '${String(name)}'`, {
    context: { name },
  });
}

/** Returns a role or a prompt of the prompt set. */
export function ofPromptSet<Value>(
  what: string,
  all: Readonly<Record<string, Value>>,
  name: string,
): Value {
  const value = Object.hasOwn(all, name) ? all[name] : undefined;
  if (value !== undefined) return value;
  throw new WorkflowError('not-found', `there is no ${what} '${name}' in the prompt set`, {
    context: { [what]: name },
  });
}

/** Returns what the engine was given under a name: a function, a tool, a retriever, an activity. */
export function equipment<Value>(
  what: string,
  all: ReadonlyMap<string, Value> | Readonly<Record<string, Value>>,
  name: string,
): Value {
  const map = all instanceof Map ? all : new Map(Object.entries(all));
  const value = map.get(name);
  if (value !== undefined) return value;
  const names = [...map.keys()].join(', ') || 'none';
  throw new WorkflowError('not-found', `the engine has no ${what} '${name}'; it has: ${names}`, {
    context: { [what]: name },
  });
}

/** Returns the rules that a step gives itself, or by a name of `use`. */
export function namedRules<Rules extends object>(
  what: string,
  all: Readonly<Record<string, Rules>> | undefined,
  given: string | Rules | undefined,
): Rules | undefined {
  if (typeof given !== 'string') return given;
  const rules = all && Object.hasOwn(all, given) ? all[given] : undefined;
  if (rules) return rules;
  throw new WorkflowError('not-found', `there is no '${given}' in use.${what}`, {
    context: { [what]: given },
  });
}

/** The retries and timeouts of a step, or the names of such in `use`. */
export interface Policies {
  readonly retry?: string | Retry;
  readonly timeout?: string | Timeout;
}

/** Returns the rules that a step gives itself or by a name of `use`. */
export function policiesOf(
  { use }: DefinitionSnapshot,
  step: Policies,
): { readonly retry: Retry | undefined; readonly timeout: Timeout | undefined } {
  return {
    retry: namedRules('retries', use.retries, step.retry),
    timeout: namedRules('timeouts', use.timeouts, step.timeout),
  };
}

/** Variables without a prototype: a name such as `__proto__` is like any other. */
export function ownVariables(given: JsonObject): OwnVariables {
  return Object.assign<OwnVariables, JsonObject>(Object.create(null), given);
}

/** Finds the change of a fork at a path. */
export function forkAt({ forks }: ExecutionContext, path: string): ForkPoint | undefined {
  return forks.length === 0 ? undefined : forks.find((fork) => fork.path === path);
}

/** The services for the steps of all runs of an engine. */
export interface EngineServices extends ModelServices {
  readonly functions: Readonly<Record<string, WorkflowFunction>>;
  readonly tools: ReadonlyMap<string, RunnableTool>;
  readonly mcp: McpServers;
  readonly retrievers: Readonly<Record<string, Retriever>>;
  readonly activities: ReadonlyMap<string, Activity>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** The services for the steps of one run besides its scope: all that is not durable. */
export interface RunServices {
  readonly engine: EngineServices;
  readonly runId: string;
  readonly definition: DefinitionSnapshot;
  readonly counter: StepCounter;
  readonly clock: ActiveClock;
  readonly budget: RunBudget;
  /** Absent where there are no recorders. */
  readonly record: RunRecord | undefined;
  /** For activities that record turns of their own. */
  readonly activityRecorder: TurnRecorder | undefined;
  tell: Tell;
  /** Receives the variables of the run itself, which change as it continues. */
  readonly onVariables?: (variables: Readonly<Record<string, JsonValue>>) => void;
}

/** Emits an event of the run to listeners; `runId` and `at` are added. */
export type Tell = <Name extends keyof WorkflowEvents>(
  type: Name,
  payload: Omit<WorkflowEvents[Name], 'runId' | 'at'>,
) => void;

/** The context of a function of a workflow besides its input. */
interface FunctionContext {
  readonly runId: string;
  /** Unique and the same in every attempt: for what must not be done twice. */
  readonly key: string;
  readonly signal: AbortSignal;
}

/** A function that steps of the type `function` call. */
export type WorkflowFunction = (
  input: JsonObject,
  context: FunctionContext,
) => JsonValue | Promise<JsonValue>;

/** The change of a fork where it leaves its run. */
export interface ForkPoint {
  readonly path: string;
  readonly variables: JsonObject;
  /** The output of the step there, instead of doing it. */
  readonly output?: JsonValue;
}

/** A run from its beginning. */
interface RunTask {
  readonly kind: 'run';
  readonly input: JsonValue;
  /** Where it leaves the runs that it is a fork of. */
  readonly forks: readonly ForkPoint[];
}

/** An agent of a parallel step. */
export interface AgentTask {
  readonly kind: 'agent';
  readonly workflow: string;
  readonly stepId: string;
  /** Its place among the agents of the step. */
  readonly at: number;
  readonly forks: readonly ForkPoint[];
  readonly inputs: JsonObject;
  readonly keepsFailures: boolean;
  readonly follows: readonly string[];
}

/** The steps of a `foreach` for one item. */
export interface ItemTask {
  readonly kind: 'item';
  readonly workflow: string;
  readonly stepId: string;
  /** The name of the branch, where the step is parallel. */
  readonly branch?: string;
  /** The variables of the outer context, with the item. */
  readonly variables: JsonObject;
  readonly keepsFailures: boolean;
  readonly follows: readonly string[];
  readonly forks: readonly ForkPoint[];
}

/** A step of a list whose steps run side by side. */
export interface StepTask {
  readonly kind: 'step';
  readonly workflow: string;
  readonly stepId: string;
  /** Those that it takes and sets. */
  readonly variables: JsonObject;
  readonly keepsFailures: boolean;
  readonly follows: readonly string[];
  readonly forks: readonly ForkPoint[];
}

/** A workflow that an agent calls as a tool. */
interface FlowTask {
  readonly kind: 'flow';
  readonly workflow: string;
  readonly input: JsonValue;
  readonly follows: readonly string[];
  readonly forks: readonly ForkPoint[];
}

/** A task of a scope, as plain JSON. */
type Task = RunTask | AgentTask | ItemTask | StepTask | FlowTask;

/** The result of a part of a parallel step. */
interface PartResult {
  readonly output: JsonValue;
  /** The paths of what it did last. */
  readonly follows: readonly string[];
}

/** The result of a step of a list whose steps run side by side. */
interface StepResult {
  /** Absent for steps that were left out. */
  readonly output?: JsonValue;
  readonly variables: JsonObject;
  readonly follows: readonly string[];
}

/** Returns plain data of this package, such as an `ErrorJson`, as JSON. */
export function jsonOf(value: object): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is plain
  return value as JsonObject;
}

/** A task as a runtime passes it on. */
export function toJson(task: Task | PartResult | StepResult): JsonObject {
  return jsonOf(task);
}

/** Returns a task that a runtime passed on. */
export function readTask(json: JsonObject): Task {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by toJson
  return json as unknown as Task;
}

/** Reads the result of a child. */
export function readPart(json: JsonValue): PartResult {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by toJson
  return json as unknown as PartResult;
}

/** Reads the result of a step that ran alongside others. */
export function readStep(json: JsonValue): StepResult {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by toJson
  return json as unknown as StepResult;
}

/** Returns the values of named inputs. */
export function namedInputs(
  inputs: InputVariables | undefined,
  variables: OwnVariables,
): { [name: string]: JsonValue } {
  const values = ownVariables({});
  for (const [name, path] of Object.entries(inputs ?? {})) values[name] = valueAt(path, variables);
  return values;
}

/** Returns the variable `errors`: what failed and was dealt with, under the ids of the steps. */
export function errorsIn({ errors }: { readonly [name: string]: JsonValue }): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- set by the interpreter only
  return (errors ?? {}) as JsonObject;
}

/** Returns the error that a step has in the variable `errors`. */
export function errorOf(variables: OwnVariables, stepId: string): JsonValue | undefined {
  const errors = errorsIn(variables);
  return Object.hasOwn(errors, stepId) ? errors[stepId] : undefined;
}

/**
 * Removes the error of an earlier visit of a step that has now succeeded, unless it set another one.
 *
 * @param before - The result of `errorOf` before the step ran.
 */
export function forgetError(
  variables: OwnVariables,
  stepId: string,
  before: JsonValue | undefined,
): void {
  if (before === undefined || errorOf(variables, stepId) !== before) return;
  const others = Object.entries(errorsIn(variables)).filter(([id]) => id !== stepId);
  variables['errors'] = Object.fromEntries(others);
}

/** Rounds of a loop, or turns of a team, that were used up without the end that they were for. */
interface UsedUp {
  readonly stepId: string;
  readonly rounds: number;
  readonly message: string;
  readonly onExhausted: 'continue' | 'fail';
}

/**
 * Reports that the rounds of a step are used up: `errors` holds it where the run continues.
 *
 * @throws WorkflowError with the code `exhausted` where the step fails.
 */
export function usedUp(
  { services, variables }: ExecutionContext,
  { path, stepId }: Place,
  { stepId: id, rounds, message, onExhausted }: UsedUp,
): void {
  const context = { runId: services.runId, path, stepId, rounds };
  const error = new WorkflowError('exhausted', message, { context });
  services.tell('step:exhausted', { path, stepId, rounds });
  if (onExhausted === 'fail') throw error;
  variables['errors'] = { ...errorsIn(variables), [id]: jsonOf(toErrorJson(error)) };
}
