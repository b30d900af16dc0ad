import { setImmediate } from 'node:timers/promises';
import type Pg from 'pg';
import { poll } from '../concurrency/backoff.ts';
import { toPeerError } from '../peer.ts';
import { StorageError } from '../storage/storage-error.ts';
import { guardReading } from './guard-reading.ts';
import { isConnectionLoss, isUnanswered, toConnectError } from './pg-error.ts';
import { type PgTarget, settingsOf } from './pg-settings.ts';
import { pgTypes } from './pg-types.ts';
import { isError } from '../errors.ts';

/** Connections to one schema. */
export interface PgPool {
  /** Host, port and database, for messages. */
  readonly server: string;
  readonly schema: string;
  /** The statement that each transaction begins with. */
  readonly settings: string;
  /** Lends a connection to `work`; waits while the server is away, as during a restart. */
  withClient<T>(work: (client: Pg.PoolClient) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** @throws StorageError with the code `closed`. */
  assertOpen(): void;
  /** Waits for the work that has a connection. */
  close(): Promise<void>;
}

/**
 * Returns how to connect. Nothing is set for the session: a pooler may refuse it, or forget it with the next
 * transaction.
 */
export function clientConfig(target: PgTarget): Pg.ClientConfig {
  return {
    connectionString: target.connectionString,
    application_name: 'vizprompt',
    keepAlive: true,
    types: pgTypes,
    ...(target.queryTimeoutMs !== undefined && { query_timeout: target.queryTimeoutMs }),
  };
}

/** Host, port and database of a connection string. */
export function serverOf(connectionString: string): string {
  try {
    const { hostname, port, pathname } = new URL(connectionString);
    return `${hostname || 'localhost'}:${port || '5432'}${pathname}`;
  } catch {
    return 'the given connection string';
  }
}

/** Makes a pool; nothing is connected before the first use. */
export function pgPool(target: PgTarget): PgPool {
  const server = serverOf(target.connectionString);
  let pool: Pg.Pool | undefined;
  let isClosed = false;
  /** Refuse those that wait for a connection. */
  const waiting = new Set<() => void>();

  function assertOpen(): void {
    if (isClosed) throw closedError();
  }

  /** Waits for a connection. A pool that ends never answers those that still wait. */
  function connected(current: Pg.Pool): Promise<Pg.PoolClient> {
    return new Promise((resolve, reject) => {
      const refuse = (): void => reject(closedError());
      waiting.add(refuse);
      const wait = async (): Promise<void> => {
        try {
          const client = await current.connect();
          if (waiting.delete(refuse)) resolve(client);
          else client.release();
        } catch (error) {
          waiting.delete(refuse);
          reject(error);
        }
      };
      void wait();
    });
  }

  function closedError(): StorageError {
    return new StorageError('closed', `the storage on ${server} is closed`);
  }

  async function openPool(): Promise<Pg.Pool> {
    const { Pool } = await loadPg();
    assertOpen();
    return (pool ??= newPool(Pool, target));
  }

  async function connect(signal?: AbortSignal): Promise<Pg.PoolClient> {
    assertOpen();
    const current = pool ?? (await openPool());
    let failure: unknown;
    const tryOnce = async (): Promise<Pg.PoolClient | undefined> => {
      assertOpen();
      try {
        return await connected(current);
      } catch (error) {
        if (!isConnectionLoss(error)) throw toConnectError(error, server);
        failure = error;
        return undefined;
      }
    };
    const client = await poll(tryOnce, { timeoutMs: target.connectTimeoutMs, signal });
    if (client) return client;
    throw toConnectError(failure, server);
  }

  return {
    server,
    schema: target.schema,
    settings: settingsOf(target),
    async withClient(work, signal) {
      const client = await connect(signal);
      let broken: Error | undefined;
      const onError = (error: Error): void => void (broken = error);
      client.on('error', onError);
      try {
        return await work(client);
      } catch (error) {
        if (isError(error) && (isConnectionLoss(error) || isUnanswered(error))) broken = error;
        throw error;
      } finally {
        client.off('error', onError);
        client.release(broken);
      }
    },
    assertOpen,
    async close() {
      if (isClosed) return;
      isClosed = true;
      if (!pool) return;
      // Free connections are given out first: those who get one finish what they do.
      await setImmediate();
      const last = [...waiting].slice(waiting.size - pool.waitingCount);
      for (const refuse of last) {
        waiting.delete(refuse);
        refuse();
      }
      await pool.end();
    },
  };
}

function newPool(Pool: typeof Pg.Pool, target: PgTarget): Pg.Pool {
  const pool = new Pool({ ...clientConfig(target), max: target.maxConnections });
  // A connection that breaks while it is idle: the pool drops it and makes a new one.
  pool.on('error', () => undefined);
  pool.on('connect', guardReading);
  return pool;
}

/** The module `pg`. */
export type PgModule = typeof Pg;

/**
 * Loads pg when it is first needed.
 *
 * @throws PeerError if it is not installed.
 */
export async function loadPg(): Promise<PgModule> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    throw toPeerError(error, 'pg');
  }
}
