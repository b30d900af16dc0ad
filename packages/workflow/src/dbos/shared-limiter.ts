import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@vizprompt/providers';
import PQueue from 'p-queue';
import type { CallLimiter } from '../agents/limiter.ts';
import type { SharedLimit } from './options.ts';
import { patiently } from './patience.ts';
import { NOW } from './tables.ts';

/** How long to wait before the database is asked again for a place, in milliseconds; a little is added by chance. */
const AGAIN_MS = 20;
const LONGEST_MS = 500;

/** What a {@link SharedLimiter} needs. */
export interface SharedLimiterOptions {
  /** The limits of this process, which stand beside those of all. */
  readonly local: CallLimiter;
  readonly shared: Readonly<Record<string, SharedLimit>>;
  readonly database: Database;
  /** The worker, as others see it: places of dead ones become free. */
  readonly owner: () => string;
}

/** Limits of providers that hold for all workers together: places are rows, and so are the times of calls. */
export class SharedLimiter implements CallLimiter {
  readonly #options: SharedLimiterOptions;
  /** Of a process, only the first in line asks the database. */
  readonly #lines = new Map<string, PQueue>();

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

  async enter(signal?: AbortSignal, provider = ''): Promise<() => void> {
    const { local, shared } = this.#options;
    const leaveLocal = await local.enter(signal, provider);
    const limit = Object.hasOwn(shared, provider) ? shared[provider] : undefined;
    const line = this.#lines.get(provider);
    if (!limit || !line) return leaveLocal;
    let place: number | undefined;
    let hasLeft = false;
    const leave = (): void => {
      hasLeft = true;
      leaveLocal();
      if (place !== undefined) void this.#free(provider, place);
    };
    try {
      await line.add(
        async () => {
          const { concurrency, rate } = limit;
          if (concurrency !== undefined) {
            const taken = await until(() => this.#take(provider, concurrency), AGAIN_MS, signal);
            // Who is called off is let out of the line at once, while the database may still be giving it a place.
            if (hasLeft) return this.#free(provider, taken);
            place = taken;
          }
          if (rate) {
            const pauseMs = Math.min(LONGEST_MS, rate.perMs / rate.calls / 2);
            await until(() => this.#count(provider, rate), pauseMs, signal);
          }
        },
        signal ? { signal } : {},
      );
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #take(provider: string, concurrency: number): Promise<number | undefined> {
    const { database, owner } = this.#options;
    const [row] = await database.query<{ place: number }>(
      `UPDATE dispatch_place SET owner = ? WHERE provider = ? AND place = (
        SELECT place FROM dispatch_place WHERE provider = ? AND place <= ? AND owner IS NULL
        ORDER BY place LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING place`,
      [owner(), provider, provider, concurrency],
    );
    return row?.place;
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

  async #free(provider: string, place: number): Promise<void> {
    const { database, owner } = this.#options;
    const id = owner();
    await patiently(
      () =>
        database.execute(
          'UPDATE dispatch_place SET owner = NULL WHERE provider = ? AND place = ? AND owner = ?',
          [provider, place, id],
        ),
      () => false,
    ).catch(() => undefined);
  }
}

async function until<T>(
  attempt: () => Promise<T | undefined>,
  pauseMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (;;) {
    signal?.throwIfAborted();
    const value = await patiently(attempt, () => signal?.aborted ?? false);
    if (value !== undefined) return value;
    await sleep(Math.max(1, pauseMs * (0.5 + Math.random())));
  }
}
