import {
  type JsonObject,
  type JsonValue,
  messageOf,
  type Spending,
  type Statement,
} from '@vizprompt/providers';
import {
  type DamagedRow,
  damageErrors,
  type DamageErrors,
  type ErrorJson,
} from '@vizprompt/providers/internal';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import { WorkflowError } from '../errors.ts';

/** A run, and how it ended. */
export interface StoredRun {
  readonly id: string;
  readonly workflow: string;
  /** The hash of the pinned definition. */
  readonly hash: string;
  readonly promptSet: string;
  /** The task of the interpreter: the input, and the changes of a fork. */
  readonly task: JsonObject;
  readonly status: RunStatus;
  readonly output?: JsonValue;
  readonly error?: ErrorJson;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly endedAt?: number;
  /** The run that it was forked from. */
  readonly forkedFrom?: string;
  /** Problem of its row, reported in lists only. */
  readonly damaged?: string;
}

/** A finished step. */
export interface StepRecord {
  readonly path: string;
  /** The place in the order in which steps ended, from 1. */
  readonly seq: number;
  /** The `seq` of the newest step that had ended when this one began: it cannot depend on later ones. */
  readonly begun: number;
  readonly output: JsonValue;
  readonly meta: JsonObject;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** How long the run had been in progress, in milliseconds. */
  readonly elapsedMs: number;
}

/** A question to a person. */
export interface WaitRecord {
  readonly path: string;
  readonly question: JsonValue;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  readonly untilMs?: number;
  /** Absent while there is no answer. */
  readonly answer?: JsonValue;
  /** True if an answer is still waited for. */
  readonly isOpen: boolean;
}

/** All that a run left in the journal. */
export interface RunHistory {
  /** In the order in which they ended. */
  readonly steps: readonly StepRecord[];
  readonly waits: readonly WaitRecord[];
  /** The usage so far; the reservations of a process that died count. */
  readonly spent: { readonly tokens: number; readonly costUsd: number };
  /** How many calls were paid for so far. */
  readonly calls: number;
  /** Steps and questions that are stored and cannot be read. */
  readonly damaged?: readonly DamagedRow[];
}

/** The history of a run that begins. */
export const NO_HISTORY: RunHistory = {
  steps: [],
  waits: [],
  spent: { tokens: 0, costUsd: 0 },
  calls: 0,
};

/** An entry that the leader of a run writes. */
export type JournalEntry =
  | ({ readonly type: 'step' } & StepRecord)
  | ({ readonly type: 'asked' } & Omit<WaitRecord, 'answer' | 'isOpen'>)
  /** Set aside before a call, or what it came to; `key` is unique within the run. */
  | {
      readonly type: 'spending';
      readonly key: string;
      readonly spending: Spending;
    }
  | {
      readonly type: 'ended';
      readonly status: 'done' | 'failed' | 'cancelled';
      readonly output?: JsonValue;
      readonly error?: ErrorJson;
      readonly at: number;
    };

/** A run that begins. */
export interface NewRun {
  readonly run: Omit<StoredRun, 'status'>;
  readonly definition: DefinitionSnapshot;
  /** The steps of the run that it is a fork of. */
  readonly steps?: readonly StepRecord[];
}

/**
 * Stores runs. A run has one leader, the engine that started or claimed it; the writes of a
 * former leader are refused. All is durable when the promise resolves.
 */
export interface Journal {
  /** @throws WorkflowError with the code `conflict` if the id is taken. */
  create(run: NewRun): Promise<void>;
  run(id: string): Promise<StoredRun | undefined>;
  definition(hash: string): Promise<DefinitionSnapshot | undefined>;
  history(id: string): Promise<RunHistory>;
  waits(id: string): Promise<readonly WaitRecord[]>;
  /** Returns the runs, the newest first. */
  runs(query: RunsQuery): Promise<readonly StoredRun[]>;
  /**
   * Makes this engine the leader of a run that has none that is alive, and its status `running`.
   *
   * @returns `true` if its leader died; otherwise takeovers count from the beginning.
   * @throws WorkflowError with the code `conflict`.
   */
  claim(id: string): Promise<boolean>;
  /**
   * Counts one more takeover of a run that this engine leads.
   *
   * @param steps - How many steps it has finished.
   * @returns How often it was taken over since it finished the last one, those that are excused left out.
   */
  takenOver(id: string, steps: number): Promise<number>;
  /** Says of runs of this engine whether they do nothing at present but wait: their next takeover says nothing of them. */
  excuse(ids: readonly string[], isExcused: boolean): Promise<void>;
  /** Lets go of a run without an end, so that others can resume it at once. */
  release(id: string): Promise<void>;
  /** @throws WorkflowError with the code `conflict` if another process leads the run by now. */
  write(runId: string, entry: JournalEntry): Promise<void>;
  /** Stores an answer; `false` if no question is open there, or another answer was faster. */
  answer(runId: string, path: string, answer: JsonValue): Promise<boolean>;
  /**
   * Closes the question. Returns the answer if one was faster: its sender was notified that it is taken.
   *
   * @throws WorkflowError with the code `conflict` if another process leads the run by now.
   */
  unask(runId: string, path: string, at: number): Promise<JsonValue | undefined>;
  /**
   * Removes steps that are to be done again.
   *
   * @throws WorkflowError with the code `conflict` if another process leads the run by now.
   */
  forget(runId: string, paths: readonly string[]): Promise<void>;
  /** Answers that have come to the open questions of some runs. */
  answersOf(
    runIds: readonly string[],
  ): Promise<
    readonly { readonly runId: string; readonly path: string; readonly answer: JsonValue }[]
  >;
  /** Ends a run, with or without its leader; `false` if it has ended. */
  cancel(id: string, error: ErrorJson, at: number): Promise<boolean>;
  /** Returns the stored states of schedules, by their names. */
  schedules(): Promise<ReadonlyMap<string, ScheduleState>>;
  /** Stores what is known of a schedule; of the same rule, the newest time wins. */
  keepSchedule(name: string, state: ScheduleState): Promise<void>;
  /** Removes ended runs beyond what is kept, and definitions that no run needs. */
  prune(retention: Retention, now: number): Promise<void>;
  /** Which of the runs this engine leads no more. */
  lost(runIds: readonly string[]): Promise<readonly string[]>;
  /** Lets go of everything; the storage stays open. */
  close(): Promise<void>;
}

/** How many runs are kept. */
export interface Retention {
  /** Ended runs that are kept, the newest. */
  readonly keepLast?: number | undefined;
  /** Ended runs that are older go, in milliseconds or as a text such as `'30d'`. */
  readonly maxAge?: number | string | undefined;
}

/** Which runs `runs` lists. */
export interface RunsQuery {
  readonly status?: RunStatus | undefined;
  /** Runs at most. Default: 100. */
  readonly limit?: number | undefined;
  /** The id of the last run of the list before. After one that is not there, there are none. */
  readonly after?: string | undefined;
}

/** How far a run has come. `waiting`: a person is asked; what does not need the answer continues. */
export type RunStatus = 'running' | 'waiting' | 'done' | 'failed' | 'cancelled';

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

/** Another engine leads the run. */
export function conflict(runId: string): WorkflowError {
  const message = `another engine leads the run '${runId}': it can be resumed when that one has ended or let go`;
  return new WorkflowError('conflict', message, { context: { runId } });
}

/** A worker will begin the run, and report it to the caller that started it. */
export function queued(runId: string): WorkflowError {
  const message = `the run '${runId}' waits for a worker, which will lead it: there is nothing to resume; run() reports its progress`;
  return new WorkflowError('conflict', message, { context: { runId } });
}

/** There is such a run already. */
export function idTaken(runId: string): WorkflowError {
  const message = `there is a run '${runId}' already: leave runId out, or resume that run`;
  return new WorkflowError('conflict', message, { context: { runId } });
}

/** Returns the error of a journal whose database fails. */
export function unwritable(cause: unknown): WorkflowError {
  if (WorkflowError.isInstance(cause)) return cause;
  return new WorkflowError(
    'journal-unwritable',
    `the journal cannot be written: ${messageOf(cause)}; acknowledged work is safe: resume() continues from there`,
    { cause },
  );
}

/** The errors for rows that cannot be read. */
const errors: DamageErrors<WorkflowError> = damageErrors(
  (message, context) => new WorkflowError('corrupt', message, { context }),
);
export const damagedRows: DamageErrors<WorkflowError>['damagedRows'] = errors.damagedRows;
export const reading: DamageErrors<WorkflowError>['reading'] = errors.reading;

/**
 * Returns a history from which a run can continue: a step that cannot be read must not be done again.
 *
 * @throws WorkflowError with the code `corrupt`.
 */
export function wholeHistory(history: RunHistory): RunHistory {
  if (history.damaged) throw damagedRows(history.damaged);
  return history;
}
