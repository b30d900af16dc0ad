import {
  type Activity,
  type ChatModel,
  type JsonObject,
  type JsonValue,
  type Logger,
  type ModelRegistry,
  type Retriever,
  type Storage,
  type TurnRecorder,
  TypedEvents,
} from '@vizprompt/providers';
import { nearestName } from '@vizprompt/providers/config';
import {
  ANYTHING,
  AT_A_TIME,
  COUNT,
  FLAG,
  FUNCTION,
  type Kind,
  type Kinds,
  OBJECT,
  SIGNAL,
  TEXT,
  either,
  having,
  listOf,
  oneOf,
  optional,
  LOGGER,
  RETRIEVER,
  STORAGE,
} from '@vizprompt/providers/config/internal';
import type { RunnableTool } from '@vizprompt/providers/generate';
import { isStorable } from '@vizprompt/providers/internal';
import type { Middleware, PriceTable } from '@vizprompt/providers/middleware';
import type { TrustOption } from '@vizprompt/providers/trust';
import type { ModelCallPlace } from '../calls/ask-agent.ts';
import { type Concurrency, Limiter } from '../calls/call-limiter.ts';
import { MODELS, ModelChooser, checkModels } from '../calls/model-chooser.ts';
import { checkPrices } from '../calls/usage-meter.ts';
import { McpServers } from '../calls/mcp-servers.ts';
import { checkArgument, checkOptions, checkValues } from '../check-options.ts';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import { toMs } from '../definition/policies.ts';
import { allSteps, dependenciesOf, type StepDependency } from '../definition/walk-steps.ts';
import type { WorkflowSource } from '../definition/workflow-file.ts';
import { WorkflowError } from '../errors.ts';
import { checkListener, type WorkflowEvents, type WorkflowListeners } from '../events.ts';
import type { Retention, RunsQuery } from '../journal/journal.ts';
import { SOURCE, SOURCE_KINDS } from '../load/load-definitions.ts';
import { placeOf } from '../load/workflow-trust.ts';
import type { EngineServices, WorkflowFunction } from '../run/execution-context.ts';
import type { WorkflowRecorder } from '../run/run-record.ts';
import type { ResumeOptions, WorkflowRuntime } from '../runtime/durable-runtime.ts';
import type { ScheduleOptions } from '../runtime/schedules.ts';

/** Options of `WorkflowEngine.open`. */
export interface WorkflowEngineOptions {
  /** Workflows, and prompts next to them. */
  readonly files: WorkflowSource | readonly WorkflowSource[];
  /** Prompt sets by name. Where `files` hold prompts, they are the set `default`. */
  readonly promptSets?: Readonly<Record<string, WorkflowSource>> | undefined;
  /** Bytes of the largest file that is read. Default: 4,194,304 (4 MiB). */
  readonly maxFileBytes?: number | undefined;
  /** Makes models by name. Default: `createModelRegistry()`. */
  readonly models?: ModelRegistry | Readonly<Record<string, ChatModel>> | undefined;
  /** For roles that name no model. */
  readonly defaultModel?: string | undefined;
  /**
   * Consent to MCP servers of `use.mcpServers`, and where `models` is absent to packages of the AI SDK that definitions name as
   * models (`ai-sdk:PACKAGE:MODEL`): `true`, `false`, or a function that is asked. Default: what `vizprompt trust` recorded.
   */
  readonly trust?: TrustOption | undefined;
  /** Where runs are kept. Without it they live as long as the engine. It stays open. */
  readonly storage?: Storage | undefined;
  /**
   * Leads the runs, such as `dbos({ url })` of `@vizprompt/workflow/dbos`; it stores them too, so `storage` is left
   * out. Default: this process.
   */
  readonly runtime?: WorkflowRuntime | undefined;
  /** The functions for steps of the type `function`, by name. */
  readonly functions?: Readonly<Record<string, WorkflowFunction>> | undefined;
  /** The tools for steps of the type `tool`. */
  readonly tools?: readonly RunnableTool[] | undefined;
  /** The retrievers for steps of the type `retrieve`, by name. */
  readonly retrievers?: Readonly<Record<string, Retriever>> | undefined;
  /** The activities for steps of the type `activity`, such as `conversationActivity(...)`. */
  readonly activities?: readonly Activity[] | undefined;
  /** Keep runs elsewhere too, such as in a VizPrompt project or in a memory. */
  readonly recorders?: readonly (TurnRecorder | WorkflowRecorder)[] | undefined;
  /** US dollars of a million tokens, by the id of the model without its provider; needed where the cost is limited. */
  readonly prices?: PriceTable | undefined;
  /**
   * Layers around the model of each call, the first one outermost, such as `openTelemetry()`; or a function that
   * gives those of a call. They are below the retries, fallbacks, budgets, time limits and queues of the engine.
   */
  readonly middleware?:
    | readonly Middleware[]
    | ((place: ModelCallPlace) => readonly Middleware[])
    | undefined;
  /** How much happens at a time. */
  readonly concurrency?: Concurrency | undefined;
  /** How many ended runs are kept. Default: all. */
  readonly retention?: Retention | undefined;
  /**
   * Maximum number of takeovers of a run from processes that died or hung, without a finished step in between. Then the
   * run fails, as it may be the cause. Takeovers while it only waits, and after `close()`, do not count; `resume` of a
   * failed run begins again. Default: 3.
   */
  readonly maxTakeovers?: number | undefined;
  /** Listeners of events, which hear every run: also those that begin before `on` can be called. */
  readonly listeners?: WorkflowListeners | undefined;
  /** Receives the errors of listeners. Default: a silent one. */
  readonly logger?: Logger | undefined;
  /** Default: `() => new Date()`. */
  readonly clock?: (() => Date) | undefined;
  /** Makes the ids of runs. Default: UUIDs of version 7. */
  readonly createId?: (() => string) | undefined;
}
const MIDDLEWARE = having('a layer', 'name', 'stream');
const RECORDER = either(having('a TurnRecorder', 'record'), having('{ recorder }', 'recorder'));

/** The options of an engine, which `testWorkflow` passes on. */
export const ENGINE_KINDS: Kinds<WorkflowEngineOptions> = {
  ...SOURCE_KINDS,
  models: MODELS,
  defaultModel: optional(TEXT),
  trust: optional(either(FLAG, FUNCTION)),
  storage: optional(STORAGE),
  runtime: optional(having('a runtime, such as dbos({ url })', 'name', 'open')),
  functions: optional(OBJECT),
  tools: optional(listOf('tools, such as defineTool() makes', having('', 'name', 'run'))),
  retrievers: optional(OBJECT),
  activities: optional(listOf('activities', having('', 'name', 'run'))),
  recorders: optional(listOf('recorders', RECORDER)),
  prices: optional(OBJECT),
  middleware: optional(either(listOf('layers', MIDDLEWARE), FUNCTION)),
  concurrency: optional(OBJECT),
  retention: optional(OBJECT),
  maxTakeovers: optional(COUNT),
  listeners: optional(OBJECT),
  logger: optional(LOGGER),
  clock: optional(FUNCTION),
  createId: optional(FUNCTION),
};
const CONCURRENCY: Kinds<Concurrency> = {
  total: optional(AT_A_TIME),
  providers: optional(OBJECT),
};
const RETENTION: Kinds<Retention> = {
  keepLast: optional(COUNT),
  maxAge: optional(ANYTHING),
};

/** @throws WorkflowError with the code `invalid-input`. */
export function checkEngineOptions(options: WorkflowEngineOptions): void {
  const what = 'WorkflowEngine.open';
  checkOptions(what, options, ENGINE_KINDS);
  checkValues('promptSets', options.promptSets, SOURCE);
  const { concurrency } = options;
  if (options.storage && options.runtime) {
    const message = `${what} was given a storage and a runtime: '${options.runtime.name}' keeps its runs itself`;
    throw new WorkflowError('invalid-input', message);
  }
  if (concurrency) checkOptions(`'concurrency' of ${what}`, concurrency, CONCURRENCY);
  checkCommonOptions(what, options);
}

/**
 * Checks the options that engines and workers share.
 *
 * @throws WorkflowError with the code `invalid-input`.
 */
export function checkCommonOptions(
  what: string,
  options: Omit<WorkflowEngineOptions, 'files' | 'concurrency'> & {
    readonly concurrency?: Concurrency | undefined;
  },
): void {
  const { concurrency, retention } = options;
  checkModels(options.models);
  checkValues('functions', options.functions, FUNCTION);
  checkValues('listeners', options.listeners, FUNCTION);
  checkValues('retrievers', options.retrievers, RETRIEVER);
  checkPrices(options.prices);
  checkValues('concurrency.providers', concurrency?.providers, AT_A_TIME);
  if (!retention) return;
  checkOptions(`'retention' of ${what}`, retention, RETENTION);
  if (retention.maxAge !== undefined) toMs(retention.maxAge);
}

/** Creates the events of an engine or a worker, with the listeners that it is given. */
export function openEvents({
  logger,
  listeners,
}: Pick<WorkflowEngineOptions, 'logger' | 'listeners'>): TypedEvents<WorkflowEvents> {
  const events = new TypedEvents<WorkflowEvents>({ logger, check: checkListener });
  const listen = <Name extends keyof WorkflowEvents>(
    name: Name,
    listener: WorkflowListeners[Name],
  ): void => {
    if (listener) events.on(name, listener);
  };
  for (const name of keysOf(listeners ?? {})) listen(name, listeners?.[name]);
  return events;
}

function keysOf(listeners: WorkflowListeners): readonly (keyof WorkflowEvents)[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the type
  return Object.keys(listeners) as (keyof WorkflowEvents)[];
}

/** Returns the services that the steps of an engine may use, from its options. */
export function engineServices(options: WorkflowEngineOptions): EngineServices {
  const { clock, middleware = [] } = options;
  return {
    models: new ModelChooser({
      given: options.models,
      defaultModel: options.defaultModel,
      place: placeOf(options.files),
      trust: options.trust,
    }),
    limiter: new Limiter(options.concurrency),
    prices: options.prices ?? {},
    middleware: typeof middleware === 'function' ? middleware : () => middleware,
    functions: options.functions ?? {},
    tools: new Map(options.tools?.map((tool) => [tool.name, tool])),
    mcp: new McpServers(placeOf(options.files), options.trust),
    retrievers: options.retrievers ?? {},
    activities: new Map(options.activities?.map((activity) => [activity.name, activity])),
    now: clock ? () => clock().getTime() : () => Date.now(),
  };
}

/** Options of `start`. */
export interface StartOptions extends ResumeOptions {
  /** Which prompts are used. Default: `'default'`, or the only one. */
  readonly promptSet?: string | undefined;
  /** The id of the run. Default: a new id. */
  readonly runId?: string | undefined;
}

/** The changes of a forked run. */
export interface ForkChanges {
  /**
   * `'current'`: the current files of the engine instead of the definition that the run was started with. A run that
   * failed because of a mistake in them continues with the corrected ones. Default: `'stored'`.
   */
  readonly definition?: 'stored' | 'current' | undefined;
  /** Variables that are set before the step; `user_input` is one, too. */
  readonly variables?: JsonObject | undefined;
  /** Prompts in place of those of the same id. */
  readonly prompts?: Readonly<Record<string, string>> | undefined;
  /** Replacements of models: their names, as they are in files, and the model that each means now. */
  readonly models?: Readonly<Record<string, string>> | undefined;
  /** The output of the step, instead of doing it again. */
  readonly output?: JsonValue | undefined;
}

/** Options of `fork`. */
export interface ForkOptions extends ResumeOptions {
  /** The id of the run. Default: a new id. */
  readonly runId?: string | undefined;
}

const RESUME_KINDS: Kinds<ResumeOptions> = {
  signal: optional(SIGNAL),
  budget: optional(having('a Budget, such as createBudget({ tokens })', 'reserve', 'remaining')),
};

/** The id of a run is checked where it is used. */
const FORK_KINDS: Kinds<ForkOptions> = { ...RESUME_KINDS, runId: ANYTHING };

export const START_KINDS: Kinds<StartOptions> = { ...FORK_KINDS, promptSet: optional(TEXT) };

/** The arguments of an engine's methods. */
interface Calls {
  readonly start: StartOptions;
  readonly resume: ResumeOptions;
  readonly fork: ForkOptions;
  readonly 'the changes of fork': ForkChanges;
  readonly runs: RunsQuery;
  readonly answer: { readonly path?: string | undefined };
  readonly toMermaid: { readonly run?: string | undefined };
  readonly startSchedules: ScheduleOptions;
  readonly attach: { readonly signal?: AbortSignal | undefined };
  readonly toHtml: { readonly follow?: string | undefined };
}

const CALLS: { readonly [Name in keyof Calls]: Kinds<Calls[Name]> } = {
  start: START_KINDS,
  resume: RESUME_KINDS,
  fork: FORK_KINDS,
  'the changes of fork': {
    definition: optional(oneOf('stored', 'current')),
    variables: optional(OBJECT),
    prompts: optional(OBJECT),
    models: optional(OBJECT),
    output: ANYTHING,
  },
  runs: {
    status: optional(oneOf('running', 'waiting', 'done', 'failed', 'cancelled')),
    limit: optional(AT_A_TIME),
    after: optional(TEXT),
  },
  answer: { path: optional(TEXT) },
  toMermaid: { run: optional(TEXT) },
  attach: { signal: optional(SIGNAL) },
  toHtml: { follow: optional(TEXT) },
  startSchedules: {
    names: optional(listOf('names', TEXT)),
    onRun: optional(FUNCTION),
    onError: optional(FUNCTION),
  },
};

/**
 * Returns the options of a method of an engine, as they were given.
 *
 * @throws WorkflowError with the code `invalid-input`.
 */
export function checkCall<Name extends keyof Calls>(name: Name, options: Calls[Name]): Calls[Name] {
  checkOptions(name, options, CALLS[name]);
  return options;
}

const MAX_ID = 200;
const WORKFLOW: Kind = { ...TEXT, expected: 'its name, or what defineWorkflow() made' };

/** @throws WorkflowError with the code `invalid-input` for an id that a database cannot hold. */
export function assertRunId(id: string): void {
  const isGood = typeof id === 'string' && id !== '' && id.length <= MAX_ID && isStorable(id);
  if (isGood) return;
  const message = `${JSON.stringify(id)} is no id of a run: use 1 to ${MAX_ID} characters without NUL`;
  throw new WorkflowError('invalid-input', message, { context: { runId: id } });
}

/**
 * Returns the name of a workflow that is started.
 *
 * @throws WorkflowError with the code `invalid-input` for what is not a name.
 */
export function nameOf(workflow: string | { readonly name: string }): string {
  const name: unknown = typeof workflow === 'object' && workflow ? workflow.name : workflow;
  checkArgument('the workflow', name, WORKFLOW);
  return String(name);
}

/**
 * Refuses a workflow with steps that the engine has nothing for, before anything is paid for.
 *
 * @throws WorkflowError with the code `not-found`.
 */
export function assertEquipped(definition: DefinitionSnapshot, services: EngineServices): void {
  const names: Readonly<Record<StepDependency['list'], readonly string[]>> = {
    functions: Object.keys(services.functions),
    tools: [...services.tools.keys()],
    retrievers: Object.keys(services.retrievers),
    activities: [...services.activities.keys()],
  };
  for (const [workflow, { steps }] of Object.entries(definition.workflows)) {
    for (const { step } of allSteps(steps)) {
      for (const wanted of dependenciesOf(step)) {
        if (names[wanted.list].includes(wanted.name)) continue;
        const { name, key, list } = wanted;
        const nearest = nearestName(name, names[list]);
        const hint = nearest === undefined ? '' : `is '${nearest}' meant? `;
        const has = names[list].join(', ') || 'none';
        throw new WorkflowError(
          'not-found',
          `the step '${step.id}' of '${workflow}' needs the ${key} '${name}', which the engine does not have: ${hint}its ${list} are ${has}`,
          { context: { workflow, stepId: step.id, [key]: name } },
        );
      }
    }
  }
}
