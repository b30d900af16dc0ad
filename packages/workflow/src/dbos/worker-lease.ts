import type { Database } from '@vizprompt/providers';
import { conflict } from '../journal/conflicts.ts';
import { NOW } from './tables.ts';

/** Shortest time between two attempts to say that a worker is alive, in milliseconds. */
const AGAIN_MS = 200;

/** What a {@link WorkerLease} needs. */
export interface WorkerLeaseOptions {
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
 * Says that a worker is alive, in a row by the clock of the database. Who hangs for longer than the lease is marked as
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

  /** Whether it is dead, by itself or because others took it for that. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether it said so long ago at most that nobody can have taken it for dead. */
  get isSure(): boolean {
    const { leaseMs } = this.#options;
    return !this.#isOver && performance.now() - this.#renewedAt < leaseMs / 2;
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

  /**
   * Makes sure that nobody can have taken the worker for dead.
   *
   * @throws WorkflowError with the code `conflict` if somebody has.
   */
  async assertAlive(runId: string): Promise<void> {
    if (this.isSure) return;
    if (this.#isOver || !(await this.#renew())) throw conflict(runId);
  }

  /** Is dead from now on, so that others go on with what it leads. */
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
    // Whoever was away itself cannot tell who is dead.
    const { leaseMs, sweep } = this.#options;
    if (performance.now() - this.#steadyAt >= leaseMs) await sweep();
  }

  /** Whether it is alive. */
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
