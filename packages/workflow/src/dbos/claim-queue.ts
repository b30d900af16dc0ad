import type { Database } from '@vizprompt/providers';
import { type RunRow, toRun } from '../journal/journal-rows.ts';
import { reading, type StoredRun } from '../journal/journal.ts';
import { type DispatchRow, type DispatchRunRow, toArray, toDispatch } from './dispatch.ts';

/** A run that a worker leads from now on. */
interface ClaimedRow {
  readonly run: StoredRun;
  readonly dispatch: DispatchRow;
}

interface Row extends Omit<RunRow, 'is_waiting'>, DispatchRunRow {
  readonly takeovers: number;
  readonly excused: number;
}

interface Waiting {
  readonly runId: string;
  readonly attempt: number;
  resolve(row: Row | undefined): void;
  reject(error: unknown): void;
}

/** Locks the runs before it reads their dispatch again: a newer attempt may have begun. A run may be in it once. */
const CLAIM = `WITH wanted AS (
    SELECT * FROM unnest(CAST(? AS TEXT[]), CAST(? AS BIGINT[])) AS wanted (id, attempt)),
  led AS (
    UPDATE workflow_run r SET owner = ? FROM wanted w, dispatch_run d
      WHERE r.id = w.id AND r.ended_at IS NULL AND d.run_id = w.id AND d.attempt = w.attempt
      RETURNING r.*),
  begun AS (
    UPDATE dispatch_run d SET executions = d.executions + 1 FROM led, wanted w
      WHERE d.run_id = led.id AND w.id = led.id AND d.attempt = w.attempt
      RETURNING d.run_id, d.attempt, d.executions, d.reader, d.allowance)
  SELECT led.*, begun.attempt, begun.executions, begun.reader, begun.allowance
    FROM led JOIN begun ON begun.run_id = led.id`;

/** Claims the runs that DBOS dispatches at the same time together, in one statement. */
export class ClaimQueue {
  readonly #database: Database;
  readonly #owner: string;
  #waiting: Waiting[] = [];

  /** @param owner - The worker that leads what is claimed. */
  constructor(database: Database, owner: string) {
    this.#database = database;
    this.#owner = owner;
  }

  /**
   * A worker begins an attempt of a run or takes it over: what others write of it is refused from now on. `undefined`
   * if the run has ended, or another attempt continues.
   */
  async claim(runId: string, attempt: number): Promise<ClaimedRow | undefined> {
    const row = await new Promise<Row | undefined>((resolve, reject) => {
      this.#add({ runId, attempt, resolve, reject });
    });
    if (!row) return undefined;
    const run = reading(() => toRun({ ...row, is_waiting: 0 }));
    const takeovers = row.excused === 1 ? 0 : row.takeovers;
    return { run, dispatch: { ...toDispatch(row), takeovers } };
  }

  #add(one: Waiting): void {
    if (this.#waiting.length === 0) setImmediate(() => void this.#claimAll());
    this.#waiting.push(one);
  }

  async #claimAll(): Promise<void> {
    const first = new Map<string, Waiting>();
    // A run that is claimed twice waits for the next statement.
    const rest: Waiting[] = [];
    for (const one of this.#waiting) {
      if (first.has(one.runId)) rest.push(one);
      else first.set(one.runId, one);
    }
    this.#waiting = [];
    const some = [...first.values()];
    try {
      const rows = await this.#database.query<Row>(CLAIM, [
        toArray(some.map(({ runId }) => runId)),
        toArray(some.map(({ attempt }) => String(attempt))),
        this.#owner,
      ]);
      const found = new Map(rows.map((row) => [row.id, row]));
      for (const { runId, resolve } of some) resolve(found.get(runId));
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
    for (const one of rest) this.#add(one);
  }
}

/** After so long without a run the poller waits for {@link QueuePoller.wake}, in milliseconds. */
const BACKOFF_MS = 2000;

/** The parts that a {@link QueuePoller} needs. */
interface QueuePollerOptions {
  /** Starts what is in the queue. */
  readonly poll: () => Promise<unknown>;
  /** The shortest time between two polls, in milliseconds. */
  readonly pollMs: number;
}

/**
 * Looks for queued runs when there may be some: after a notification at once, and for as long as there are more of them
 * each `pollMs`; then less and less often, and not at all.
 */
export class QueuePoller {
  readonly #options: QueuePollerOptions;
  #timer: NodeJS.Timeout | undefined;
  #due = Infinity;
  #polledAt = -Infinity;
  #delayMs = Infinity;
  #isPolling = false;
  #polling: Promise<void> = Promise.resolve();
  #isWoken = false;
  #isClosed = false;

  constructor(options: QueuePollerOptions) {
    this.#options = options;
  }

  /** There may be a run in the queue, or room for one. */
  wake(): void {
    const { pollMs } = this.#options;
    this.#delayMs = pollMs;
    // The poll that is in progress may have looked before the run was there.
    if (this.#isPolling) this.#isWoken = true;
    else this.#pollAt(Math.max(performance.now(), this.#polledAt + pollMs));
  }

  /** Polls no more. Resolves when the poll in progress has ended. */
  close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    return this.#polling;
  }

  #pollAt(at: number): void {
    if (this.#isClosed || at >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = at;
    const poll = (): void => {
      this.#polling = this.#poll();
    };
    this.#timer = setTimeout(poll, Math.max(0, at - performance.now()));
  }

  async #poll(): Promise<void> {
    this.#due = Infinity;
    this.#isPolling = true;
    this.#isWoken = false;
    this.#polledAt = performance.now();
    // A queue that cannot be polled now is polled next time.
    await this.#options.poll().catch(() => undefined);
    this.#isPolling = false;
    if (this.#isWoken) return this.wake();
    if (this.#delayMs >= BACKOFF_MS) return;
    const delayMs = this.#delayMs;
    this.#delayMs = delayMs * 2;
    this.#pollAt(performance.now() + delayMs);
  }
}
