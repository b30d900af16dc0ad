import type { Database, SqlExecutor, Storage } from '@vizprompt/providers';
import { type DbosApi, RUN } from './dbos-process.ts';
import { FIRE } from './dbos-schedules.ts';
import { NOW } from './dispatch.ts';
import type { DbosNames } from './options.ts';

/** Shortest time between two attempts to say that a worker is alive, in milliseconds. */
const AGAIN_MS = 200;

/** The parts that a {@link WorkerLease} needs. */
interface WorkerLeaseOptions {
  readonly id: string;
  readonly database: Database;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  /** Called after each heartbeat, while the worker is surely alive itself. */
  readonly sweep: () => Promise<void>;
  /** Others have taken this worker for dead. */
  readonly lost: () => void;
}

/**
 * Reports that a worker is alive, in a row by the clock of the database. A worker that hangs for longer than the lease is marked as
 * dead by others, for ever: what it does afterwards does not count.
 */
export class WorkerLease {
  readonly #options: WorkerLeaseOptions;
  #renewedAt = -Infinity;
  /** Since when it has been alive without a break. */
  #steadyAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(options: WorkerLeaseOptions) {
    this.#options = options;
  }

  get id(): string {
    return this.#options.id;
  }

  /** Checks whether it is dead, on its own or because others took it for that. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Begins to be alive. */
  async hold(): Promise<void> {
    const { id, database, leaseMs } = this.#options;
    const at = performance.now();
    await database.execute(
      `INSERT INTO dispatch_worker (id, lease_ms, alive_at, is_dead) VALUES (?, ?, ${NOW}, 0)`,
      [id, leaseMs],
    );
    this.#renewedAt = at;
    this.#steadyAt = at - leaseMs;
    this.#next();
  }

  /** Is dead from now on, so that others continue with what it leads. */
  async close(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#beating;
    await this.#options.database
      .execute('UPDATE dispatch_worker SET is_dead = 1 WHERE id = ?', [this.id])
      .catch(() => undefined);
  }

  #next(): void {
    if (this.#isOver) return;
    const { heartbeatMs } = this.#options;
    const sinceMs = performance.now() - this.#renewedAt;
    // After a heartbeat that failed the next one comes soon.
    const waitMs = Math.max(Math.min(AGAIN_MS, heartbeatMs), heartbeatMs - sinceMs);
    this.#timer = setTimeout(() => {
      this.#beating = this.#beat().catch(() => undefined);
      void this.#beating.then(() => this.#next());
    }, waitMs);
  }

  async #beat(): Promise<void> {
    if (!(await this.#renew())) return;
    // A worker that was away itself cannot decide which others are dead.
    const { leaseMs, sweep } = this.#options;
    if (performance.now() - this.#steadyAt >= leaseMs) await sweep();
  }

  /** Checks whether it is alive. */
  async #renew(): Promise<boolean> {
    const { id, database, leaseMs, lost } = this.#options;
    const at = performance.now();
    const { changes } = await database.execute(
      `UPDATE dispatch_worker SET alive_at = ${NOW} WHERE id = ? AND is_dead = 0`,
      [id],
    );
    if (changes === 0) {
      if (!this.#isOver) lost();
      this.#isOver = true;
      return false;
    }
    if (at - this.#renewedAt > leaseMs) this.#steadyAt = at;
    this.#renewedAt = at;
    return true;
  }
}

/**
 * Lets the runs of dead workers continue elsewhere. One worker does it at a time; if that one dies too, the next begins
 * where it was, since a dead worker is forgotten last.
 *
 * @param isThorough - Also looks for runs of workers without a row: one that does not notice for a moment that it was
 * taken for dead may begin runs after it was forgotten.
 * @returns The number of runs.
 */
export async function resumeOfDeadWorkers(
  storage: Storage,
  api: DbosApi,
  { namespace, queue }: DbosNames,
  isThorough: boolean,
): Promise<number> {
  return storage.database.transaction(async (tx) => {
    const [lock] = await tx.query<{ taken: number }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0)) AS taken',
      [`${namespace}.sweep`],
    );
    if (lock?.taken !== 1) return 0;
    await markDead(tx);
    const dead = await tx.query<{ id: string }>('SELECT id FROM dispatch_worker WHERE is_dead = 1');
    if (dead.length === 0 && !isThorough) return 0;
    const runs = await pendingRuns(api);
    // Asked afterwards, and not in the past that a transaction sees: who leads one of the runs is known by now.
    const known = await storage.cache.query<{ id: string }>(
      `SELECT id FROM "${namespace}".dispatch_worker`,
    );
    const alive = new Set(known.map(({ id }) => id));
    for (const { id } of dead) alive.delete(id);
    const left = runs.filter(({ executorId }) => !alive.has(executorId));
    // Threads are not resumed: the run begins them again, with what they had done.
    const ids = left.map(({ id }) => id);
    if (ids.length > 0) await api.resumeWorkflows(ids, { queueName: queue });
    for (const { id } of dead) {
      await tx.execute('UPDATE dispatch_place SET owner = NULL, call = NULL WHERE owner = ?', [id]);
      await tx.execute('DELETE FROM dispatch_worker WHERE id = ?', [id]);
    }
    return ids.length;
  });
}

/** After a start of the server all workers have the time of a lease to report. */
async function markDead(tx: SqlExecutor): Promise<void> {
  await tx.execute(
    `UPDATE dispatch_worker SET is_dead = 1 WHERE is_dead = 0 AND alive_at + lease_ms < ${NOW}
      AND CAST(EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000 AS BIGINT) + lease_ms < ${NOW}`,
  );
}

async function pendingRuns(
  api: DbosApi,
): Promise<{ readonly id: string; readonly executorId: string }[]> {
  const only = { status: 'PENDING', loadInput: false, loadOutput: false } as const;
  // A time of a schedule whose worker died has started no run yet, or one that is in no queue.
  const pending = await Promise.all(
    [RUN, FIRE].map((workflowName) => api.listWorkflows({ ...only, workflowName })),
  );
  return pending.flat().map(({ workflowID: id, executorId = '' }) => ({ id, executorId }));
}
