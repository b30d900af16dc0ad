import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@vizprompt/providers';
import PQueue from 'p-queue';
import type { CallLimiter } from '../calls/call-limiter.ts';
import { NOW } from './dispatch.ts';
import type { SharedLimit } from './options.ts';
import { retryOnDisconnect } from './retry-on-disconnect.ts';

/** How long to wait before the database is asked again for a place, in milliseconds; a little is added by chance. */
const AGAIN_MS = 20;
const LONGEST_MS = 500;

/** The parts that a {@link SharedLimiter} needs. */
interface SharedLimiterOptions {
  /** The limits of this process, which are next to those of all. */
  readonly local: CallLimiter;
  readonly shared: Readonly<Record<string, SharedLimit>>;
  readonly database: Database;
  /** The worker, as others see it: places of dead ones become free. */
  readonly owner: () => string;
}

/**
 * Limits of providers that hold for all workers together: places are rows, and so are the times of calls. A place
 * belongs to a call, by its number: when the connection is lost before the database has said which place it gave, the
 * call asks again and gets the same one.
 */
export class SharedLimiter implements CallLimiter {
  readonly #options: SharedLimiterOptions;
  /** Only the first in line of a process asks the database. */
  readonly #lines = new Map<string, PQueue>();
  /** Calls that may have a place. */
  readonly #calls = new Set<number>();
  #lastCall = 0;

  constructor(options: SharedLimiterOptions) {
    this.#options = options;
  }

  /** Makes the places of providers. */
  async open(): Promise<void> {
    const { shared, database } = this.#options;
    for (const [provider, { concurrency, rate }] of Object.entries(shared)) {
      this.#lines.set(provider, new PQueue({ concurrency: 1 }));
      if (concurrency !== undefined) {
        await database.execute(
          `INSERT INTO dispatch_place (provider, place)
            SELECT ?, place FROM generate_series(1, CAST(? AS BIGINT)) AS place
            ON CONFLICT (provider, place) DO NOTHING`,
          [provider, concurrency],
        );
      }
      if (rate) {
        await database.execute(
          'INSERT INTO dispatch_rate (provider) VALUES (?) ON CONFLICT (provider) DO NOTHING',
          [provider],
        );
      }
    }
  }

  async acquire(signal?: AbortSignal, provider = ''): Promise<() => void> {
    const { local, shared } = this.#options;
    const releaseLocal = await local.acquire(signal, provider);
    const limit = Object.hasOwn(shared, provider) ? shared[provider] : undefined;
    const line = this.#lines.get(provider);
    if (!limit || !line) return releaseLocal;
    const call = ++this.#lastCall;
    this.#calls.add(call);
    let place: 'none' | 'asked for' | 'taken' = 'none';
    let hasLeft = false;
    const release = (): void => {
      hasLeft = true;
      releaseLocal();
      if (place === 'taken') void this.#free(provider, call);
      else if (place === 'none') this.#calls.delete(call);
    };
    try {
      await line.add(
        async () => {
          const { concurrency, rate } = limit;
          if (concurrency !== undefined) {
            place = 'asked for';
            try {
              await pollUntil(() => this.#take(provider, concurrency, call), AGAIN_MS, signal);
            } catch (error) {
              // Where the connection was lost, it may have a place all the same: see `freeLost`.
              this.#calls.delete(call);
              throw error;
            }
            // A waiter that is aborted leaves the line at once, while the database may still be giving it a place.
            if (hasLeft) return this.#free(provider, call);
            place = 'taken';
          }
          if (rate) {
            const pauseMs = Math.min(LONGEST_MS, rate.perMs / rate.calls / 2);
            await pollUntil(() => this.#count(provider, rate), pauseMs, signal);
          }
        },
        signal ? { signal } : {},
      );
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Gives back places of calls that do not know that they had got one; to be called now and then. */
  async freeLost(): Promise<void> {
    const { database, owner } = this.#options;
    if (this.#lines.size === 0) return;
    await database.execute(
      `UPDATE dispatch_place SET owner = NULL, call = NULL
        WHERE owner = ? AND call <= ? AND call <> ALL(CAST(? AS BIGINT[]))`,
      [owner(), this.#lastCall, `{${[...this.#calls].join(',')}}`],
    );
  }

  async #take(provider: string, concurrency: number, call: number): Promise<true | undefined> {
    const { database, owner } = this.#options;
    const { changes } = await database.execute(
      `UPDATE dispatch_place SET owner = ?, call = ? WHERE provider = ? AND place = (
        SELECT place FROM dispatch_place WHERE provider = ? AND place <= ?
        AND (owner IS NULL OR (owner = ? AND call = ?))
        ORDER BY owner IS NULL, place LIMIT 1 FOR UPDATE SKIP LOCKED)`,
      [owner(), call, provider, provider, concurrency, owner(), call],
    );
    return changes > 0 ? true : undefined;
  }

  /** Counts a call, if it may begin now: one statement, which waits for others that change the row. */
  async #count(
    provider: string,
    { calls, perMs }: NonNullable<SharedLimit['rate']>,
  ): Promise<true | undefined> {
    const recent = `ARRAY(SELECT at FROM unnest(calls) AS at WHERE at > ${NOW} - CAST(? AS BIGINT))`;
    const { changes } = await this.#options.database.execute(
      `UPDATE dispatch_rate SET calls = ${recent} || ${NOW}
        WHERE provider = ? AND cardinality(${recent}) < ?`,
      [perMs, provider, perMs, calls],
    );
    return changes > 0 ? true : undefined;
  }

  async #free(provider: string, call: number): Promise<void> {
    const { database, owner } = this.#options;
    const id = owner();
    await retryOnDisconnect(
      () =>
        database.execute(
          `UPDATE dispatch_place SET owner = NULL, call = NULL
            WHERE provider = ? AND owner = ? AND call = ?`,
          [provider, id, call],
        ),
      () => false,
    ).catch(() => undefined);
    this.#calls.delete(call);
  }
}

async function pollUntil<T>(
  attempt: () => Promise<T | undefined>,
  pauseMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (;;) {
    signal?.throwIfAborted();
    const value = await retryOnDisconnect(attempt, () => signal?.aborted ?? false);
    if (value !== undefined) return value;
    await sleep(Math.max(1, pauseMs * (0.5 + Math.random())));
  }
}
