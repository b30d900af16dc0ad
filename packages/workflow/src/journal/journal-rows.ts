import type { JsonObject, JsonValue, Statement } from '@vizprompt/providers';
import type { Dialect, ErrorJson } from '@vizprompt/providers/internal';
import type {
  JournalEntry,
  NewRun,
  RunStatus,
  StepRecord,
  StoredRun,
  WaitRecord,
} from './journal.ts';

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

/**
 * Holds the row of a run until the end of the transaction, where several transactions go on at a time: who takes the
 * run over waits for what its leader is writing, and reads it.
 */
function held(dialect: Dialect): string {
  return dialect === 'postgres' ? ' FOR SHARE' : '';
}

/**
 * A definition that is there already is held, so that nobody who removes definitions takes it for one that no run
 * needs. On SQLite there is one writer at a time.
 */
function kept(dialect: Dialect): string {
  return dialect === 'postgres' ? 'DO UPDATE SET hash = excluded.hash' : 'DO NOTHING';
}

/** The statements that begin a run; they fail if the id is taken. */
export function statementsOfRun(
  { run, steps = [] }: NewRun,
  definitionJson: string,
  owner: string,
  dialect: Dialect,
): Statement[] {
  return [
    {
      sql: `INSERT INTO workflow_definition (hash, definition) VALUES (?, ?)
        ON CONFLICT (hash) ${kept(dialect)}`,
      params: [run.hash, definitionJson],
    },
    {
      sql: `INSERT INTO workflow_run
        (id, workflow, hash, prompt_set, task, status, owner, created_at, forked_from)
        VALUES (?, ?, ?, ?, ?, 'running', ?, ?, ?)`,
      params: [
        run.id,
        toText(run.workflow),
        run.hash,
        toText(run.promptSet),
        JSON.stringify(run.task),
        owner,
        run.createdAt,
        run.forkedFrom ?? null,
      ],
    },
    ...steps.map((step) => stepStatement(run.id, step, owner, '')),
  ];
}

/** What the leader of a run writes; it changes no row if somebody else leads it by now. */
export function statementOf(
  runId: string,
  entry: JournalEntry,
  owner: string,
  dialect: Dialect,
): Statement {
  switch (entry.type) {
    case 'step':
      return stepStatement(runId, entry, owner, held(dialect));
    case 'asked':
      return {
        sql: `INSERT INTO workflow_wait (run_id, path, question, asked_at, until_ms)
          SELECT id, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT)
          FROM workflow_run WHERE id = ? AND owner = ?${held(dialect)}
          ON CONFLICT (run_id, path) DO UPDATE SET question = excluded.question,
            asked_at = excluded.asked_at, until_ms = excluded.until_ms, closed_at = NULL`,
        params: [
          toText(entry.path),
          JSON.stringify(entry.question),
          entry.askedAt,
          entry.untilMs ?? null,
          runId,
          owner,
        ],
      };
    case 'spending':
      return {
        sql: `INSERT INTO workflow_spending (run_id, call, tokens, cost_usd)
          SELECT id, CAST(? AS TEXT), CAST(? AS DOUBLE PRECISION), CAST(? AS DOUBLE PRECISION)
          FROM workflow_run WHERE id = ? AND owner = ?${held(dialect)}
          ON CONFLICT (run_id, call) DO UPDATE
          SET tokens = excluded.tokens, cost_usd = excluded.cost_usd`,
        params: [
          toText(entry.key),
          entry.spending.tokens ?? 0,
          entry.spending.costUsd ?? 0,
          runId,
          owner,
        ],
      };
    default:
      return {
        sql: `UPDATE workflow_run SET status = ?, output = ?, error = ?, ended_at = ?, owner = NULL
          WHERE id = ? AND owner = ?`,
        params: [
          entry.status,
          entry.output === undefined ? null : JSON.stringify(entry.output),
          entry.error === undefined ? null : JSON.stringify(entry.error),
          entry.at,
          runId,
          owner,
        ],
      };
  }
}

/** Closes a question that nobody has answered; it changes no row if somebody has, or leads the run by now. */
export function unaskStatement(runId: string, path: string, owner: string, at: number): Statement {
  return {
    sql: `UPDATE workflow_wait SET closed_at = ? WHERE run_id = ? AND path = ? AND answer IS NULL
      AND EXISTS (SELECT 1 FROM workflow_run WHERE id = ? AND owner = ?)`,
    params: [at, runId, toText(path), runId, owner],
  };
}

/** Removes a step; it changes no row if somebody else leads the run by now. */
export function forgetStatement(runId: string, path: string, owner: string): Statement {
  return {
    sql: `DELETE FROM workflow_step WHERE run_id = ? AND path = ?
      AND EXISTS (SELECT 1 FROM workflow_run WHERE id = ? AND owner = ?)`,
    params: [runId, toText(path), runId, owner],
  };
}

function stepStatement(
  runId: string,
  step: Omit<Extract<JournalEntry, { readonly type: 'step' }>, 'type'>,
  owner: string,
  lock: string,
): Statement {
  return {
    sql: `INSERT INTO workflow_step
      (run_id, path, seq, begun, output, meta, started_at, ended_at, elapsed_ms)
      SELECT id, CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS TEXT),
        CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT)
      FROM workflow_run WHERE id = ? AND owner = ?${lock}`,
    params: [
      toText(step.path),
      step.seq,
      step.begun,
      JSON.stringify(step.output),
      JSON.stringify(step.meta),
      step.startedAt,
      step.endedAt,
      step.elapsedMs,
      runId,
      owner,
    ],
  };
}
