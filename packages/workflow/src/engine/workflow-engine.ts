import {
  createId,
  type EventSource,
  type JsonValue,
  messageOf,
  type Storage,
  type TypedEvents,
} from '@vizprompt/providers';
import {
  LruMap,
  omitUndefined as defined,
  type Listener,
  type Unsubscribe,
} from '@vizprompt/providers/internal';
import { TEXT } from '@vizprompt/providers/config/internal';
import { assertOpened, checkArgument } from '../check-options.ts';
import type { DefinedWorkflow } from '../define-workflow.ts';
import {
  type DefinitionSnapshot,
  freezeDefinition,
  type HashedSnapshot,
} from '../definition/definition-snapshot.ts';
import type { Definitions, Webhook } from '../definition/workflow-file.ts';
import { toMermaid } from '../diagram/to-mermaid.ts';
import type { DryRun, DryRunOptions } from '../dry-run/dry-run-result.ts';
import { checkDryRunOptions, dryRunDefinitions } from '../dry-run/dry-run.ts';
import { cancelledBy, WorkflowError } from '../errors.ts';
import type { WorkflowEvents } from '../events.ts';
import {
  type Journal,
  type NewRun,
  type RunsQuery,
  type StoredRun,
  wholeHistory,
} from '../journal/journal.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { loadDefinitions } from '../load/load-definitions.ts';
import { type EngineServices, toJson, workflowNamed } from '../run/execution-context.ts';
import { assertFits, toJsonInput } from '../run/validate-input.ts';
import {
  type DurableRuntime,
  MAX_TAKEOVERS,
  type ResumeOptions,
  type RuntimeParts,
} from '../runtime/durable-runtime.ts';
import { LocalRuntime } from '../runtime/local-runtime.ts';
import {
  type PinnedSchedule,
  type RunningSchedules,
  scheduledRunId,
  type ScheduleOptions,
} from '../runtime/schedules.ts';
import type { WorkflowRun } from '../runtime/workflow-run.ts';
import {
  type ForkChanges,
  type ForkOptions,
  type StartOptions,
  type WorkflowEngineOptions,
  assertEquipped,
  assertRunId,
  checkCall,
  checkEngineOptions,
  engineServices,
  nameOf,
  openEvents,
} from './engine-options.ts';
import { FollowedRun } from './followed-run.ts';
import { assertStepAt, checkChanges, forkRun } from './fork-run.ts';
import {
  findQuestion,
  pageOf,
  type RunState,
  type RunSummary,
  summaryOf,
  viewRun,
} from './view-run.ts';

/** HashedSnapshot definitions that are kept parsed. */
const MAX_DEFINITIONS = 500;

/**
 * Runs workflows that live in files.
 *
 * @example
 * ```ts
 * await using storage = await openStorage('./data');
 * await using engine = await WorkflowEngine.open({ files: 'flows.yaml', storage });
 * const run = await engine.start('story', 'a cat that learns to write');
 * const { output } = await run.result;
 * ```
 */
export class WorkflowEngine implements EventSource<WorkflowEvents>, AsyncDisposable {
  readonly #options: WorkflowEngineOptions;
  readonly #definitions: Definitions;
  readonly #services: EngineServices;
  readonly #events: TypedEvents<WorkflowEvents>;
  readonly #runtime: DurableRuntime;
  readonly #pinned = new Map<string, HashedSnapshot>();
  readonly #parsed = new LruMap<string, DefinitionSnapshot>(MAX_DEFINITIONS);
  #closing: Promise<void> | undefined;

  private constructor(
    options: WorkflowEngineOptions,
    definitions: Definitions,
    parts: RuntimeParts,
    runtime: DurableRuntime,
  ) {
    assertOpened(parts, 'services', 'WorkflowEngine.open({ files })');
    this.#options = options;
    this.#definitions = definitions;
    this.#services = parts.services;
    this.#events = parts.events;
    this.#runtime = runtime;
  }

  /**
   * Reads and checks the files, and opens the journal. No model is called, and no run resumed.
   *
   * @throws WorkflowError with the code `definition-invalid` (with file, line and column), `invalid-input` or
   * `journal-unwritable`.
   */
  static async open(options: WorkflowEngineOptions): Promise<WorkflowEngine> {
    checkEngineOptions(options);
    const definitions = await loadDefinitions(options);
    const { recorders = [], retention, runtime, storage } = options;
    const parts: RuntimeParts = {
      services: engineServices(options),
      recorders,
      events: openEvents(options),
      retention,
      maxTakeovers: options.maxTakeovers ?? MAX_TAKEOVERS,
    };
    const opened = runtime
      ? await runtime.open(parts)
      : await LocalRuntime.open(parts, await openJournal(storage));
    return new WorkflowEngine(options, definitions, parts, opened);
  }

  /** The names of the workflows that can be started. */
  get workflows(): readonly string[] {
    return Object.keys(this.#definitions.workflows);
  }

  /** Returns a webhook of the files. */
  webhook(name: string): Webhook | undefined {
    const { webhooks } = this.#definitions;
    return Object.hasOwn(webhooks, name) ? webhooks[name] : undefined;
  }

  on<Name extends keyof WorkflowEvents>(
    name: Name,
    listener: Listener<WorkflowEvents[Name]>,
  ): Unsubscribe {
    return this.#events.on(name, listener);
  }

  once<Name extends keyof WorkflowEvents>(
    name: Name,
    listener: Listener<WorkflowEvents[Name]>,
  ): Unsubscribe {
    return this.#events.once(name, listener);
  }

  /**
   * Starts a run. When the promise resolves, the run is in the journal and continues on its own.
   *
   * @param workflow - Its name, or what `defineWorkflow` made.
   * @param input - The variable `user_input`, any JSON.
   * @throws WorkflowError with the code `not-found` (workflow, prompt set, role, prompt, function ...), `invalid-input`,
   * `conflict` if the run id is taken, `journal-unwritable` or `closed`.
   */
  async start<Input, Output>(
    workflow: DefinedWorkflow<Input, Output>,
    input: Input,
    options?: StartOptions,
  ): Promise<WorkflowRun<Output>>;
  async start(workflow: string, input: JsonValue, options?: StartOptions): Promise<WorkflowRun>;
  async start(
    workflow: string | DefinedWorkflow<unknown, unknown>,
    input: unknown,
    options: StartOptions = {},
  ): Promise<WorkflowRun> {
    this.#assertOpen();
    checkCall('start', options);
    const name = nameOf(workflow);
    const { definition, hash } = this.#pin(name, options.promptSet);
    const userInput = toJsonInput(input);
    const { inputs } = workflowNamed(definition, name);
    if (inputs) await assertFits(inputs, userInput, `user_input of '${name}'`);
    const task = toJson({ kind: 'run', input: userInput, forks: [] });
    return this.#begin({ name, definition, hash, task }, options);
  }

  /**
   * Continues with a run whose process ended, that failed or was cancelled. Journaled work is not repeated.
   *
   * @throws WorkflowError with the code `not-found`, `finished` if it is done, `conflict` if it is led already,
   * here or by another process that is alive, `journal-unwritable` or `closed`.
   */
  async resume(runId: string, options: ResumeOptions = {}): Promise<WorkflowRun> {
    this.#assertOpen();
    checkCall('resume', options);
    const run = await this.#stored(runId);
    if (run.status === 'done') {
      const message = `the run '${runId}' is done; fork() runs it again from a step on`;
      throw new WorkflowError('finished', message, { context: { runId } });
    }
    return this.#runtime.resume(run, await this.#definitionOf(run), options);
  }

  /**
   * Follows a run that is in progress, here or in another process: its events from now on, and its result. Events of a run that
   * this engine leads are all that happens; of one that is led elsewhere they are what the journal has: `step:ended`,
   * `step:waiting` and `run:ended`. A run that has ended gives its result at once.
   *
   * @param options - `signal`: ends the following, and the events; `result` then rejects with the code `closed`. The run
   * continues.
   * @throws WorkflowError with the code `not-found` or `closed`.
   */
  async attach(
    runId: string,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<WorkflowRun> {
    this.#assertOpen();
    const { signal } = checkCall('attach', options);
    await this.#stored(runId);
    const followed = new FollowedRun(runId, {
      events: this.#events,
      hearsLive: () => this.#runtime.hears(runId),
      state: () => this.run(runId),
      isClosed: () => this.#closing !== undefined,
      cancel: (reason) => this.cancel(runId, reason),
      signal,
    });
    return followed.run;
  }

  /**
   * Runs again from a step on, as a run of its own: what cannot depend on the step is taken over.
   *
   * @param path - The path of the step, such as `refine#1/2/draft#1`, as in `run()` and events. With `definition: 'current'` the files
   * of the engine as they are now have to have such a step.
   * @throws WorkflowError with the code `not-found` for a run, a path, a prompt or a model that is not there,
   * `template-failed`, `invalid-input`, `conflict` if its id is taken, `journal-unwritable` or `closed`.
   */
  async fork(
    runId: string,
    path: string,
    changes: ForkChanges = {},
    options: ForkOptions = {},
  ): Promise<WorkflowRun> {
    this.#assertOpen();
    checkCall('the changes of fork', changes);
    checkCall('fork', options);
    const run = await this.#stored(runId);
    const history = wholeHistory(await this.#runtime.reader.history(runId));
    const { definition } =
      changes.definition === 'current'
        ? this.#pin(run.workflow, this.#promptSetOf(run))
        : { definition: await this.#definitionOf(run) };
    if (changes.definition === 'current') assertStepAt(definition, path);
    await checkChanges(definition, path, changes);
    const forked = forkRun(run, definition, history, path, changes);
    return this.#begin({ name: run.workflow, ...forked, forkedFrom: runId }, options);
  }

  /**
   * Answers a question of a `human` step. If this engine does not lead the run, the answer is stored for the process that does or
   * resumes it.
   *
   * @param options - `path`: which question, if the run has several.
   * @throws WorkflowError with the code `not-found`, `finished`, `not-waiting`, or `invalid-input` if the answer
   * does not fit or several questions are open.
   */
  async answer(
    runId: string,
    value: JsonValue,
    options: { readonly path?: string | undefined } = {},
  ): Promise<void> {
    this.#assertOpen();
    const { path } = checkCall('answer', options);
    const run = await this.#stored(runId);
    const question = findQuestion(run, await this.#runtime.reader.waits(runId), path);
    const answer = toJsonInput(value, 'the answer');
    if (question.schema)
      await assertFits(question.schema, answer, `the answer to '${question.path}'`);
    if (!(await this.#runtime.answer(runId, question.path, answer))) {
      const message = `'${question.path}' of the run '${runId}' was answered already`;
      throw new WorkflowError('not-waiting', message, { context: { runId, path: question.path } });
    }
  }

  /**
   * Cancels a run, wherever it is led: here at once, elsewhere within seconds. It can be resumed.
   *
   * @throws WorkflowError with the code `not-found`, or `finished` if it has ended.
   */
  async cancel(runId: string, reason?: unknown): Promise<void> {
    this.#assertOpen();
    await this.#stored(runId);
    if (await this.#runtime.cancel(runId, cancelledBy(reason))) return;
    throw new WorkflowError('finished', `the run '${runId}' has ended`, { context: { runId } });
  }

  /**
   * Returns a run as the journal has it.
   *
   * @throws WorkflowError with the code `not-found`.
   */
  async run(runId: string): Promise<RunState> {
    this.#assertOpen();
    const run = await this.#stored(runId);
    const history = await this.#runtime.reader.history(runId);
    return viewRun(run, await this.#definitionOf(run), history, this.#services);
  }

  /** Returns the runs of the journal, the newest first. */
  async runs(query: RunsQuery = {}): Promise<readonly RunSummary[]> {
    this.#assertOpen();
    return (await this.#runtime.reader.runs(checkCall('runs', query))).map(summaryOf);
  }

  /**
   * Returns the prompts that a run would send, and their cost, with the prices and the default model of the engine: see `dryRun`.
   *
   * @throws WorkflowError with the code `not-found`, or `invalid-input` for an input that `start` would refuse.
   */
  async dryRun(workflow: string, input: JsonValue, options: DryRunOptions = {}): Promise<DryRun> {
    checkDryRunOptions(options);
    const { prices, defaultModel } = this.#options;
    const own = { prices, defaultModel, ...defined(options) };
    return dryRunDefinitions(this.#definitions, workflow, input, own);
  }

  /**
   * Returns a workflow as a Mermaid flowchart; with the id of a run, as it was then and with what became of each step.
   *
   * @throws WorkflowError with the code `not-found`.
   */
  async toMermaid(workflow: string, options: { readonly run?: string } = {}): Promise<string> {
    const { run: runId } = checkCall('toMermaid', options);
    if (runId === undefined) return toMermaid(workflowNamed(this.#definitions, workflow));
    const definition = await this.#definitionOf(await this.#stored(runId));
    return toMermaid(workflowNamed(definition, workflow), { run: await this.run(runId) });
  }

  /**
   * A run as one HTML page: its timeline, with what each step was given, what it gave and what it cost. It loads nothing.
   *
   * @param options - `follow`: the address of its server-sent events, relative to the page, which then follows the run and
   * answers its questions, as that of `createWorkflowHandler` does.
   * @throws WorkflowError with the code `not-found`.
   */
  async toHtml(
    runId: string,
    options: { readonly follow?: string | undefined } = {},
  ): Promise<string> {
    this.#assertOpen();
    const { follow } = checkCall('toHtml', options);
    const run = await this.#stored(runId);
    const history = await this.#runtime.reader.history(runId);
    const page = await pageOf(run, await this.#definitionOf(run), history, this.#services);
    const { runHtml } = await import('../report/run-html.ts');
    return runHtml({ ...page, ...(follow === undefined ? {} : { follow }) });
  }

  /**
   * Follows the `schedules` of the files: starts their runs when they are due, and makes up for times that passed without
   * a process as each says. Any number of processes may do so; each time has one run, `NAME@TIME`. On DBOS the workers
   * do it from now on, also when the engine is closed, and schedules that are no longer in the files end.
   *
   * @throws WorkflowError with the code `not-found` for names and what their workflows need, `invalid-input`,
   * `journal-unwritable` or `closed`.
   */
  async startSchedules(options: ScheduleOptions = {}): Promise<RunningSchedules> {
    this.#assertOpen();
    checkCall('startSchedules', options);
    const { schedules } = this.#definitions;
    const { names = Object.keys(schedules), onRun, onError } = options;
    const pinned = await Promise.all(names.map((name) => this.#pinSchedule(name)));
    const warn = (error: unknown, schedule: string): void => {
      this.#options.logger?.warn(`the schedule '${schedule}' failed`, { error: messageOf(error) });
    };
    return this.#runtime.follow(pinned, {
      onRun: (run, schedule) => onRun?.(run, schedule),
      onError: onError ?? warn,
      resume: (id) => this.resume(id),
    });
  }

  async #pinSchedule(name: string): Promise<PinnedSchedule> {
    const { schedules } = this.#definitions;
    const schedule = Object.hasOwn(schedules, name) ? schedules[name] : undefined;
    if (!schedule) {
      const known = Object.keys(schedules).join(', ') || 'none';
      const message = `there is no schedule '${name}'; there is: ${known}`;
      throw new WorkflowError('not-found', message, { context: { name } });
    }
    const { workflow, promptSet, input } = schedule;
    const { definition, hash } = this.#pin(workflow, promptSet);
    const inputAt = (at: string): JsonValue => input ?? { schedule: name, at };
    const { inputs } = workflowNamed(definition, workflow);
    const now = new Date(this.#services.now()).toISOString();
    if (inputs) await assertFits(inputs, inputAt(now), `the input of the schedule '${name}'`);
    return {
      name,
      schedule,
      runAt: (dueMs) => {
        const at = new Date(dueMs).toISOString();
        const task = toJson({ kind: 'run', input: inputAt(at), forks: [] });
        const run = {
          id: scheduledRunId(name, dueMs),
          workflow,
          hash,
          promptSet: definition.promptSet,
          task,
          createdAt: this.#services.now(),
        };
        return { run, definition };
      },
    };
  }

  /**
   * Aborts all runs in progress and releases them: they can be resumed at once. The storage stays open.
   */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    try {
      await this.#runtime.close();
    } finally {
      await this.#services.mcp.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #begin(start: RunStart, { runId, ...options }: ForkOptions): Promise<WorkflowRun> {
    const { name, definition, hash, task, steps = [], forkedFrom } = start;
    const createdAt = this.#services.now();
    const id = runId ?? this.#options.createId?.() ?? createId(createdAt);
    assertRunId(id);
    const run = {
      id,
      workflow: name,
      hash,
      promptSet: definition.promptSet,
      task,
      createdAt,
      ...(forkedFrom === undefined ? {} : { forkedFrom }),
    };
    return this.#runtime.start({ run, definition, steps }, options);
  }

  #pin(name: string, promptSet: string | undefined): HashedSnapshot {
    const key = JSON.stringify([name, promptSet]);
    const known = this.#pinned.get(key);
    if (known) return known;
    const pinned = freezeDefinition(this.#definitions, name, promptSet);
    // Elsewhere, workers have what its steps need.
    if (this.#runtime.isHere) assertEquipped(pinned.definition, this.#services);
    this.#pinned.set(key, pinned);
    return pinned;
  }

  /** Returns the prompt set of a workflow; `undefined` for a workflow without prompts, whose set is in no file. */
  #promptSetOf({ promptSet }: StoredRun): string | undefined {
    return Object.hasOwn(this.#definitions.promptSets, promptSet) ? promptSet : undefined;
  }

  async #stored(runId: string): Promise<StoredRun> {
    checkArgument('the id of a run', runId, TEXT);
    const run = await this.#runtime.reader.run(runId);
    if (run) return run;
    throw new WorkflowError('not-found', `there is no run '${runId}'`, { context: { runId } });
  }

  async #definitionOf({ hash, id }: StoredRun): Promise<DefinitionSnapshot> {
    const known = this.#parsed.get(hash);
    if (known) return known;
    const definition = await this.#runtime.reader.definition(hash);
    if (!definition) {
      const message = `the definition of the run '${id}' is missing from the journal`;
      throw new WorkflowError('not-found', message, { context: { runId: id, hash } });
    }
    this.#parsed.set(hash, definition);
    return definition;
  }

  #assertOpen(): void {
    if (this.#closing) throw new WorkflowError('closed', 'the engine is closed');
  }
}

/**
 * Opens the journal of an engine: in its storage, or in memory.
 *
 * @throws WorkflowError with the code `journal-unwritable`.
 */
async function openJournal(storage: Storage | undefined): Promise<Journal> {
  if (!storage) return new MemoryJournal();
  const { SqlJournal } = await import('../journal/sql-journal.ts');
  return SqlJournal.open(storage);
}

/** The beginning of a run. */
interface RunStart {
  readonly name: string;
  readonly definition: DefinitionSnapshot;
  readonly hash: string;
  readonly task: StoredRun['task'];
  /** The journaled steps of the run that it was forked from. */
  readonly steps?: NewRun['steps'];
  readonly forkedFrom?: string;
}
