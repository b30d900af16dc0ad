import type { ErrorJson, JsonObject, JsonValue } from '@vizprompt/providers';
import type { RunStatus } from '../options.ts';
import type { StepRecord, StoredRun, WaitRecord } from './journal.ts';

/** A row of `workflow_run`, and whether somebody is asked. */
export interface RunRow {
  readonly id: string;
  readonly workflow: string;
  readonly hash: string;
  readonly prompt_set: string;
  readonly task: string;
  readonly status: string;
  readonly output: string | null;
  readonly error: string | null;
  readonly created_at: number;
  readonly ended_at: number | null;
  readonly forked_from: string | null;
  readonly is_waiting: number;
}

/** A row of `workflow_step`. */
export interface StepRow {
  readonly path: string;
  readonly seq: number;
  readonly begun: number;
  readonly output: string;
  readonly meta: string;
  readonly started_at: number;
  readonly ended_at: number;
  readonly elapsed_ms: number;
}

/** A row of `workflow_wait`. */
export interface WaitRow {
  readonly path: string;
  readonly question: string;
  readonly asked_at: number;
  readonly until_ms: number | null;
  readonly answer: string | null;
  readonly closed_at: number | null;
}

export function toRun(row: RunRow): StoredRun {
  const { output, error, ended_at: endedAt, forked_from: forkedFrom } = row;
  return {
    id: row.id,
    workflow: fromText(row.workflow),
    hash: row.hash,
    promptSet: fromText(row.prompt_set),
    task: parsed<JsonObject>(row.task),
    status: statusOf(row),
    ...(output === null ? {} : { output: parsed<JsonValue>(output) }),
    ...(error === null ? {} : { error: parsed<ErrorJson>(error) }),
    createdAt: row.created_at,
    ...(endedAt === null ? {} : { endedAt }),
    ...(forkedFrom === null ? {} : { forkedFrom }),
  };
}

export function toStep(row: StepRow): StepRecord {
  return {
    path: fromText(row.path),
    seq: row.seq,
    begun: row.begun,
    output: parsed<JsonValue>(row.output),
    meta: parsed<JsonObject>(row.meta),
    startedAt: row.started_at,
    endedAt: row.ended_at,
    elapsedMs: row.elapsed_ms,
  };
}

export function toWait(row: WaitRow): WaitRecord {
  const { until_ms: untilMs, answer, closed_at: closedAt } = row;
  return {
    path: fromText(row.path),
    question: parsed<JsonValue>(row.question),
    askedAt: row.asked_at,
    ...(untilMs === null ? {} : { untilMs }),
    ...(answer === null ? {} : { answer: parsed<JsonValue>(answer) }),
    isOpen: answer === null && closedAt === null,
  };
}

/**
 * A name as a column can hold it, whatever is in it: JSON escapes NUL and lone surrogates, which databases alter or
 * refuse.
 */
export function toText(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}

export function fromText(text: string): string {
  return parsed<string>(`"${text}"`);
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it wrote
function parsed<Value>(text: string): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this package
  return JSON.parse(text) as Value;
}

function statusOf({ status, is_waiting: isWaiting }: RunRow): RunStatus {
  if (status === 'done' || status === 'failed' || status === 'cancelled') return status;
  return isWaiting > 0 ? 'waiting' : 'running';
}
