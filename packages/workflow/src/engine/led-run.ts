import type { Budget, JsonObject, JsonValue } from '@vizprompt/providers';
import { messageOf } from '@vizprompt/providers';
import { RunBudget } from '../agents/run-budget.ts';
import { toMs } from '../definition/duration.ts';
import type { PinnedDefinition } from '../definition/pinned-definition.ts';
import type { Variables } from '../definition/step.ts';
import { WorkflowError, type WorkflowErrorCode } from '../errors.ts';
import type { RunEvent, WorkflowEvents } from '../events.ts';
import type { RunHistory } from '../journal/journal.ts';
import { activityRecorder } from '../record/activity-recorder.ts';
import { RunRecord } from '../record/run-record.ts';
import { ActiveClock } from '../run/active-clock.ts';
import { cancelledBy, reasonOf, toErrorJson } from '../run/failure.ts';
import { interpret } from '../run/interpret.ts';
import { StepCounter } from '../run/limits.ts';
import { linkSignal } from '../run/linked-signal.ts';
import type { RunServices, Tell } from '../run/services.ts';
import { workflowNamed } from '../run/thread.ts';
import { Inbox } from '../runtime/inbox.ts';
import { JournalRuntime } from '../runtime/journal-runtime.ts';
import { journalKeeper, type StepKeeper } from '../runtime/step-keeper.ts';
import type { EngineParts } from './engine-parts.ts';
import { EventQueue } from './event-queue.ts';
import { RunUsage } from './run-usage.ts';
import { WorkflowRun, type RunResult } from './workflow-run.ts';

/** A run that this engine is to lead. */
export interface RunToLead {
  readonly id: string;
  readonly definition: PinnedDefinition;
  readonly task: JsonObject;
  readonly history: RunHistory;
  readonly isResumed: boolean;
  /** Default: steps are rows of the journal. */
  readonly keeper?: StepKeeper;
  readonly signal?: AbortSignal | undefined;
  readonly budget?: Budget | undefined;
  /** Is told of each event at once; nobody can read them then. */
  readonly hear?: (event: RunEvent) => void;
}

/** With these the run has no end: it stays as it is in the journal, and can be resumed. */
const UNENDED: ReadonlySet<WorkflowErrorCode> = new Set([
  'closed',
  'conflict',
  'journal-unwritable',
]);

/** A run that is led by this engine, from now to its end. */
export class LedRun {
  readonly id: string;
  readonly run: WorkflowRun;
  readonly inbox: Inbox = new Inbox();
  /** Resolves when nothing of the run is under way any more, however it ended. */
  readonly settled: Promise<void>;
  readonly #parts: EngineParts;
  readonly #given: RunToLead;
  readonly #queue = new EventQueue();
  readonly #control = linkSignal();
  readonly #usage = new RunUsage();
  #variables: Variables = {};
  #isEnded = false;
  #flushing: Promise<void> | undefined;

  constructor(parts: EngineParts, given: RunToLead) {
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

  /** Stops everything that is under way. */
  stop(why: WorkflowError): void {
    this.#control.abort(why);
  }

  /** Stops everything: somebody else cancelled the run, and the journal has it. */
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
    for (const { meta } of history.steps) this.#usage.add(meta);
    // Whoever started the run has it before its first event.
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
    const { id, task, history, keeper = journalKeeper(journal, id) } = this.#given;
    const own = this.#services(clock);
    const runtime = new JournalRuntime({
      runId: id,
      journal,
      keeper,
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
      // Who cancels does not wait for recorders; who closes the engine does.
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
