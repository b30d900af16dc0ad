import { setImmediate } from 'node:timers/promises';
import type Pg from 'pg';
import { poll } from '../concurrency/backoff.ts';
import { isError } from '../errors.ts';
import { toPeerError } from '../peer.ts';
import { StorageError } from '../storage/storage-error.ts';
import { isConnectionLoss, isUnanswered, toConnectError } from './pg-error.ts';
import { pgTypes } from './pg-statement.ts';

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
      try {
        return await work(client);
      } catch (error) {
        if (isError(error) && (isConnectionLoss(error) || isUnanswered(error))) broken = error;
        throw error;
      } finally {
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

const ignore = (): void => {};

function newPool(Pool: typeof Pg.Pool, target: PgTarget): Pg.Pool {
  const pool = new Pool({ ...clientConfig(target), max: target.maxConnections });
  // A connection that breaks while it is idle: the pool drops it and makes a new one.
  pool.on('error', ignore);
  pool.on('connect', (client) => {
    // One that breaks in use fails its next query, and the pool drops it. The server may end it in the packet that
    // accepts it: before the one who asked for it can listen.
    client.on('error', ignore);
    guardReading(client);
  });
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

/**
 * Makes an answer that cannot be read an error of its query. `pg` reads answers in a listener of the socket: what
 * is thrown there, as for a value that is too long for a string, would end the process.
 *
 * Source: https://github.com/brianc/node-postgres/issues/2653.
 */
export function guardReading({ connection: { stream } }: Pg.Client): void {
  const listeners = stream.rawListeners('data');
  stream.removeAllListeners('data');
  stream.on('data', (bytes: Buffer) => {
    try {
      for (const listener of listeners) Reflect.apply(listener, stream, [bytes]);
    } catch (error) {
      stream.destroy(isError(error) ? error : new Error(String(error)));
    }
  });
}

/** Settings that decide what SQL means and how values look, whatever role, database or connection string say. */
const FIXED: readonly (readonly [name: string, value: string])[] = [
  ['standard_conforming_strings', 'on'],
  ['bytea_output', 'hex'],
  // Doubles come back exactly; from PostgreSQL 12 on any positive number means that.
  ['extra_float_digits', '3'],
  // A statement with the lists of many words is estimated to be expensive, and compiling it takes longer than running it.
  ['jit', 'off'],
];

/**
 * Returns the statement that every transaction in a schema begins with. Its settings end with the transaction:
 * through a pooler the next one may run on another connection, and this one may serve another client.
 *
 * Temporary tables, which may remain from another client of a pooler, come last in the search path. While the schema is
 * missing, new objects would go to the system catalogue, which refuses them.
 */
function settingsOf(target: PgTarget): string {
  const { schema, isDurable, idleTransactionTimeoutMs: idleMs } = target;
  const settings = [['search_path', `"${schema}", pg_catalog, pg_temp`] as const, ...FIXED];
  if (!isDurable) settings.push(['synchronous_commit', 'off']);
  if (idleMs !== undefined) settings.push(['idle_in_transaction_session_timeout', String(idleMs)]);
  return selectSettings(settings);
}

/** Returns a statement that sets parameters until the end of the transaction. */
export function selectSettings(settings: readonly (readonly [string, string])[]): string {
  return `SELECT ${settings.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(', ')}`;
}

/** A server, and one of its schemas. */
export interface PgTarget {
  readonly connectionString: string;
  readonly schema: string;
  readonly maxConnections: number;
  /** True if a commit waits for the disk. */
  readonly isDurable: boolean;
  /** Maximum time to wait for an unreachable server, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Maximum time that a transaction may be idle before the server ends it, in milliseconds. */
  readonly idleTransactionTimeoutMs?: number | undefined;
  /** Maximum time that a statement waits for its answer, in milliseconds. Default: no limit. */
  readonly queryTimeoutMs?: number | undefined;
}
