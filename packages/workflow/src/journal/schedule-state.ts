import type { Statement } from '@vizprompt/providers';

/** The stored state of a schedule, which all processes share. */
export interface ScheduleState {
  /** Its cron expression and time zone, as they were. */
  readonly rule: string;
  /** The newest time that was dealt with, or when it was first seen, in milliseconds since 1970. */
  readonly at: number;
  /** The run that it started last. */
  readonly runId?: string;
}

/** A row of `workflow_schedule`. */
export interface ScheduleRow {
  readonly name: string;
  readonly rule: string;
  readonly at: number;
  readonly run_id: string | null;
}

/** Returns the states of rows, by the names of their schedules. */
export function toSchedules(rows: readonly ScheduleRow[]): ReadonlyMap<string, ScheduleState> {
  return new Map(
    rows.map(({ name, rule, at, run_id: runId }) => [
      name,
      { rule, at, ...(runId === null ? {} : { runId }) },
    ]),
  );
}

/** Returns what stores a state; of the same rule, the newest time wins. */
export function scheduleStatement(name: string, { rule, at, runId }: ScheduleState): Statement {
  const sql = `INSERT INTO workflow_schedule (name, rule, at, run_id) VALUES (?, ?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET rule = excluded.rule, at = excluded.at,
      run_id = COALESCE(excluded.run_id, workflow_schedule.run_id)
    WHERE workflow_schedule.rule <> excluded.rule OR workflow_schedule.at < excluded.at`;
  return { sql, params: [name, rule, at, runId ?? null] };
}
