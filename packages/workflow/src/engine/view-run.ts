import type { JsonObject, JsonValue, TurnRecorder, Usage } from '@vizprompt/providers';
import type { DamagedRow, ErrorJson } from '@vizprompt/providers/internal';
import { ActiveClock, RunBudget, StepCounter } from '../calls/run-limits.ts';
import { linkSignal } from '../calls/time-limit.ts';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import type { Variables } from '../definition/step.ts';
import { cancelledBy, WorkflowError } from '../errors.ts';
import type {
  RunHistory,
  RunStatus,
  StepRecord,
  StoredRun,
  WaitRecord,
} from '../journal/journal.ts';
import type { PageStep, RunPage } from '../report/run-html.ts';
import {
  type DurableScope,
  type EngineServices,
  pathIn,
  readTask,
  type RunServices,
  workflowNamed,
} from '../run/execution-context.ts';
import { RunRecord } from '../run/run-record.ts';
import { interpret } from '../run/run-step.ts';
import { readQuestion } from '../run/waiting-steps.ts';
import { RunUsage } from '../runtime/active-run.ts';

/** A run in a list. */
export interface RunSummary {
  readonly id: string;
  readonly workflow: string;
  readonly promptSet: string;
  readonly status: RunStatus;
  readonly output?: JsonValue;
  readonly error?: ErrorJson;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt?: string;
  /** The run that it was forked from. */
  readonly forkedFrom?: string;
  /**
   * Problem of its row in the journal, reported in lists only; the fields that can be read are given, and the run
   * counts as failed. A query by its id fails with the error `corrupt`.
   */
  readonly damaged?: string;
}

/** A run with all that is known of it. */
export interface RunState extends RunSummary {
  readonly input: JsonValue;
  /** As far as it has come. */
  readonly variables: Variables;
  /** In the order in which they ended. */
  readonly steps: readonly FinishedStep[];
  /** The questions that are open at present. */
  readonly waiting: readonly OpenQuestion[];
  readonly usage: Usage;
  /** US dollars, where the prices of the models are known. */
  readonly costUsd?: number;
  /** The SHA-256 of its definition. */
  readonly definitionHash: string;
  /** Steps and questions that are stored and cannot be read; what comes after them may be missing in `variables`. */
  readonly damagedRows?: readonly DamagedRow[];
}

/** A step that ended. */
interface FinishedStep {
  readonly path: string;
  readonly stepId: string;
  /** Such as `agent_interaction`. */
  readonly type: string;
  readonly output: JsonValue;
  /** It failed, and its workflow dealt with that. */
  readonly error?: ErrorJson;
  readonly model?: string;
  readonly usage?: Usage;
  /** `'length'`: the limit of tokens cut the answer off, and the step allows that. */
  readonly finishReason?: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt: string;
}

/** A question that is open. */
export interface OpenQuestion {
  readonly path: string;
  readonly stepId: string;
  readonly question: string;
  /** The form of the answer. */
  readonly schema?: JsonObject;
  /** ISO 8601. */
  readonly askedAt: string;
  /** After this it is too late. */
  readonly until?: string;
}

/** Returns a run as lists show it. */
export function summaryOf(run: StoredRun): RunSummary {
  const {
    id,
    workflow,
    promptSet,
    status,
    output,
    error,
    createdAt,
    endedAt,
    forkedFrom,
    damaged,
  } = run;
  return {
    id,
    workflow,
    promptSet,
    status,
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error }),
    startedAt: iso(createdAt),
    ...(endedAt === undefined ? {} : { endedAt: iso(endedAt) }),
    ...(forkedFrom === undefined ? {} : { forkedFrom }),
    ...(damaged === undefined ? {} : { damaged }),
  };
}

/** Returns a run with its steps and variables, as the journal has them. */
export async function viewRun(
  run: StoredRun,
  definition: DefinitionSnapshot,
  history: RunHistory,
  engine: EngineServices,
): Promise<RunState> {
  const task = readTask(run.task);
  const usage = new RunUsage();
  for (const { meta } of history.steps) usage.add(meta);
  return {
    ...summaryOf(run),
    input: task.kind === 'run' ? task.input : null,
    variables: await variablesOf(run, definition, history, engine),
    steps: history.steps.filter(({ meta }) => meta['isInner'] !== true).map(finishedStep),
    waiting: run.endedAt === undefined ? history.waits.flatMap(openQuestion) : [],
    ...usage.total(),
    definitionHash: run.hash,
    ...(history.damaged ? { damagedRows: history.damaged } : {}),
  };
}

/** Steps in a row that leave nothing in the journal, after which a view has seen enough of a cycle. */
const MAX_IDLE = 10_000;

/**
 * Replays a run: the journal says what each step gave; what that makes of the variables, the interpreter knows.
 *
 * @param record - Receives each piece of work with what it was given.
 */
async function variablesOf(
  run: StoredRun,
  definition: DefinitionSnapshot,
  history: RunHistory,
  engine: EngineServices,
  record?: RunRecord,
): Promise<Variables> {
  let variables: Variables = {};
  const known = new Map(history.steps.map((step) => [step.path, step]));
  const here = cancelledBy('the journal ends here');
  // A view ends where the run did: a cycle without steps that the journal has would lead on without an end.
  const { limits = {} } = workflowNamed(definition, definition.name);
  const counter = new StepCounter(run.id, limits.steps, MAX_IDLE);
  const services: RunServices = {
    engine,
    runId: run.id,
    definition,
    counter,
    clock: new ActiveClock(0, Infinity, () => undefined),
    budget: new RunBudget({
      runId: run.id,
      limits: {},
      spent: history.spent,
      calls: 0,
      keep: async () => undefined,
    }),
    record,
    activityRecorder: undefined,
    tell: () => undefined,
    onVariables: (own) => (variables = own),
  };
  const found = (scope: DurableScope, name: string): StepRecord => {
    const step = known.get(pathIn(scope, name));
    if (!step) throw here;
    counter.progress();
    return step;
  };
  const scopeAt = (path: string, signal: AbortSignal): DurableScope => {
    const scope: DurableScope = {
      runId: run.id,
      path,
      signal,
      known: (name) => known.get(pathIn(scope, name)),
      step: async (name) => ({ ...found(scope, name), isReplayed: true }),
      // Threads that others would stop are shown as far as they came.
      child: (name, task) => interpret(task, scopeAt(`${pathIn(scope, name)}/`, signal), services),
      sleep: async (name) => void found(scope, name),
      waitFor: async (name) => found(scope, name).output,
    };
    return scope;
  };
  // It ends where the journal ends.
  await interpret(run.task, scopeAt('', linkSignal().signal), services).catch(() => undefined);
  return { ...variables };
}

function finishedStep({ path, output, meta, startedAt, endedAt }: StepRecord): FinishedStep {
  const { stepId, type, error, model, usage, finishReason } = meta;
  return {
    path,
    stepId: typeof stepId === 'string' ? stepId : idIn(path),
    type: typeof type === 'string' ? type : 'human',
    output,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by doWork
    ...(error === undefined ? {} : { error: error as unknown as ErrorJson }),
    ...(typeof model === 'string' ? { model } : {}),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the agents
    ...(usage === undefined ? {} : { usage: usage as Usage }),
    ...(typeof finishReason === 'string' ? { finishReason } : {}),
    startedAt: iso(startedAt),
    endedAt: iso(endedAt),
  };
}

function idIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/#\d+$/, '');
}

/** Returns the question of a step if it has no answer. */
function openQuestion(wait: WaitRecord): OpenQuestion[] {
  if (!wait.isOpen) return [];
  const { stepId, text, schema } = readQuestion(wait.question);
  return [
    {
      path: wait.path,
      stepId,
      question: text,
      ...(schema ? { schema } : {}),
      askedAt: iso(wait.askedAt),
      ...(wait.untilMs === undefined ? {} : { until: iso(wait.untilMs) }),
    },
  ];
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * Returns the question that an answer is for.
 *
 * @throws WorkflowError with the code `finished`, `not-waiting`, or `invalid-input` if it might be for several.
 */
export function findQuestion(
  { id, endedAt, status }: StoredRun,
  waits: readonly WaitRecord[],
  path: string | undefined,
): OpenQuestion {
  const context = { runId: id, ...(path === undefined ? {} : { path }) };
  if (endedAt !== undefined) {
    const message = `the run '${id}' has ended (${status}): no question is open any more`;
    throw new WorkflowError('finished', message, { context });
  }
  const open = waits.flatMap(openQuestion);
  const [first] = open;
  const paths = open.map((one) => one.path);
  if (path === undefined && open.length > 1) {
    const message = `the run '${id}' asks several questions: give the path of one, of ${paths.join(', ')}`;
    throw new WorkflowError('invalid-input', message, { context: { ...context, paths } });
  }
  const found = path === undefined ? first : open.find((one) => one.path === path);
  if (found) return found;
  const where = path === undefined ? '' : ` at '${path}'`;
  const others = paths.length === 0 ? '' : `; it asks at ${paths.join(', ')}`;
  throw new WorkflowError('not-waiting', `the run '${id}' has no open question${where}${others}`, {
    context,
  });
}

/** Returns all that a page shows of a run: the journal, and what steps were given, as a replay of it says. */
export async function pageOf(
  run: StoredRun,
  definition: DefinitionSnapshot,
  history: RunHistory,
  engine: EngineServices,
): Promise<Omit<RunPage, 'follow'>> {
  const { error, ...state } = await viewRun(run, definition, history, engine);
  const inputs = await inputsOf(run, definition, history, engine);
  return {
    ...state,
    ...(error === undefined ? {} : { error: error.message }),
    steps: history.steps.flatMap((step) => pageSteps(step, history.steps, inputs)),
  };
}

/** The end of the path of an agent's messages before calls of tools, which belong to its step. */
const ROUND = /^:round\d+$/;

function pageSteps(
  step: StepRecord,
  all: readonly StepRecord[],
  inputs: ReadonlyMap<string, string>,
): readonly PageStep[] {
  const { path, output, meta, startedAt, endedAt } = step;
  if (typeof meta['tool'] === 'string') {
    const { input, output: given, isError } = Object(output);
    const result = isError === true ? { output: null, error: String(given) } : { output: given };
    const text = typeof input === 'string' ? input : JSON.stringify(input ?? null, null, 2);
    return [{ path, type: meta['tool'], startedAt, endedAt, input: text, usage: {}, ...result }];
  }
  if (meta['isInner'] === true) return [];
  const rounds = all.filter(
    (one) => one.path.startsWith(path) && ROUND.test(one.path.slice(path.length)),
  );
  const usage = new RunUsage();
  for (const one of [step, ...rounds]) usage.add(one.meta);
  const input = inputs.get(path);
  const error = errorOf(meta);
  return [
    {
      path,
      type: typeof meta['type'] === 'string' ? meta['type'] : 'human',
      startedAt: Math.min(startedAt, ...rounds.map((one) => one.startedAt)),
      endedAt,
      ...(input === undefined ? {} : { input }),
      output,
      ...(error === undefined ? {} : { error }),
      ...(typeof meta['model'] === 'string' ? { model: meta['model'] } : {}),
      ...usage.total(),
    },
  ];
}

function errorOf({ error }: JsonObject): string | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by doWork
  return error === undefined ? undefined : (error as unknown as ErrorJson).message;
}

/** The journal does not have what steps were given: recorders receive it as the run is replayed. */
async function inputsOf(
  run: StoredRun,
  definition: DefinitionSnapshot,
  history: RunHistory,
  engine: EngineServices,
): Promise<ReadonlyMap<string, string>> {
  const inputs = new Map<string, string>();
  const recorder: TurnRecorder = {
    specVersion: 1,
    async record({ id, input }) {
      const text = input.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
      inputs.set(id, text);
    },
  };
  const record = new RunRecord({ runId: run.id, recorders: [recorder], failed: () => undefined });
  await variablesOf(run, definition, history, engine, record);
  await record.flush();
  return inputs;
}
