import type { ErrorJson, Usage } from '@vizprompt/providers';
import { RunBudget } from '../agents/run-budget.ts';
import type { PinnedDefinition } from '../definition/pinned-definition.ts';
import type { Variables } from '../definition/step.ts';
import type { RunHistory, StepRecord, StoredRun, WaitRecord } from '../journal/journal.ts';
import { ActiveClock } from '../run/active-clock.ts';
import { cancelledBy } from '../run/failure.ts';
import { interpret } from '../run/interpret.ts';
import { linkSignal } from '../run/linked-signal.ts';
import { StepCounter } from '../run/limits.ts';
import { readQuestion } from '../run/question.ts';
import type { EngineServices, RunServices } from '../run/services.ts';
import { readTask } from '../run/tasks.ts';
import { pathIn, type DurableScope } from '../runtime/durable-scope.ts';
import type { RunState, RunSummary, FinishedStep, OpenQuestion } from './run-state.ts';
import { RunUsage } from './run-usage.ts';

/** A run as lists show it. */
export function summaryOf(run: StoredRun): RunSummary {
  const { id, workflow, promptSet, status, output, error, createdAt, endedAt, forkedFrom } = run;
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
  };
}

/** A run with its steps and variables, as the journal has them. */
export async function viewRun(
  run: StoredRun,
  definition: PinnedDefinition,
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
  };
}

/** The journal says what each step gave; what that makes of the variables, the interpreter knows. */
async function variablesOf(
  run: StoredRun,
  definition: PinnedDefinition,
  history: RunHistory,
  engine: EngineServices,
): Promise<Variables> {
  let variables: Variables = {};
  const known = new Map(history.steps.map((step) => [step.path, step]));
  const here = cancelledBy('the journal ends here');
  const services: RunServices = {
    engine,
    runId: run.id,
    definition,
    counter: new StepCounter(run.id, Infinity),
    clock: new ActiveClock(0, Infinity, () => undefined),
    budget: new RunBudget({
      runId: run.id,
      limits: {},
      spent: history.spent,
      calls: 0,
      keep: async () => undefined,
    }),
    record: undefined,
    activityRecorder: undefined,
    tell: () => undefined,
    onVariables: (own) => (variables = own),
  };
  const found = (scope: DurableScope, name: string): StepRecord => {
    const step = known.get(pathIn(scope, name));
    if (step) return step;
    throw here;
  };
  const scopeAt = (path: string, signal: AbortSignal): DurableScope => {
    const scope: DurableScope = {
      runId: run.id,
      path,
      signal,
      known: (name) => known.get(pathIn(scope, name)),
      step: async (name) => ({ ...found(scope, name), isReplayed: true }),
      child: (name, task, { signal: own = signal } = {}) =>
        interpret(task, scopeAt(`${pathIn(scope, name)}/`, own), services),
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
  const { stepId, type, error, model, usage } = meta;
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
    startedAt: iso(startedAt),
    endedAt: iso(endedAt),
  };
}

function idIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/#\d+$/, '');
}

/** A question that nobody has answered. */
export function openQuestion(wait: WaitRecord): OpenQuestion[] {
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
