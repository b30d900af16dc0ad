import type { Database, SqlExecutor, Storage } from '@vizprompt/providers';
import { isFatal, toErrorJson } from '../errors.ts';
import type { RunEvent, WorkflowEvents } from '../events.ts';
import type { Journal } from '../journal/journal.ts';
import type { EngineParts } from '../runtime/active-run.ts';
import { MAX_TAKEOVERS, takenOverTooOften } from '../runtime/durable-runtime.ts';
import { type DbosApi, RUN } from './dbos-process.ts';
import { FIRE } from './dbos-schedules.ts';
import { type DispatchRow, NOW } from './dispatch.ts';
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

/** The time in which a run that was taken over begins alone. */
interface Turn {
  /** A step that the run has finished shows that it is harmless. */
  heard(event: RunEvent): void;
  /** Ends with the run, or when the worker has been alive for a while. */
  endsWith(settled: Promise<void>): void;
  end(): void;
}

/** Sees to it that a run that ends workers does not end all of them. */
export class Takeovers {
  readonly #quarantine = new Quarantine();
  readonly #max: number;
  readonly #turnMs: number;

  /** @param turnMs - After which a run that does not end its worker lets the next one begin. */
  constructor(max: number = MAX_TAKEOVERS, turnMs: number) {
    this.#max = max;
    this.#turnMs = turnMs;
  }

  /**
   * Waits until the run may begin: at once, unless it was taken over more than once.
   *
   * @param isOver - Checks whether nothing begins any more.
   * @returns `undefined` if the run may not begin: its turn goes to the next one.
   */
  async turnOf(
    { executions, takeovers }: Pick<DispatchRow, 'executions' | 'takeovers'>,
    isOver: () => boolean,
  ): Promise<Turn | undefined> {
    const isSuspect = executions > 1 && takeovers > 0;
    const end = isSuspect ? await this.#quarantine.enter(takeovers) : () => undefined;
    if (isOver()) {
      end();
      return undefined;
    }
    return {
      end,
      heard: (event) => {
        if (event.type === 'step:ended' && !event.isReplayed) end();
      },
      endsWith: (settled) => {
        if (!isSuspect) return;
        const timer = setTimeout(end, this.#turnMs);
        void settled.finally(() => {
          clearTimeout(timer);
          end();
        });
      },
    };
  }

  /** @throws WorkflowError with the code `limit` where the run was taken over too often. */
  async count(journal: Journal, runId: string, steps: number): Promise<void> {
    const takeovers = await journal.takenOver(runId, steps);
    if (takeovers > this.#max) throw takenOverTooOften(runId, takeovers);
  }

  /** Writes the end of a run that was taken over too often; `undefined` if another error kept it from beginning. */
  async endOf(
    error: unknown,
    { journal, services, events }: EngineParts,
    runId: string,
  ): Promise<WorkflowEvents['run:ended'] | undefined> {
    if (!isFatal(error) || error.code !== 'limit') return undefined;
    const at = services.now();
    const end = { status: 'failed', error: toErrorJson(error) } as const;
    await journal.write(runId, { type: 'ended', ...end, at });
    const event = { runId, at: new Date(at).toISOString(), ...end };
    events.emit('run:ended', event);
    return event;
  }
}

/** Delay for each takeover of a run before it takes its turn, so that others go first, in milliseconds. */
const COURTESY_MS = 200;

/** A run that waits for its turn. */
interface Suspect {
  readonly takeovers: number;
  begin(): void;
}

/**
 * Lets runs begin one after the other that were taken over more than once: one of them may be what ends workers, and the
 * others must not be counted with it. Those that were taken over less often go first.
 */
class Quarantine {
  readonly #waiting: Suspect[] = [];
  #isTaken = false;

  /**
   * Waits for its turn.
   *
   * @returns A function that gives the turn to the next, once the run has shown that it is harmless.
   */
  async enter(takeovers: number): Promise<() => void> {
    await new Promise((resolve) => setTimeout(resolve, takeovers * COURTESY_MS));
    await new Promise<void>((begin) => {
      this.#waiting.push({ takeovers, begin });
      this.#next();
    });
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#isTaken = false;
      this.#next();
    };
  }

  #next(): void {
    if (this.#isTaken) return;
    const first = this.#waiting.toSorted((a, b) => a.takeovers - b.takeovers)[0];
    if (!first) return;
    this.#waiting.splice(this.#waiting.indexOf(first), 1);
    this.#isTaken = true;
    first.begin();
  }
}
