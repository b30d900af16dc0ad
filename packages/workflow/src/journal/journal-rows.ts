import type { JsonValue, Statement } from '@vizprompt/providers';
import {
  damageOf,
  type Dialect,
  parseJson,
  readRows,
  StoredRow,
} from '@vizprompt/providers/internal';
import { type DefinitionSnapshot, hashOf } from '../definition/definition-snapshot.ts';
import type {
  JournalEntry,
  NewRun,
  RunStatus,
  StepRecord,
  StoredRun,
  WaitRecord,
} from './journal.ts';

/** A row of `workflow_run`, and whether a question is open. */
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
  readonly run_id: string;
  readonly path: string;
  readonly seq: number;
  readonly begun: number;
  readonly output: string;
  readonly meta: string;
  readonly started_at: number;
  readonly ended_at: number;
  readonly elapsed_ms: number;
}

/** The answer of a row of `workflow_wait`. */
export interface AnswerRow {
  readonly run_id: string;
  readonly path: string;
  readonly answer: string;
}

/** A row of `workflow_wait`. */
export interface WaitRow {
  readonly run_id: string;
  readonly path: string;
  readonly question: string;
  readonly asked_at: number;
  readonly until_ms: number | null;
  readonly answer: string | null;
  readonly closed_at: number | null;
}

/**
 * Returns the run of a row.
 *
 * @throws StorageError `corrupt` with the place, if a field is not what was written.
 */
export function toRun(row: RunRow): StoredRun {
  const { output, error, ended_at: endedAt, forked_from: forkedFrom } = row;
  const stored = new StoredRow('workflow_run', row.id);
  return {
    id: row.id,
    workflow: nameOf(stored, 'workflow', row.workflow),
    hash: stored.text('hash', row.hash),
    promptSet: nameOf(stored, 'prompt_set', row.prompt_set),
    task: stored.object('task', row.task),
    status: statusOf(stored, row),
    ...(output === null ? {} : { output: stored.json('output', output) }),
    ...(error === null ? {} : { error: stored.error('error', error) }),
    createdAt: stored.time('created_at', row.created_at),
    ...(endedAt === null ? {} : { endedAt: stored.time('ended_at', endedAt) }),
    ...(forkedFrom === null ? {} : { forkedFrom: stored.text('forked_from', forkedFrom) }),
  };
}

/** Returns the same where a damaged run must not hide the others: it is marked, and counts as failed. */
export function toListedRun(row: RunRow): StoredRun {
  try {
    return toRun(row);
  } catch (error) {
    const damage = damageOf(error);
    if (!damage) throw error;
    const { values } = readRows([row], (one) =>
      nameOf(new StoredRow('workflow_run', one.id), 'workflow', one.workflow),
    );
    const { values: times } = readRows([row], (one) =>
      new StoredRow('workflow_run', one.id).time('created_at', one.created_at),
    );
    return {
      id: row.id,
      workflow: values[0] ?? '',
      hash: typeof row.hash === 'string' ? row.hash : '',
      promptSet: '',
      task: {},
      status: 'failed',
      createdAt: times[0] ?? 0,
      damaged: `${damage.field}: ${damage.problem}`,
    };
  }
}

/** Returns the step of a row; throws StorageError `corrupt` with the place. */
export function toStep(row: StepRow): StepRecord {
  const stored = new StoredRow('workflow_step', `${row.run_id} ${row.path}`);
  return {
    path: nameOf(stored, 'path', row.path),
    seq: stored.whole('seq', row.seq),
    begun: stored.whole('begun', row.begun),
    output: stored.json('output', row.output),
    meta: stored.object('meta', row.meta),
    startedAt: stored.time('started_at', row.started_at),
    endedAt: stored.time('ended_at', row.ended_at),
    elapsedMs: stored.whole('elapsed_ms', row.elapsed_ms),
  };
}

/** Returns the question of a row; throws StorageError `corrupt` with the place. */
export function toWait(row: WaitRow): WaitRecord {
  const { until_ms: untilMs, answer, closed_at: closedAt } = row;
  const stored = new StoredRow('workflow_wait', `${row.run_id} ${row.path}`);
  return {
    path: nameOf(stored, 'path', row.path),
    question: stored.json('question', row.question),
    askedAt: stored.time('asked_at', row.asked_at),
    ...(untilMs === null ? {} : { untilMs: stored.time('until_ms', untilMs) }),
    ...(answer === null ? {} : { answer: stored.json('answer', answer) }),
    isOpen: answer === null && closedAt === null,
  };
}

/** Returns the answer of a row; throws StorageError `corrupt` with the place. */
export function toAnswer(row: AnswerRow): {
  readonly runId: string;
  readonly path: string;
  readonly answer: JsonValue;
} {
  const stored = new StoredRow('workflow_wait', `${row.run_id} ${row.path}`);
  const path = nameOf(stored, 'path', row.path);
  return { runId: row.run_id, path, answer: stored.json('answer', row.answer) };
}

/** Returns the definition of a row, which its hash proves; throws StorageError `corrupt` with the place. */
export function toDefinition(hash: string, json: string): DefinitionSnapshot {
  const stored = new StoredRow('workflow_definition', hash);
  const value = stored.object('definition', json);
  if (hashOf(json) !== hash) stored.fail('definition', 'expected what its hash says');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its hash says that this package wrote it
  return value as unknown as DefinitionSnapshot;
}

/**
 * Returns a name as a column can hold it, whatever is in it: JSON escapes NUL and lone surrogates, which databases alter or
 * refuse.
 */
export function toText(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}

/** Returns the name that a column holds. */
export function fromText(text: string): string {
  return new StoredRow('', '').text('', parseJson(`"${text}"`));
}

function nameOf(stored: StoredRow, field: string, text: string): string {
  return stored.text(field, stored.json(field, `"${text}"`));
}

const STATUSES = ['running', 'done', 'failed', 'cancelled'] as const;

function statusOf(stored: StoredRow, { status, is_waiting: isWaiting }: RunRow): RunStatus {
  const known = stored.oneOf('status', status, STATUSES);
  return known === 'running' && isWaiting > 0 ? 'waiting' : known;
}

/**
 * Holds the row of a run until the end of the transaction, where several transactions continue at a time: who takes the
 * run over waits for what its leader is writing, and reads it.
 */
function held(dialect: Dialect): string {
  return dialect === 'postgres' ? ' FOR SHARE' : '';
}

/**
 * A definition that is there already is held, so that it is not removed as one that no run
 * needs. On SQLite there is one writer at a time.
 */
function kept(dialect: Dialect): string {
  return dialect === 'postgres' ? 'DO UPDATE SET hash = excluded.hash' : 'DO NOTHING';
}

/** Returns the statements that begin a run; they fail if the id is taken. */
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

/** Returns the statement for an entry of the leader; it changes no row if another process leads the run by now. */
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

/** Closes an unanswered question; it changes no row if it has an answer, or another process leads the run by now. */
export function unaskStatement(runId: string, path: string, owner: string, at: number): Statement {
  return {
    sql: `UPDATE workflow_wait SET closed_at = ? WHERE run_id = ? AND path = ? AND answer IS NULL
      AND EXISTS (SELECT 1 FROM workflow_run WHERE id = ? AND owner = ?)`,
    params: [at, runId, toText(path), runId, owner],
  };
}

/** Removes a step; it changes no row if another process leads the run by now. */
export function forgetStatement(runId: string, path: string, owner: string): Statement {
  return {
    sql: `DELETE FROM workflow_step WHERE run_id = ? AND path = ?
      AND EXISTS (SELECT 1 FROM workflow_run WHERE id = ? AND owner = ?)`,
    params: [runId, toText(path), runId, owner],
  };
}

/** Writes a step: one that failed and is done again, or whose writing had no answer, is replaced. */
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
      FROM workflow_run WHERE id = ? AND owner = ?${lock}
      ON CONFLICT (run_id, path) DO UPDATE SET seq = excluded.seq, begun = excluded.begun,
        output = excluded.output, meta = excluded.meta, started_at = excluded.started_at,
        ended_at = excluded.ended_at, elapsed_ms = excluded.elapsed_ms`,
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
