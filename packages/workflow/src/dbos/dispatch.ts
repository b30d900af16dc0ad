import {
  type Database,
  type Migration,
  PeerError,
  type Spending,
  type SqlExecutor,
  type Statement,
  type Storage,
  StorageError,
} from '@vizprompt/providers';
import { postgresStorage } from '@vizprompt/providers/postgres';
import { WorkflowError } from '../errors.ts';
import type { Lease } from '../journal/engine-lease.ts';
import { unwritable } from '../journal/journal.ts';
import { JOURNAL_MIGRATIONS } from '../journal/sql-journal.ts';
import type { DbosOptions } from './options.ts';

/** The leader of a run that waits for a worker. */
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
  /** Number of earlier takeovers without a finished step in between, except while it only waited. */
  readonly takeovers: number;
  /** The reader that receives its events. */
  readonly reader: string | undefined;
  /** The rest of the budget that it was given. */
  readonly allowance: Spending | undefined;
}

/** A row of `dispatch_run`. */
export interface DispatchRunRow {
  readonly attempt: number;
  readonly executions: number;
  readonly reader: string | null;
  readonly allowance: string | null;
}

/**
 * Returns the row of a new run, which is written with the run: without it a worker would lead the run without its budget. It
 * fails if rows of an earlier run with this id remain.
 */
export function rowOfRun(
  runId: string,
  reader: string | undefined,
  allowance: Spending | undefined,
): Statement {
  return {
    sql: `INSERT INTO dispatch_run (run_id, attempt, executions, reader, allowance)
      VALUES (?, 1, 0, ?, ?)`,
    params: [runId, reader ?? null, allowance ? JSON.stringify(allowance) : null],
  };
}

/** Rows that say how runs are executed, next to those of the journal. */
export class Dispatch {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(runId: string): Promise<DispatchRow | undefined> {
    const [row] = await this.#database.query<DispatchRunRow>(
      'SELECT * FROM dispatch_run WHERE run_id = ?',
      [runId],
    );
    return row && toDispatch(row);
  }

  /** Begins a new attempt of a run that had ended; `undefined` if another process was faster. */
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

  /** Checks whether a run is in progress whose id begins with `prefix`. */
  async isGoingOn(prefix: string): Promise<boolean> {
    const rows = await this.#database.query(
      'SELECT id FROM workflow_run WHERE ended_at IS NULL AND LEFT(id, ?) = ? LIMIT 1',
      [prefix.length, prefix],
    );
    return rows.length > 0;
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

export function toDispatch({
  attempt,
  executions,
  reader,
  allowance,
}: DispatchRunRow): DispatchRow {
  return {
    attempt,
    executions,
    takeovers: 0,
    reader: reader ?? undefined,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written above
    allowance: allowance === null ? undefined : (JSON.parse(allowance) as Spending),
  };
}

/** Returns a list of texts as PostgreSQL writes it. */
export function toArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;
}

/** Checks whether the database could not be reached, so that the same may succeed later. */
export function isUnreachable(error: unknown): boolean {
  const cause: unknown = WorkflowError.isInstance(error) ? error.cause : error;
  return StorageError.isInstance(cause) && cause.code === 'connection';
}

/**
 * Opens the storage that the workers of a namespace share with those who start runs.
 *
 * @param idleTransactionTimeoutMs - After which the server lets go of what a process that hangs has locked.
 * @throws WorkflowError with the code `journal-unwritable`; PeerError if `pg` is not installed.
 */
export async function openDispatch(
  { url }: DbosOptions,
  namespace: string,
  idleTransactionTimeoutMs: number,
): Promise<Storage> {
  try {
    const storage = await postgresStorage({
      connectionString: url,
      namespace,
      idleTransactionTimeoutMs,
    });
    try {
      await storage.database.migrate('workflow', JOURNAL_MIGRATIONS);
      await storage.database.migrate('dispatch', DISPATCH_MIGRATIONS);
      await storage.cache.migrate('dispatch', EVENT_MIGRATIONS);
      return storage;
    } catch (error) {
      await storage.close();
      throw error;
    }
  } catch (error) {
    throw PeerError.isInstance(error) ? error : unwritable(error);
  }
}

/** The time of the database's clock, which all workers share, in milliseconds since 1970. */
export const NOW = 'CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)';

/** The tables that workers need besides the journal. */
const DISPATCH_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'who executes runs and is told of them, workers, and places of shared limits',
    up: (tx) => executeAll(tx, TABLES),
  },
  {
    version: 2,
    name: 'which call of a worker has a place',
    up: (tx) => executeAll(tx, ['ALTER TABLE dispatch_place ADD COLUMN call BIGINT']),
  },
];

/** The tables that may be lost: events on their way to their readers. */
const EVENT_MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'events on their way', up: (tx) => executeAll(tx, EVENT_TABLES) },
];

async function executeAll(tx: SqlExecutor, statements: readonly string[]): Promise<void> {
  for (const sql of statements) await tx.execute(sql);
}

const TABLES = [
  `CREATE TABLE dispatch_run (
    run_id TEXT PRIMARY KEY,
    attempt BIGINT NOT NULL,
    executions BIGINT NOT NULL,
    reader TEXT,
    allowance TEXT
  )`,
  `CREATE TABLE dispatch_worker (
    id TEXT PRIMARY KEY,
    lease_ms BIGINT NOT NULL,
    alive_at BIGINT NOT NULL,
    is_dead BIGINT NOT NULL
  )`,
  `CREATE TABLE dispatch_place (
    provider TEXT NOT NULL,
    place BIGINT NOT NULL,
    owner TEXT,
    PRIMARY KEY (provider, place)
  )`,
  "CREATE TABLE dispatch_rate (provider TEXT PRIMARY KEY, calls BIGINT[] NOT NULL DEFAULT '{}')",
];

const EVENT_TABLES = [
  `CREATE UNLOGGED TABLE dispatch_event (
    id BIGSERIAL PRIMARY KEY,
    reader TEXT NOT NULL,
    body TEXT NOT NULL,
    at BIGINT NOT NULL
  )`,
  'CREATE INDEX dispatch_event_reader ON dispatch_event (reader, id)',
];
