import type { Schedule } from '../definition/workflow-file.ts';
import type { NewRun } from '../journal/journal.ts';
import type { WorkflowRun } from './workflow-run.ts';

/** A schedule with the definition that its runs have. */
export interface PinnedSchedule {
  readonly name: string;
  readonly schedule: Schedule;
  /** Makes the run that is due at a time, in milliseconds since 1970. */
  runAt(dueMs: number): NewRun;
}

/** Options of `startSchedules`. */
export interface ScheduleOptions {
  /** The names of schedules. Default: all of the files. */
  readonly names?: readonly string[] | undefined;
  /** Receives each run that a schedule starts here, and those of processes that ended, which continue here. */
  readonly onRun?: ((run: WorkflowRun, schedule: string) => void) | undefined;
  /** Receives why a run could not be started; it is tried again. Default: a warning of the engine's logger. */
  readonly onError?: ((error: unknown, schedule: string) => void) | undefined;
}

/** Callbacks for the runs of schedules and their errors. */
export interface ScheduleHooks {
  onRun(run: WorkflowRun, schedule: string): void;
  onError(error: unknown, schedule: string): void;
  /** Continues a run. */
  resume(runId: string): Promise<WorkflowRun>;
}

/** Schedules that are being followed. */
export interface RunningSchedules extends AsyncDisposable {
  /** When each is due next (ISO 8601), by name; none for those that are never due again. */
  next(): Readonly<Record<string, string>>;
  /** Starts no more runs. Those that were started continue. */
  close(): Promise<void>;
}

/** Returns the id of the run that is due at a time: whichever process starts it, there is one of it. */
export function scheduledRunId(schedule: string, dueMs: number): string {
  return `${schedule}@${new Date(dueMs).toISOString()}`;
}

/** Checks whether a run is one of a schedule; other runs may have its name and `@` in their ids. */
export function isScheduledRun(runId: string, schedule: string): boolean {
  const dueMs = Date.parse(runId.slice(schedule.length + 1));
  return !Number.isNaN(dueMs) && runId === scheduledRunId(schedule, dueMs);
}

/** Returns what a schedule is followed by: where it changes, times before do not count. */
export function ruleOf({ cron, timeZone = 'UTC' }: Schedule): string {
  return `${cron} ${timeZone}`;
}
