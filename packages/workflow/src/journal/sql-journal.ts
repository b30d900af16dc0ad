import {
  type JsonValue,
  type Migration,
  type Statement,
  type Storage,
  StorageError,
} from '@vizprompt/providers';
import { type ErrorJson, isStorable, readRows } from '@vizprompt/providers/internal';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import { WorkflowError } from '../errors.ts';
import { CommitQueue } from './commit-queue.ts';
import { EngineLease, type Lease } from './engine-lease.ts';
import {
  type AnswerRow,
  forgetStatement,
  type RunRow,
  statementOf,
  statementsOfRun,
  type StepRow,
  toAnswer,
  toDefinition,
  toListedRun,
  toRun,
  toStep,
  toText,
  toWait,
  unaskStatement,
  type WaitRow,
} from './journal-rows.ts';
import {
  conflict,
  damagedRows,
  idTaken,
  type Journal,
  type JournalEntry,
  type NewRun,
  reading,
  type Retention,
  type RunHistory,
  type RunsQuery,
  type ScheduleRow,
  type ScheduleState,
  scheduleStatement,
  type StoredRun,
  toSchedules,
  unwritable,
  type WaitRecord,
} from './journal.ts';
import { pruneRuns } from './retention.ts';

const RUN_ROW = `SELECT r.*, (SELECT COUNT(*) FROM workflow_wait w
  WHERE w.run_id = r.id AND w.answer IS NULL AND w.closed_at IS NULL) AS is_waiting FROM workflow_run r`;

/** A journal in the database of a storage: SQLite or PostgreSQL. */
export class SqlJournal implements Journal {
  readonly #storage: Storage;
  readonly #commits: CommitQueue;
  readonly #lease: Lease;
  readonly #definitions = new WeakMap<DefinitionSnapshot, string>();

  /** @param lease - Reports the leaders of runs; the tables must be there. */
  constructor(storage: Storage, lease: Lease) {
    this.#storage = storage;
    this.#commits = new CommitQueue(storage.database);
    this.#lease = lease;
  }

  /** @throws WorkflowError with the code `journal-unwritable`. */
  static async open(storage: Storage): Promise<SqlJournal> {
    try {
      await storage.database.migrate('workflow', JOURNAL_MIGRATIONS);
      return new SqlJournal(storage, new EngineLease(storage));
    } catch (error) {
      throw unwritable(error);
    }
  }

  /** @param beside - Statements of the same transaction as the run. */
  async create(run: NewRun, beside: readonly Statement[] = []): Promise<void> {
    await this.#lease.hold();
    const { dialect } = this.#storage.database;
    const statements = statementsOfRun(run, this.#json(run.definition), this.#lease.id, dialect);
    try {
      await this.#commits.write([...statements, ...beside]);
    } catch (error) {
      const cause = WorkflowError.isInstance(error) ? error.cause : undefined;
      if (StorageError.isInstance(cause) && cause.code === 'constraint') throw idTaken(run.run.id);
      throw error;
    }
  }

  async schedules(): Promise<ReadonlyMap<string, ScheduleState>> {
    return toSchedules(await this.#query<ScheduleRow>('SELECT * FROM workflow_schedule', []));
  }

  async keepSchedule(name: string, state: ScheduleState): Promise<void> {
    await this.#commits.write([scheduleStatement(name, state)]);
  }

  async run(id: string): Promise<StoredRun | undefined> {
    if (!isStorable(id)) return undefined;
    const [row] = await this.#query<RunRow>(`${RUN_ROW} WHERE r.id = ?`, [id]);
    return row && reading(() => toRun(row));
  }

  async definition(hash: string): Promise<DefinitionSnapshot | undefined> {
    const [row] = await this.#query<{ definition: string }>(
      'SELECT definition FROM workflow_definition WHERE hash = ?',
      [hash],
    );
    return row && reading(() => toDefinition(hash, row.definition));
  }

  async history(id: string): Promise<RunHistory> {
    const sql = 'SELECT * FROM workflow_step WHERE run_id = ? ORDER BY seq';
    const steps = readRows(await this.#query<StepRow>(sql, [id]), toStep);
    const waits = readRows(await this.#waitRows(id), toWait);
    const damaged = [...steps.damaged, ...waits.damaged];
    const [spent] = await this.#query<{ tokens: number; cost_usd: number; calls: number }>(
      `SELECT COALESCE(SUM(tokens), 0) AS tokens, COALESCE(SUM(cost_usd), 0) AS cost_usd,
        COUNT(*) AS calls FROM workflow_spending WHERE run_id = ?`,
      [id],
    );
    return {
      steps: steps.values,
      waits: waits.values,
      spent: { tokens: spent?.tokens ?? 0, costUsd: spent?.cost_usd ?? 0 },
      calls: spent?.calls ?? 0,
      ...(damaged.length > 0 ? { damaged } : {}),
    };
  }

  async waits(id: string): Promise<readonly WaitRecord[]> {
    const { values, damaged } = readRows(await this.#waitRows(id), toWait);
    if (damaged.length > 0) throw damagedRows(damaged);
    return values;
  }

  #waitRows(id: string): Promise<WaitRow[]> {
    const sql = 'SELECT * FROM workflow_wait WHERE run_id = ? ORDER BY asked_at, path';
    return this.#query<WaitRow>(sql, [id]);
  }

  async runs({ status, limit = 100, after }: RunsQuery): Promise<readonly StoredRun[]> {
    const where: string[] = [];
    const params: (string | number)[] = [];
    if (after !== undefined) {
      if (!isStorable(after)) return [];
      where.push(`(created_at, id) < (SELECT created_at, id FROM workflow_run WHERE id = ?)`);
      params.push(after);
    }
    if (status === 'waiting' || status === 'running') {
      where.push(`status = 'running' AND is_waiting ${status === 'waiting' ? '>' : '='} 0`);
    } else if (status !== undefined) {
      where.push('status = ?');
      params.push(status);
    }
    const rows = await this.#query<RunRow>(
      `SELECT * FROM (${RUN_ROW}) AS run ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}
        ORDER BY created_at DESC, id DESC LIMIT ?`,
      [...params, limit],
    );
    return rows.map(toListedRun);
  }

  async claim(id: string): Promise<boolean> {
    await this.#lease.hold();
    const [row] = await this.#query<{ owner: string | null }>(
      'SELECT owner FROM workflow_run WHERE id = ?',
      [id],
    );
    const owner = row?.owner ?? null;
    const isFree = owner === null || owner === this.#lease.id || !(await this.#isAlive(owner));
    if (!row || !isFree) throw conflict(id);
    const isDead = owner !== null && owner !== this.#lease.id;
    const [changes = 0] = await this.#commits.write([
      {
        sql: `UPDATE workflow_run
          SET owner = ?, status = 'running', output = NULL, error = NULL, ended_at = NULL
          ${isDead ? '' : ', takeovers = 0'}
          WHERE id = ? AND status <> 'done' AND ${owner === null ? 'owner IS NULL' : 'owner = ?'}`,
        params: [this.#lease.id, id, ...(owner === null ? [] : [owner])],
      },
    ]);
    if (changes === 0) throw conflict(id);
    return isDead;
  }

  async takenOver(id: string, steps: number): Promise<number> {
    await this.#commits.write([
      {
        sql: `UPDATE workflow_run SET excused = 0, takeover_steps = ?, takeovers = CASE
            WHEN excused = 1 THEN 0 WHEN takeover_steps < ? THEN 1 ELSE takeovers + 1 END
          WHERE id = ? AND owner = ?`,
        params: [steps, steps, id, this.#lease.id],
      },
    ]);
    const [row] = await this.#query<{ takeovers: number }>(
      'SELECT takeovers FROM workflow_run WHERE id = ?',
      [id],
    );
    return row?.takeovers ?? 0;
  }

  async excuse(ids: readonly string[], isExcused: boolean): Promise<void> {
    if (ids.length === 0) return;
    await this.#commits.write(
      ids.map((id) => ({
        sql: 'UPDATE workflow_run SET excused = ? WHERE id = ? AND owner = ?',
        params: [isExcused ? 1 : 0, id, this.#lease.id],
      })),
    );
  }

  async release(id: string): Promise<void> {
    await this.#commits.write([
      {
        sql: 'UPDATE workflow_run SET owner = NULL WHERE id = ? AND owner = ?',
        params: [id, this.#lease.id],
      },
    ]);
  }

  async write(runId: string, entry: JournalEntry): Promise<void> {
    const { dialect } = this.#storage.database;
    const statement = statementOf(runId, entry, this.#lease.id, dialect);
    const [changes = 0] = await this.#commits.write([statement]);
    if (changes === 0) throw conflict(runId);
  }

  async answer(runId: string, path: string, answer: JsonValue): Promise<boolean> {
    const [changes = 0] = await this.#commits.write([
      {
        sql: `UPDATE workflow_wait SET answer = ?
          WHERE run_id = ? AND path = ? AND answer IS NULL AND closed_at IS NULL`,
        params: [JSON.stringify(answer), runId, toText(path)],
      },
    ]);
    return changes > 0;
  }

  async unask(runId: string, path: string, at: number): Promise<JsonValue | undefined> {
    const [changes = 0] = await this.#commits.write([
      unaskStatement(runId, path, this.#lease.id, at),
    ]);
    if (changes > 0) return undefined;
    const wait = (await this.waits(runId)).find((one) => one.path === path);
    if (wait?.answer === undefined) throw conflict(runId);
    return wait.answer;
  }

  async forget(runId: string, paths: readonly string[]): Promise<void> {
    const statements = paths.map((path) => forgetStatement(runId, path, this.#lease.id));
    if ((await this.#commits.write(statements)).some((changes) => changes === 0)) {
      throw conflict(runId);
    }
  }

  async answersOf(
    runIds: readonly string[],
  ): Promise<
    readonly { readonly runId: string; readonly path: string; readonly answer: JsonValue }[]
  > {
    const rows = await this.#query<AnswerRow>(
      `SELECT w.run_id, w.path, w.answer FROM workflow_wait w
        JOIN workflow_run r ON r.id = w.run_id
        LEFT JOIN workflow_step s ON s.run_id = w.run_id AND s.path = w.path
        WHERE r.owner = ? AND w.answer IS NOT NULL AND s.path IS NULL`,
      [this.#lease.id],
    );
    const wanted = new Set(runIds);
    // A damaged answer must not block the others; reading its run reports the damage.
    return readRows(
      rows.filter((row) => wanted.has(row.run_id)),
      toAnswer,
    ).values;
  }

  async cancel(id: string, error: ErrorJson, at: number): Promise<boolean> {
    const [changes = 0] = await this.#commits.write([
      {
        sql: `UPDATE workflow_run SET status = 'cancelled', error = ?, ended_at = ?, owner = NULL
          WHERE id = ? AND ended_at IS NULL`,
        params: [JSON.stringify(error), at, id],
      },
    ]);
    return changes > 0;
  }

  async prune(retention: Retention, now: number): Promise<void> {
    await pruneRuns(this.#storage.database, retention, now);
  }

  async lost(runIds: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#query<{ id: string }>('SELECT id FROM workflow_run WHERE owner = ?', [
      this.#lease.id,
    ]);
    const own = new Set(rows.map(({ id }) => id));
    return runIds.filter((id) => !own.has(id));
  }

  async close(): Promise<void> {
    await this.#commits.idle();
    await this.#lease.close();
  }

  async #isAlive(owner: string): Promise<boolean> {
    try {
      return await this.#lease.isAlive(owner);
    } catch (error) {
      throw unwritable(error);
    }
  }

  /** Serialized once for all runs of a definition. */
  #json(definition: DefinitionSnapshot): string {
    const known = this.#definitions.get(definition);
    if (known !== undefined) return known;
    const json = JSON.stringify(definition);
    this.#definitions.set(definition, json);
    return json;
  }

  async #query<Row extends object>(
    sql: string,
    params: readonly (string | number)[],
  ): Promise<Row[]> {
    try {
      return await this.#storage.database.query<Row>(sql, params);
    } catch (error) {
      throw unwritable(error);
    }
  }
}

/** The tables of the journal. Times are milliseconds since 1970, everything that steps make is JSON. */
export const JOURNAL_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'runs, their definitions, steps, questions and spendings, and the engines that lead them',
    async up(tx) {
      for (const sql of TABLES) await tx.execute(sql);
    },
  },
  {
    version: 2,
    name: 'how often runs were taken over without a finished step in between',
    async up(tx) {
      for (const column of ['takeovers', 'takeover_steps', 'excused']) {
        await tx.execute(`ALTER TABLE workflow_run ADD COLUMN ${column} BIGINT NOT NULL DEFAULT 0`);
      }
    },
  },
  {
    version: 3,
    name: 'how far schedules have come',
    async up(tx) {
      await tx.execute(`CREATE TABLE workflow_schedule (
        name TEXT PRIMARY KEY,
        rule TEXT NOT NULL,
        at BIGINT NOT NULL,
        run_id TEXT
      )`);
    },
  },
];

const TABLES = [
  `CREATE TABLE workflow_definition (
    hash TEXT PRIMARY KEY,
    definition TEXT NOT NULL
  )`,
  `CREATE TABLE workflow_run (
    id TEXT PRIMARY KEY,
    workflow TEXT NOT NULL,
    hash TEXT NOT NULL,
    prompt_set TEXT NOT NULL,
    task TEXT NOT NULL,
    status TEXT NOT NULL,
    output TEXT,
    error TEXT,
    owner TEXT,
    created_at BIGINT NOT NULL,
    ended_at BIGINT,
    forked_from TEXT
  )`,
  'CREATE INDEX workflow_run_created ON workflow_run (created_at, id)',
  'CREATE INDEX workflow_run_ended ON workflow_run (ended_at)',
  'CREATE INDEX workflow_run_hash ON workflow_run (hash)',
  `CREATE TABLE workflow_step (
    run_id TEXT NOT NULL,
    path TEXT NOT NULL,
    seq BIGINT NOT NULL,
    begun BIGINT NOT NULL,
    output TEXT NOT NULL,
    meta TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    elapsed_ms BIGINT NOT NULL,
    PRIMARY KEY (run_id, path)
  )`,
  `CREATE TABLE workflow_wait (
    run_id TEXT NOT NULL,
    path TEXT NOT NULL,
    question TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    until_ms BIGINT,
    answer TEXT,
    closed_at BIGINT,
    PRIMARY KEY (run_id, path)
  )`,
  `CREATE TABLE workflow_spending (
    run_id TEXT NOT NULL,
    call TEXT NOT NULL,
    tokens DOUBLE PRECISION NOT NULL,
    cost_usd DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (run_id, call)
  )`,
  `CREATE TABLE workflow_owner (
    slot BIGINT PRIMARY KEY,
    id TEXT NOT NULL,
    alive_at BIGINT NOT NULL
  )`,
];
