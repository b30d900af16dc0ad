import type Pg from 'pg';
import { poll } from '../concurrency/poll.ts';
import { toPeerError } from '../peer.ts';
import { StorageError } from '../storage/storage-error.ts';
import { isConnectionLoss, toStorageError } from './pg-error.ts';
import { pgTypes } from './pg-types.ts';

/** Which server, and which of its schemas. */
export interface PgTarget {
  readonly connectionString: string;
  readonly schema: string;
  readonly maxConnections: number;
  /** Whether a commit waits for the disk. */
  readonly isDurable: boolean;
  /** How long to wait for a server that is away, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** How long a transaction may do nothing before the server ends it, in milliseconds. */
  readonly idleTransactionTimeoutMs?: number | undefined;
}

/** Connections to one schema. */
export interface PgPool {
  /** Host, port and database, for messages. */
  readonly server: string;
  /** Lends a connection to `work`; waits while the server is away, as during a restart. */
  withClient<T>(work: (client: Pg.PoolClient) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** @throws StorageError with the code `closed`. */
  assertOpen(): void;
  /** Waits for the work that has a connection. */
  close(): Promise<void>;
}

/** The settings of a connection. */
export function clientConfig(target: PgTarget): Pg.ClientConfig {
  const settings = [`search_path="${target.schema}"`];
  if (!target.isDurable) settings.push('synchronous_commit=off');
  const { idleTransactionTimeoutMs: idleMs } = target;
  if (idleMs !== undefined) settings.push(`idle_in_transaction_session_timeout=${idleMs}`);
  return {
    connectionString: target.connectionString,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    application_name: 'vizprompt',
    types: pgTypes,
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

  function assertOpen(): void {
    if (isClosed) throw new StorageError('closed', `the storage on ${server} is closed`);
  }

  async function connect(signal?: AbortSignal): Promise<Pg.PoolClient> {
    assertOpen();
    const { Pool } = await loadPg();
    assertOpen();
    pool ??= newPool(Pool, target);
    const current = pool;
    let failure: unknown;
    const tryOnce = async (): Promise<Pg.PoolClient | undefined> => {
      assertOpen();
      try {
        return await current.connect();
      } catch (error) {
        if (!isConnectionLoss(error)) throw toStorageError(error, server);
        failure = error;
        return undefined;
      }
    };
    const client = await poll(tryOnce, { timeoutMs: target.connectTimeoutMs, signal });
    if (client) return client;
    throw toStorageError(failure, server);
  }

  return {
    server,
    async withClient(work, signal) {
      const client = await connect(signal);
      let broken: Error | undefined;
      const onError = (error: Error): void => void (broken = error);
      client.on('error', onError);
      try {
        return await work(client);
      } catch (error) {
        if (isConnectionLoss(error) && error instanceof Error) broken = error;
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
      await pool?.end();
    },
  };
}

function newPool(Pool: typeof Pg.Pool, target: PgTarget): Pg.Pool {
  const pool = new Pool({ ...clientConfig(target), max: target.maxConnections });
  // A connection that breaks while nobody uses it: the pool drops it and makes a new one.
  pool.on('error', () => undefined);
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
