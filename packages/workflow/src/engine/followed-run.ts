import { setTimeout as sleep } from 'node:timers/promises';
import type { TypedEvents } from '@vizprompt/providers';
import { ended, WorkflowError } from '../errors.ts';
import type { RunEvent, WorkflowEvents } from '../events.ts';
import { EventQueue, type RunResult, WorkflowRun } from '../runtime/workflow-run.ts';
import type { RunState } from './view-run.ts';

/** Interval at which the journal is read for a run that is led elsewhere, in milliseconds. */
const LOOK_MS = 300;

/** The names of events, for those who follow one run. */
const NAMES: readonly (keyof WorkflowEvents)[] = [
  'run:started',
  'run:ended',
  'step:started',
  'step:delta',
  'step:ended',
  'step:failed',
  'step:skipped',
  'step:exhausted',
  'step:handed-over',
  'step:retried',
  'step:fell-back',
  'tool:started',
  'tool:ended',
  'step:waiting',
  'step:answered',
  'step:emitted',
  'budget:reserved',
  'budget:settled',
  'recorder:failed',
];

/** Dependencies of a {@link FollowedRun}. */
interface FollowNeeds {
  readonly events: TypedEvents<WorkflowEvents>;
  /** Checks whether this engine receives all events of the run. */
  hearsLive(): boolean;
  state(): Promise<RunState>;
  isClosed(): boolean;
  cancel(reason: unknown): Promise<void>;
  /** Ends the following; the run continues. */
  readonly signal: AbortSignal | undefined;
}

/** A run that the caller follows and did not start. */
export class FollowedRun {
  readonly run: WorkflowRun;
  readonly #needs: FollowNeeds;
  readonly #queue = new EventQueue();
  /** Keys of the events that were emitted, or that happened before the caller began to follow. */
  readonly #told = new Set<string>();

  constructor(runId: string, needs: FollowNeeds) {
    this.#needs = needs;
    const stops = NAMES.map((name) => this.#hear(name, runId));
    needs.signal?.addEventListener('abort', () => this.#queue.end(), { once: true });
    const result = this.#follow(runId).finally(() => {
      for (const stop of stops) stop();
      this.#queue.end();
    });
    this.run = new WorkflowRun(runId, result, this.#queue, (reason) => {
      needs.cancel(reason).catch(() => undefined);
    });
  }

  #hear(name: keyof WorkflowEvents, runId: string): () => void {
    return this.#needs.events.on(name, (event) => {
      if (event.runId !== runId) return;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the union by its name
      this.#tell({ type: name, ...event } as unknown as RunEvent);
    });
  }

  /** Emits each end of a step, question and end of a run once, whether it is received live or read from the journal. */
  #tell(event: RunEvent): void {
    const isOnce = event.type === 'step:ended' || event.type === 'step:waiting';
    if (isOnce || event.type === 'run:ended') {
      const key = `${event.type} ${'path' in event ? event.path : ''}`;
      if (this.#told.has(key)) return;
      this.#told.add(key);
    }
    this.#queue.push(event);
  }

  async #follow(runId: string): Promise<RunResult> {
    // A step that finished before is not an event.
    const before = await this.#needs.state();
    for (const { path } of before.steps) this.#told.add(`step:ended ${path}`);
    for (let state = before; ; state = await this.#needs.state()) {
      if (!this.#needs.hearsLive() || state.endedAt !== undefined) this.#read(state);
      if (state.endedAt !== undefined) return resultOf(state);
      const { signal } = this.#needs;
      await sleep(LOOK_MS, undefined, { ref: false, ...(signal ? { signal } : {}) }).catch(
        () => undefined,
      );
      if (signal?.aborted) {
        throw new WorkflowError('closed', `the run '${runId}' is no longer followed`, {
          context: { runId },
        });
      }
      if (this.#needs.isClosed()) {
        throw new WorkflowError('closed', 'the engine was closed', { context: { runId } });
      }
    }
  }

  /** Emits what the journal has. */
  #read({ id: runId, steps, waiting, status, output, error, endedAt }: RunState): void {
    for (const { path, stepId, output: given, startedAt, endedAt: at, model, usage } of steps) {
      const ms = Date.parse(at) - Date.parse(startedAt);
      const more = { ...(model === undefined ? {} : { model }), ...(usage ? { usage } : {}) };
      const isReplayed = false;
      this.#tell({
        type: 'step:ended',
        runId,
        path,
        stepId,
        at,
        output: given,
        isReplayed,
        ms,
        ...more,
      });
    }
    for (const { path, stepId, question, askedAt: at } of waiting) {
      this.#tell({ type: 'step:waiting', runId, path, stepId, at, question });
    }
    if (
      endedAt === undefined ||
      (status !== 'done' && status !== 'failed' && status !== 'cancelled')
    ) {
      return;
    }
    const end = { ...(output === undefined ? {} : { output }), ...(error ? { error } : {}) };
    this.#tell({ type: 'run:ended', runId, at: endedAt, status, ...end });
  }
}

/** @throws WorkflowError that the run ended with. */
function resultOf({
  output = null,
  variables,
  usage,
  costUsd,
  error,
  status,
}: RunState): RunResult {
  if (status === 'done') {
    return { output, variables, usage, ...(costUsd === undefined ? {} : { costUsd }) };
  }
  throw ended(error, status);
}
