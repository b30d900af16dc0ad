import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** A backend that is idle reports what it did within this time, in milliseconds. */
const REPORTED_MS = 11_000;

/** Clock ticks of Linux in a second. */
const TICKS = 100;

/** What a PostgreSQL server on this machine did: transactions, and the time of its processes. */
export class PostgresLoad {
  readonly #client: pg.Client;
  readonly #postmaster: number | undefined;

  private constructor(client: pg.Client, postmaster: number | undefined) {
    this.#client = client;
    this.#postmaster = postmaster;
  }

  static async open(url: string): Promise<PostgresLoad> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const parent = statOf(rows[0]?.pid ?? 0)?.[1];
    return new PostgresLoad(client, parent === undefined ? undefined : Number(parent));
  }

  /** Returns the transactions of the database so far, once all of them are reported. */
  async commits(): Promise<number> {
    await sleep(REPORTED_MS);
    const { rows } = await this.#client.query<{ commits: string }>(
      'SELECT xact_commit AS commits FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(rows[0]?.commits);
  }

  /** Resolves when DBOS has written how all workflows of a namespace ended, which is a moment after their results. */
  async settled(namespace: string): Promise<void> {
    for (;;) {
      const { rows } = await this.#client.query<{ open: number }>(
        `SELECT COUNT(*)::int AS open FROM "${namespace}_dbos".workflow_status
          WHERE status IN ('PENDING', 'ENQUEUED')`,
      );
      if (rows[0]?.open === 0) return;
      await sleep(50);
    }
  }

  /** Returns the processor time of the server so far, in milliseconds; NaN where it cannot be seen. */
  cpuMs(): number {
    const pid = this.#postmaster;
    if (pid === undefined) return Number.NaN;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    const ended = statOf(pid)?.slice(13, 15).map(Number) ?? [];
    const living = children.filter(Boolean).map((child) => cpuMsOf(Number(child)));
    return ticksToMs(ended) + cpuMsOf(pid) + living.reduce((sum, ms) => sum + ms, 0);
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

/** Returns the processor time of a process so far, in milliseconds: 0 if there is no such process. */
export function cpuMsOf(pid: number): number {
  return ticksToMs(statOf(pid)?.slice(11, 13).map(Number) ?? []);
}

function ticksToMs(ticks: readonly number[]): number {
  return (ticks.reduce((sum, one) => sum + one, 0) / TICKS) * 1000;
}

/** Returns the fields of `/proc/PID/stat` from the state on. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
