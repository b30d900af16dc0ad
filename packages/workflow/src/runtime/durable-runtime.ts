import type { Budget, JsonValue, TurnRecorder, TypedEvents } from '@vizprompt/providers';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import { WorkflowError } from '../errors.ts';
import type { WorkflowEvents } from '../events.ts';
import type { Journal, NewRun, Retention, StoredRun } from '../journal/journal.ts';
import type { EngineServices } from '../run/execution-context.ts';
import type { WorkflowRecorder } from '../run/run-record.ts';
import type { PinnedSchedule, RunningSchedules, ScheduleHooks } from './schedules.ts';
import type { WorkflowRun } from './workflow-run.ts';

/** The readable state of runs, with or without their leader. */
export type RunReader = Pick<Journal, 'run' | 'definition' | 'history' | 'waits' | 'runs'>;

/**
 * Stores and leads runs: in this process on a journal, or by the workers of a durable engine. The inside of a run
 * inside is the same everywhere: its scopes are `DurableScope`s.
 *
 * All of it is durable when its promise resolves.
 */
export interface DurableRuntime {
  /** True if runs are led here, so that what their steps need must be here too. */
  readonly isHere: boolean;
  readonly reader: RunReader;
  /** Checks whether this engine receives all events of a run. */
  hears(runId: string): boolean;
  /** @throws WorkflowError with the code `conflict` if the id is taken. */
  start(run: NewRun, options: ResumeOptions): Promise<WorkflowRun>;
  /**
   * Continues with a run that has not ended well.
   *
   * @throws WorkflowError with the code `conflict` if a living process leads it.
   */
  resume(
    run: StoredRun,
    definition: DefinitionSnapshot,
    options: ResumeOptions,
  ): Promise<WorkflowRun>;
  /** Gives the answer to a question; `false` if no question is open there, or another answer was faster. */
  answer(runId: string, path: string, answer: JsonValue): Promise<boolean>;
  /** Ends a run, with or without its leader; `false` if it has ended. */
  cancel(runId: string, why: WorkflowError): Promise<boolean>;
  /** Starts runs by the clock, from now on. */
  follow(schedules: readonly PinnedSchedule[], hooks: ScheduleHooks): Promise<RunningSchedules>;
  /** Lets go of everything. */
  close(): Promise<void>;
}

/** The parts of an engine that its runtime receives. */
export interface RuntimeParts {
  readonly services: EngineServices;
  readonly recorders: readonly (TurnRecorder | WorkflowRecorder)[];
  readonly events: TypedEvents<WorkflowEvents>;
  readonly retention: Retention | undefined;
  /** Takeovers of a run without a finished step in between, after which it fails. */
  readonly maxTakeovers: number;
}

/** Something that leads the runs of an engine, such as `dbos({ url })`. */
export interface WorkflowRuntime {
  /** Such as `dbos`. */
  readonly name: string;
  /** @internal */
  open(parts: RuntimeParts): Promise<DurableRuntime>;
}

/** Options of `resume`. */
export interface ResumeOptions {
  /** Cancels the run. */
  readonly signal?: AbortSignal | undefined;
  /** A budget that the run shares with others; the workflow's own limits are next to it. */
  readonly budget?: Budget | undefined;
}

/** Takeovers of a run without a finished step in between, after which it is taken for what ends its processes. */
export const MAX_TAKEOVERS = 3;

/** The end of a run whose processes died again and again without a step that it finished. */
export function takenOverTooOften(runId: string, takeovers: number): WorkflowError {
  return new WorkflowError(
    'limit',
    `the run '${runId}' was led by ${takeovers} processes in a row that ended or hung before it finished one more step: ` +
      'find out what it does there, and resume() it by hand, which counts from the beginning',
    { context: { runId, limit: 'takeovers', takeovers } },
  );
}
