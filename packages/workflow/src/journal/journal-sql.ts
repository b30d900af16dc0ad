import type { Dialect, Statement } from '@vizprompt/providers';
import type { JournalEntry, NewRun } from './journal.ts';
import { toText } from './journal-rows.ts';

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
