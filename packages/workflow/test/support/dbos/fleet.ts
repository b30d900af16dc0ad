import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowEngine, type WorkflowEngineOptions } from '@vizprompt/workflow';
import { dbos, type WorkerOptions } from '@vizprompt/workflow/dbos';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import type { OpenEngine, OpenJournal } from '../engine/open-engine.ts';
import { RemoteWorker } from './remote-worker.ts';

/** Worker processes that tests take turns with: starting one takes a second. */
export class Fleet {
  readonly namespace: string = `fleet_${randomBytes(4).toString('hex')}`;
  readonly url: string;
  readonly #free: RemoteWorker[] = [];
  readonly #all: RemoteWorker[] = [];

  /** @param url - The URL of a server of its own. Default: the server of all tests. */
  constructor(url: string = inject('databaseUrl')) {
    this.url = url;
  }

  /** Opens workers with what an engine is given. */
  async workers(
    count: number,
    { models, functions, tools, retrievers, activities, ...rest }: Partial<WorkflowEngineOptions>,
    options: Partial<WorkerOptions> = {},
  ): Promise<RemoteWorker[]> {
    const { concurrency, prices, defaultModel, retention } = rest;
    const given = { models, functions, tools, retrievers, activities };
    const own: WorkerOptions = {
      url: this.url,
      namespace: this.namespace,
      pollMs: 30,
      ...(concurrency && { concurrency }),
      ...(prices && { prices }),
      ...(defaultModel === undefined ? {} : { defaultModel }),
      ...(retention && { retention }),
      ...options,
    };
    const taken = Array.from({ length: count }, () => this.#take());
    // One that is open and not taken would lead runs with what an earlier test gave it.
    await Promise.all(this.#free.map((worker) => worker.close()));
    await Promise.all(taken.map((worker) => worker.open(own, given as never)));
    return taken;
  }

  /** Leaves workers for others to take: open if they lead no run any more, as opening them takes half a second. */
  async leave(workers: readonly RemoteWorker[]): Promise<void> {
    if (!(await this.#isIdle())) await Promise.all(workers.map((worker) => worker.close()));
    this.#free.push(...workers.filter(({ process }) => process.connected));
  }

  /** Closes the workers that tests have left behind, or ends those that do not listen. */
  async leaveAll(): Promise<void> {
    const busy = this.#all.filter((worker) => !this.#free.includes(worker));
    await Promise.all(
      busy.map((worker) => Promise.race([worker.close().catch(() => undefined), sleep(5000)])),
    );
    for (const worker of busy) {
      if (worker.isOpen) await worker.kill();
      else if (worker.process.connected) this.#free.push(worker);
    }
  }

  /** Returns an engine that has no workers of its own. */
  async engine(options: WorkflowEngineOptions): Promise<WorkflowEngine> {
    const runtime = dbos({ url: this.url, namespace: this.namespace });
    const engine = await WorkflowEngine.open({ ...options, runtime });
    onTestFinished(() => engine.close());
    return engine;
  }

  /** Forgets all runs; no worker may lead one. */
  async clear(): Promise<void> {
    const tables = await this.#query(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname LIKE '${this.namespace}%' AND tablename NOT LIKE '%migration%'
          AND tablename NOT IN ('queues', 'dispatch_worker', 'dispatch_place')`,
    );
    // A statement each: open workers look into the same tables, and must not wait for each other with this.
    const deletes = tables.map(({ name = '' }) => `DELETE FROM ${name}`);
    await this.#query(...deletes);
  }

  /** Returns the id of the worker that leads a run. */
  async leaderOf(runId: string): Promise<{ readonly leads: string | undefined }> {
    const [row] = await this.#query(
      `SELECT owner FROM "${this.namespace}".workflow_run WHERE id = '${runId}'`,
    );
    return { leads: row?.['owner'] };
  }

  /** How a run ended, wherever that is written. */
  async resultsOf(runId: string): Promise<readonly Record<string, string>[]> {
    return this.#query(
      `SELECT status, output FROM "${this.namespace}".workflow_run WHERE id = '${runId}'
        AND ended_at IS NOT NULL`,
    );
  }

  /** Returns the inputs of the tool `note` in a run, of calls that are in the journal. */
  async toolInputs(runId: string): Promise<readonly string[]> {
    const rows = await this.#query(
      `SELECT path, output FROM "${this.namespace}".workflow_step
        WHERE run_id = '${runId}' AND output LIKE '%what%' AND path LIKE '%:tool%' ORDER BY seq`,
    );
    return rows.map(({ output = '' }) => /what\W+(\w+ \d+)/.exec(output)?.[1] ?? output);
  }

  /** Stores the steps of a run where earlier versions did, and returns how many there are. */
  async moveStepsToDbos(runId: string): Promise<number> {
    const schema = this.namespace;
    const moved = await this.#query(
      `WITH moved AS (DELETE FROM "${schema}".workflow_step WHERE run_id = '${runId}' RETURNING *),
        steps AS (SELECT *, json_build_object('path', path, 'seq', seq, 'begun', begun,
          'output', output::json, 'meta', meta::json, 'startedAt', started_at,
          'endedAt', ended_at, 'elapsedMs', elapsed_ms)::text AS step FROM moved)
        INSERT INTO "${schema}_dbos".operation_outputs (workflow_uuid, function_id, function_name,
          output, started_at_epoch_ms, completed_at_epoch_ms, serialization)
        SELECT run_id, seq - 1, path,
          json_build_object('json', step, '__dbos_serializer', 'superjson')::text,
          started_at, ended_at, 'js_superjson' FROM steps RETURNING 1 AS n`,
    );
    return moved.length;
  }

  /** Returns the times that schedules of DBOS have come to. */
  async firedTimes(): Promise<readonly string[]> {
    const rows = await this.#query(
      `SELECT workflow_uuid AS id FROM "${this.namespace}_dbos".workflow_status
        WHERE workflow_uuid LIKE 'sched-%'`,
    );
    return rows.map(({ id = '' }) => id.slice(-'2026-01-01T00:00:00.000Z'.length));
  }

  /** Keeps all others from a table. */
  async lockTable(name: string): Promise<{
    readonly waiting: () => Promise<number>;
    readonly release: () => Promise<void>;
  }> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    const table = `"${this.namespace}".${name}`;
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return {
      waiting: async () => {
        const sql = `SELECT pid FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass`;
        return (await this.#query(sql)).length;
      },
      release: () => client.end(),
    };
  }

  /** Returns the workers that are taken for alive. */
  async workerIds(): Promise<readonly string[]> {
    const rows = await this.#query(
      `SELECT id FROM "${this.namespace}".dispatch_worker WHERE is_dead = 0`,
    );
    return rows.map(({ id }) => id ?? '');
  }

  /** How many rows the tables of DBOS hold. */
  async dbosRows(): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    const tables = await this.#query(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = '${this.namespace}_dbos'
        AND tablename NOT LIKE '%migration%'`,
    );
    for (const { name = '' } of tables) {
      const [row] = await this.#query(
        `SELECT COUNT(*) AS n FROM "${this.namespace}_dbos"."${name}"`,
      );
      counts[name] = Number(row?.['n']);
    }
    return counts;
  }

  /** Resolves when no step of a run has ended for a while. */
  async quiet(runId: string): Promise<void> {
    const count = async (): Promise<string> => {
      const [row] = await this.#query(
        `SELECT COUNT(*) AS n FROM "${this.namespace}".workflow_step WHERE run_id = '${runId}'`,
      );
      return row?.['n'] ?? '0';
    };
    for (let before = ''; ;) {
      const now = await count();
      if (now === before) return;
      before = now;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.map((worker) => worker.kill()));
    const schemas = [this.namespace, `${this.namespace}.cache`, `${this.namespace}_dbos`];
    const names = schemas.map((name) => `"${name}"`).join(', ');
    await this.#query(`DROP SCHEMA IF EXISTS ${names} CASCADE`);
  }

  /** Checks whether all runs have ended, for this runtime and for DBOS, which records it a moment later. */
  async #isIdle(): Promise<boolean> {
    const sql = `SELECT
      (SELECT COUNT(*) FROM "${this.namespace}".workflow_run WHERE ended_at IS NULL) AS led,
      (SELECT COUNT(*) FROM "${this.namespace}_dbos".workflow_status
        WHERE status IN ('PENDING', 'ENQUEUED', 'DELAYED')) AS pending`;
    for (let look = 0; look < 20; look++) {
      const [row] = await this.#query(sql);
      if (row?.['led'] !== '0') return false;
      if (row['pending'] === '0') return true;
      await sleep(20);
    }
    return false;
  }

  #take(): RemoteWorker {
    const worker = this.#free.pop() ?? new RemoteWorker();
    if (!this.#all.includes(worker)) this.#all.push(worker);
    return worker;
  }

  /** @returns The rows of the last statement. */
  async #query(...statements: readonly string[]): Promise<Record<string, string>[]> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      let rows: Record<string, string>[] = [];
      for (const sql of statements) ({ rows } = await client.query<Record<string, string>>(sql));
      return rows;
    } finally {
      await client.end();
    }
  }
}

/** Opens engines with two worker processes each, which end with them. */
export function sharedOnDbos(fleet: Fleet): OpenJournal {
  return async () => {
    await fleet.clear();
    return async (options) => {
      // Nothing is taken over here on its own: a minute is longer than any test.
      const lease = { leaseMs: 180_000, heartbeatMs: 60_000 };
      const workers = await fleet.workers(2, options, lease);
      const engine = await fleet.engine(options);
      const close = engine.close.bind(engine);
      let closing: Promise<void> | undefined;
      engine.close = () => {
        closing ??= fleet.leave(workers).then(close);
        return closing;
      };
      return engine;
    };
  };
}

/** Opens an engine with two worker processes, on a database without runs. */
export function openOnDbos(fleet: Fleet): OpenEngine {
  const closers: (() => Promise<void>)[] = [];
  return async (options) => {
    // Some tests open several engines one after the other.
    for (const close of closers.splice(0)) await close();
    const engine = await (await sharedOnDbos(fleet)())(options);
    closers.push(() => engine.close());
    onTestFinished(() => engine.close());
    return engine;
  };
}
