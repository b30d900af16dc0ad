import { StorageError, type Database, type Spending, type Statement } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';
import type { Lease } from '../journal/engine-lease.ts';
import { NOW } from './tables.ts';

/** Who leads a run that waits for a worker. */
const QUEUE_OWNER = 'queue';

/** The lease of those who only start runs. */
export const queueLease: Lease = {
  id: QUEUE_OWNER,
  hold: async () => undefined,
  isAlive: async (id) => id !== QUEUE_OWNER,
  close: async () => undefined,
};

/** How a run is executed. */
export interface DispatchRow {
  /** From 1; one more each time a run that had ended is resumed. */
  readonly attempt: number;
  /** How often the attempt was begun, or taken over. */
  readonly executions: number;
  /** Who is told of what happens in it. */
  readonly reader: string | undefined;
  /** What is left of the budget that it was given. */
  readonly allowance: Spending | undefined;
}

interface Row {
  readonly attempt: number;
  readonly executions: number;
  readonly reader: string | null;
  readonly allowance: string | null;
}

/**
 * The row of a new run, which is written with the run: without it a worker would lead the run without its budget. It
 * fails while there is left something of an earlier run of this id.
 */
export function rowOfRun(
  runId: string,
  reader: string,
  allowance: Spending | undefined,
): Statement {
  return {
    sql: `INSERT INTO dispatch_run (run_id, attempt, executions, reader, allowance)
      VALUES (?, 1, 0, ?, ?)`,
    params: [runId, reader, allowance ? JSON.stringify(allowance) : null],
  };
}

/** Rows that say how runs are executed, beside those of the journal. */
export class Dispatch {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(runId: string): Promise<DispatchRow | undefined> {
    const [row] = await this.#database.query<Row>('SELECT * FROM dispatch_run WHERE run_id = ?', [
      runId,
    ]);
    return row && toDispatch(row);
  }

  /** A run that had ended begins a new attempt; `undefined` if somebody else was faster. */
  async nextAttempt(
    runId: string,
    { attempt }: DispatchRow,
    reader: string,
    allowance: Spending | undefined,
  ): Promise<number | undefined> {
    const { changes } = await this.#database.execute(
      `UPDATE dispatch_run SET attempt = attempt + 1, executions = 0, reader = ?, allowance = ?
        WHERE run_id = ? AND attempt = ?`,
      [reader, allowance ? JSON.stringify(allowance) : null, runId, attempt],
    );
    return changes > 0 ? attempt + 1 : undefined;
  }

  /**
   * A worker begins an attempt of a run or takes it over: what others write of it is refused from now on. `undefined`
   * if the run has ended, or another attempt goes on.
   */
  async claim(runId: string, attempt: number, owner: string): Promise<DispatchRow | undefined> {
    const [row] = await this.#database.query<Row>(
      `UPDATE dispatch_run SET executions = executions + 1
        WHERE run_id = ? AND attempt = ? RETURNING *`,
      [runId, attempt],
    );
    if (!row) return undefined;
    const { changes } = await this.#database.execute(
      'UPDATE workflow_run SET owner = ? WHERE id = ? AND ended_at IS NULL',
      [owner, runId],
    );
    return changes === 0 ? undefined : toDispatch(row);
  }

  /** Which of some runs have ended, or are gone. */
  async endedOf(runIds: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#database.query<{ id: string }>(
      `SELECT id FROM unnest(CAST(? AS TEXT[])) AS id WHERE NOT EXISTS
        (SELECT 1 FROM workflow_run r WHERE r.id = id.id AND r.ended_at IS NULL)`,
      [toArray(runIds)],
    );
    return rows.map(({ id }) => id);
  }

  /** Runs that were accepted and may not have come to DBOS, with their attempts. */
  async accepted(
    olderThanMs: number,
  ): Promise<readonly { readonly id: string; readonly attempt: number }[]> {
    return this.#database.query<{ id: string; attempt: number }>(
      `SELECT id, attempt FROM workflow_run JOIN dispatch_run ON run_id = id
        WHERE owner = ? AND ended_at IS NULL AND created_at < ${NOW} - ?
        ORDER BY created_at LIMIT 200`,
      [QUEUE_OWNER, olderThanMs],
    );
  }
}

function toDispatch({ attempt, executions, reader, allowance }: Row): DispatchRow {
  return {
    attempt,
    executions,
    reader: reader ?? undefined,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written above
    allowance: allowance === null ? undefined : (JSON.parse(allowance) as Spending),
  };
}

/** A list of texts as PostgreSQL writes it. */
function toArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;
}

/** Whether the database could not be reached, so that the same may succeed later. */
export function isUnreachable(error: unknown): boolean {
  const cause: unknown = WorkflowError.isInstance(error) ? error.cause : error;
  return StorageError.isInstance(cause) && cause.code === 'connection';
}
