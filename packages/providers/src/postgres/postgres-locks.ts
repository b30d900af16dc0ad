import { randomBytes } from 'node:crypto';
import type Pg from 'pg';
import { acquireLock, Mutex, type TakenLock } from '../concurrency/mutex.ts';
import { poll } from '../concurrency/backoff.ts';
import type { FileStore } from '../storage/file-store.ts';
import { StorageError } from '../storage/storage-error.ts';
import { isConflict, isConnectionLoss, toConnectError, toStorageError } from './pg-error.ts';
import {
  clientConfig,
  guardReading,
  loadPg,
  pgPool,
  type PgTarget,
  selectSettings,
  serverOf,
} from './pg-pool.ts';
import { runStatement } from './pg-statement.ts';

/** The table of the locks that are held, in the main schema of a namespace. */
export const LOCK_TABLE = 'files_lock';

/** The locks of a namespace. */
export interface PostgresLocks {
  readonly lock: FileStore['lock'];
  close(): Promise<void>;
}

/** The owner of all locks of one storage, alive as long as its connection. */
interface Owner {
  /** A random number, which the rows of its locks name. */
  readonly id: string;
  readonly lost: AbortSignal;
  /** The names of its locks. */
  readonly held: Set<string>;
  end(): Promise<void>;
}

/** A transaction that does nothing for hours is what an owner is. */
const NO_TIMEOUTS = `${selectSettings([['idle_in_transaction_session_timeout', '0']])};
  SELECT set_config(name, '0', true) FROM pg_settings WHERE name = 'transaction_timeout'`;

/**
 * Creates the locks of a namespace: a row for each lock that is held, with the number of its owner. An owner is alive
 * as long as it has an advisory lock on that number, in a transaction that stays open. The server ends both when the
 * process dies, so its locks are free at once.
 *
 * This works through poolers, too: they give a connection to no other client while a transaction is open, and end the
 * transaction when its client disconnects. An advisory lock of a session would remain on the connection, and a session
 * may have another connection for each transaction.
 */
export function postgresLocks(target: PgTarget): PostgresLocks {
  const { connectTimeoutMs } = target;
  const server = serverOf(target.connectionString);
  // Not the pool of the database: its connections may all be in transactions that wait for a lock.
  const queryTimeoutMs = Math.ceil(connectTimeoutMs / 2);
  const pool = pgPool({ ...target, maxConnections: 1, queryTimeoutMs });
  const queues = new Map<string, Mutex>();
  let owner: Promise<Owner> | undefined;
  let isClosed = false;

  async function connect(): Promise<Owner> {
    const { Client } = await loadPg();
    const lost = new AbortController();
    const id = randomBytes(8).readBigInt64BE().toString();
    const onLoss = (): void => {
      owner = undefined;
      lost.abort(new StorageError('connection', `the connection to ${server} was lost`));
    };
    let client: Pg.Client | undefined;
    try {
      client = new Client(clientConfig({ ...target, queryTimeoutMs }));
      client.on('error', onLoss);
      client.on('end', onLoss);
      await client.connect();
      guardReading(client);
      await client.query(`BEGIN ISOLATION LEVEL READ COMMITTED; ${NO_TIMEOUTS}`);
      // Without a parameter: the portal of the extended protocol would hold its snapshot, and with it every dead row
      // of the database, until the transaction ends.
      await client.query(`SELECT pg_advisory_xact_lock(${id})`);
    } catch (error) {
      await client?.end().catch(() => undefined);
      throw isConnectionLoss(error) ? error : toConnectError(error, server);
    }
    const connected = client;
    const end = async (): Promise<void> => {
      owner = undefined;
      // A pooler keeps a connection that is not in a transaction.
      await connected.query('ROLLBACK').catch(() => undefined);
      await connected.end();
    };
    return { id, lost: lost.signal, held: new Set(), end };
  }

  async function currentOwner(): Promise<Owner> {
    pool.assertOpen();
    owner ??= connect();
    try {
      return await owner;
    } catch (error) {
      owner = undefined;
      throw error;
    }
  }

  async function run(sql: string, values: readonly string[]): Promise<number> {
    const { count } = await pool.withClient((client) =>
      runStatement(client, sql, values, pool.settings),
    );
    return count;
  }

  /** Deletes the row of a lock. An owner that cannot do that ends, and with it all of its locks. */
  async function free(name: string, { id, lost, held, end }: Owner): Promise<void> {
    held.delete(name);
    if (lost.aborted) return;
    const isFree = await poll(
      async () => {
        try {
          await run(`DELETE FROM ${LOCK_TABLE} WHERE name = $1 AND owner = $2`, [name, id]);
          return true;
        } catch (error) {
          if (isConflict(error) || isConnectionLoss(error)) return undefined;
          throw error;
        }
      },
      { timeoutMs: connectTimeoutMs },
    ).catch(() => undefined);
    if (!isFree) await end().catch(() => undefined);
  }

  async function tryTake(name: string): Promise<TakenLock | undefined> {
    let current: Owner | undefined;
    try {
      const taker = (current = await currentOwner());
      // A row of this owner remained when it could not be deleted: tasks of one process wait in line before.
      const count = await run(
        `INSERT INTO ${LOCK_TABLE} AS held (name, owner) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET owner = excluded.owner
         WHERE held.owner = excluded.owner OR pg_try_advisory_xact_lock(held.owner)`,
        [name, taker.id],
      );
      if (count === 0) return undefined;
      taker.held.add(name);
      return { lost: taker.lost, free: () => free(name, taker) };
    } catch (error) {
      if (!isClosed && (isConflict(error) || isConnectionLoss(error))) {
        // It may be taken all the same, with the answer lost.
        if (current) await free(name, current);
        return undefined;
      }
      if (isClosed) pool.assertOpen();
      // It may hold the one connection that a pooler has.
      if (current?.held.size === 0) await current.end().catch(() => undefined);
      throw toStorageError(error, server);
    }
  }

  return {
    async lock(name, options = {}) {
      const queue = queues.get(name) ?? new Mutex();
      queues.set(name, queue);
      return acquireLock(queue, name, options, async (signal) => {
        const taken = await poll(() => tryTake(name), { timeoutMs: Infinity, signal });
        if (taken) return taken;
        throw new StorageError('lock-timeout', `the lock '${name}' is not available`);
      });
    },
    async close() {
      isClosed = true;
      const current = await owner?.catch(() => undefined);
      if (current && current.held.size > 0 && !current.lost.aborted) {
        const sql = `DELETE FROM ${LOCK_TABLE} WHERE owner = $1`;
        await run(sql, [current.id]).catch(() => undefined);
      }
      await Promise.all([pool.close(), current?.end()]);
    },
  };
}
