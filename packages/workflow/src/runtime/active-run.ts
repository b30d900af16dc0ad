import {
  type Budget,
  type JsonObject,
  type JsonValue,
  messageOf,
  type TurnRecorder,
  type TypedEvents,
  type Usage,
} from '@vizprompt/providers';
import { USAGE_COUNTS } from '@vizprompt/providers/internal';
import { ActiveClock, RunBudget, StepCounter } from '../calls/run-limits.ts';
import { linkSignal } from '../calls/time-limit.ts';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import { toMs } from '../definition/policies.ts';
import type { Variables } from '../definition/step.ts';
import {
  cancelledBy,
  reasonOf,
  toErrorJson,
  WorkflowError,
  type WorkflowErrorCode,
} from '../errors.ts';
import type { RunEvent, WorkflowEvents } from '../events.ts';
import type { Journal, RunHistory } from '../journal/journal.ts';
import {
  type EngineServices,
  type RunServices,
  type Tell,
  workflowNamed,
} from '../run/execution-context.ts';
import { activityRecorder, RunRecord, type WorkflowRecorder } from '../run/run-record.ts';
import { interpret } from '../run/run-step.ts';
import { Inbox, journalKeeper, JournalRuntime } from './journal-runtime.ts';
import { EventQueue, type RunResult, WorkflowRun } from './workflow-run.ts';

/** A run that this engine is to lead. */
export interface RunToStart {
  readonly id: string;
  readonly definition: DefinitionSnapshot;
  readonly task: JsonObject;
  readonly history: RunHistory;
  readonly isResumed: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly budget?: Budget | undefined;
  /** Receives each event at once; they cannot be read then. */
  readonly hear?: (event: RunEvent) => void;
}

/** With these the run has no end: it stays as it is in the journal, and can be resumed. */
const UNENDED: ReadonlySet<WorkflowErrorCode> = new Set([
  'closed',
  'conflict',
  'journal-unwritable',
]);

/** A run that is led by this engine, from now to its end. */
export class ActiveRun {
  readonly id: string;
  readonly run: WorkflowRun;
  readonly inbox: Inbox = new Inbox();
  /** Resolves when nothing of the run is in progress any more, however it ended. */
  readonly settled: Promise<void>;
  readonly #parts: EngineParts;
  readonly #given: RunToStart;
  readonly #queue = new EventQueue();
  readonly #control = linkSignal();
  readonly #usage = new RunUsage();
  #variables: Variables = {};
  #clock: ActiveClock | undefined;
  #isEnded = false;
  #flushing: Promise<void> | undefined;

  constructor(parts: EngineParts, given: RunToStart) {
    this.id = given.id;
    this.#parts = parts;
    this.#given = given;
    const result = this.#lead();
    this.run = new WorkflowRun(given.id, result, this.#queue, (reason) =>
      this.stop(cancelledBy(reason)),
    );
    this.settled = result.then(
      () => undefined,
      () => this.#flushing,
    );
  }

  /** Checks whether nothing of it is in progress: it waits for persons, times or nothing but itself. */
  get isResting(): boolean {
    return this.#clock?.isResting ?? false;
  }

  /** Stops everything that is in progress. */
  stop(why: WorkflowError): void {
    this.#control.abort(why);
  }

  /** Stops everything: the run was cancelled elsewhere, and the journal has it. */
  endedElsewhere(why: string = 'the run was cancelled'): void {
    this.#isEnded = true;
    this.stop(new WorkflowError('cancelled', why, { context: { runId: this.id } }));
  }

  async #lead(): Promise<RunResult> {
    const { definition, signal, history, isResumed } = this.#given;
    const onAbort = (): void => this.stop(cancelledBy(signal?.reason));
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const lastStep = history.steps.reduce((most, { elapsedMs }) => Math.max(most, elapsedMs), 0);
    const { limits = {} } = workflowNamed(definition, definition.name);
    const clock = new ActiveClock(
      lastStep,
      limits.timeout === undefined ? Infinity : toMs(limits.timeout),
      () => this.stop(this.#outOfTime(String(limits.timeout))),
    );
    this.#clock = clock;
    for (const { meta } of history.steps) this.#usage.add(meta);
    // The caller that started the run has it before its first event.
    await Promise.resolve();
    this.#tell('run:started', { workflow: definition.name, isResumed });
    try {
      const output = await this.#interpret(clock);
      await this.#end({ status: 'done', output });
      return { output, variables: { ...this.#variables }, ...this.#usage.total() };
    } catch (error) {
      throw await this.#failed(error);
    } finally {
      clock.close();
      signal?.removeEventListener('abort', onAbort);
      this.#queue.end();
    }
  }

  async #interpret(clock: ActiveClock): Promise<JsonValue> {
    const { journal, services } = this.#parts;
    const { id, task, history } = this.#given;
    const own = this.#services(clock);
    const runtime = new JournalRuntime({
      runId: id,
      journal,
      keeper: journalKeeper(journal, id),
      history,
      inbox: this.inbox,
      interpret: (child, scope) => interpret(child, scope, own),
      onStep: ({ meta }) => this.#usage.add(meta),
      elapsedMs: () => Math.round(clock.elapsedMs),
      now: services.now,
    });
    const { signal } = this.#control;
    if (signal.aborted) throw reasonOf(signal);
    let output: JsonValue;
    try {
      output = await interpret(task, runtime.root(signal), own);
    } catch (error) {
      // `cancel` does not wait for recorders; closing the engine does.
      const flushed = own.record?.flush().catch(() => undefined);
      if (signal.aborted) this.#flushing = flushed;
      else await flushed;
      throw error;
    }
    await own.record?.flush();
    if (signal.aborted) throw reasonOf(signal);
    return output;
  }

  #services(clock: ActiveClock): RunServices {
    const { id, definition, history, budget } = this.#given;
    const { journal, services, recorders } = this.#parts;
    const { limits = {} } = workflowNamed(definition, definition.name);
    const failed = (error: unknown): void =>
      this.#tell('recorder:failed', { error: toErrorJson(error) });
    return {
      engine: services,
      runId: id,
      definition,
      counter: new StepCounter(id, limits.steps),
      clock,
      budget: new RunBudget({
        runId: id,
        limits,
        spent: history.spent,
        shared: budget,
        calls: history.calls,
        keep: (key, spending) => journal.write(id, { type: 'spending', key, spending }),
      }),
      record: recorders.length === 0 ? undefined : new RunRecord({ runId: id, recorders, failed }),
      activityRecorder: activityRecorder(recorders, failed),
      tell: this.#tell,
      onVariables: (variables) => (this.#variables = variables),
    };
  }

  async #failed(error: unknown): Promise<WorkflowError> {
    const failure = WorkflowError.isInstance(error)
      ? error
      : new WorkflowError('step-failed', `the run '${this.id}' failed: ${messageOf(error)}`, {
          cause: error,
          context: { runId: this.id },
        });
    if (UNENDED.has(failure.code)) return failure;
    const status = failure.code === 'cancelled' ? 'cancelled' : 'failed';
    try {
      await this.#end({ status, error: toErrorJson(failure) });
      return failure;
    } catch (unwritten) {
      return WorkflowError.isInstance(unwritten) ? unwritten : failure;
    }
  }

  async #end(end: Pick<WorkflowEvents['run:ended'], 'status' | 'output' | 'error'>): Promise<void> {
    const { journal, services } = this.#parts;
    if (!this.#isEnded) {
      await journal.write(this.id, { type: 'ended', ...end, at: services.now() });
    }
    this.#tell('run:ended', end);
  }

  #outOfTime(limit: string): WorkflowError {
    const message = `the run '${this.id}' took longer than its limit, ${limit} (limits.timeout)`;
    return new WorkflowError('limit', message, { context: { runId: this.id, limit: 'timeout' } });
  }

  readonly #tell: Tell = (type, payload) => {
    const at = new Date(this.#parts.services.now()).toISOString();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two that `Tell` leaves out
    const full = { runId: this.id, at, ...payload } as unknown as WorkflowEvents[typeof type];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the union by its name
    const event = { type, ...full } as unknown as RunEvent;
    const { hear } = this.#given;
    if (hear) hear(event);
    else this.#queue.push(event);
    this.#parts.events.emit(type, full);
  };
}

/** The parts of a journal that the leader of runs needs. */
export type LeadJournal = Pick<
  Journal,
  'run' | 'write' | 'unask' | 'answersOf' | 'lost' | 'prune' | 'excuse'
>;

/** The parts that the runs of an engine share. */
export interface EngineParts {
  readonly journal: LeadJournal;
  readonly services: EngineServices;
  readonly recorders: readonly (TurnRecorder | WorkflowRecorder)[];
  readonly events: TypedEvents<WorkflowEvents>;
}

/** Adds up what the steps of a run used, as their journal entries say. */
export class RunUsage {
  readonly #sums: { [Name in (typeof USAGE_COUNTS)[number]]?: number } = {};
  #isEstimated = false;
  #costUsd: number | undefined;

  add({ usage, costUsd }: JsonObject): void {
    if (typeof costUsd === 'number') this.#costUsd = (this.#costUsd ?? 0) + costUsd;
    if (typeof usage !== 'object' || usage === null || Array.isArray(usage)) return;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the agents
    const own = usage as Usage;
    for (const name of USAGE_COUNTS) {
      const value = own[name];
      if (value !== undefined) this.#sums[name] = (this.#sums[name] ?? 0) + value;
    }
    if (own.estimated) this.#isEstimated = true;
  }

  total(): { readonly usage: Usage; readonly costUsd?: number } {
    return {
      usage: { ...this.#sums, ...(this.#isEstimated ? { estimated: true } : {}) },
      ...(this.#costUsd === undefined ? {} : { costUsd: this.#costUsd }),
    };
  }
}
