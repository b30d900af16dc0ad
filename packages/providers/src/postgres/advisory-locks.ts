import { createHash } from 'node:crypto';
import type Pg from 'pg';
import { Mutex } from '../concurrency/mutex.ts';
import { acquireLock, type TakenLock } from '../storage/acquire-lock.ts';
import type { FileStore } from '../storage/file-store.ts';
import { StorageError } from '../storage/storage-error.ts';
import { poll } from '../concurrency/poll.ts';
import { loadPg } from './load-pg.ts';
import { isConnectionLoss, toStorageError } from './pg-error.ts';
import { clientConfig, serverOf, type PgTarget } from './pg-pool.ts';

/** Locks of a PostgreSQL server. */
export interface AdvisoryLocks {
  readonly lock: FileStore['lock'];
  close(): Promise<void>;
}

/** A connection of its own for all locks of one storage: the server frees them when it ends. */
interface Session {
  readonly client: Pg.Client;
  readonly lost: AbortController;
}

/** Session-level advisory locks, keyed by a hash of schema and name. */
export function advisoryLocks(target: PgTarget): AdvisoryLocks {
  const server = serverOf(target.connectionString);
  const queues = new Map<string, Mutex>();
  let session: Promise<Session> | undefined;
  let isClosed = false;

  function closedError(): StorageError {
    return new StorageError('closed', `the storage on ${server} is closed`);
  }

  async function connect(): Promise<Session> {
    const { Client } = await loadPg();
    const client = new Client(clientConfig(target));
    const lost = new AbortController();
    const onLoss = (): void => {
      session = undefined;
      lost.abort(new StorageError('connection', `the connection to ${server} was lost`));
    };
    client.on('error', onLoss);
    client.on('end', onLoss);
    await client.connect();
    return { client, lost };
  }

  async function currentSession(): Promise<Session> {
    if (isClosed) throw closedError();
    session ??= connect();
    try {
      return await session;
    } catch (error) {
      session = undefined;
      throw error;
    }
  }

  async function tryTake(key: string): Promise<TakenLock | undefined> {
    try {
      const { client, lost } = await currentSession();
      const { rows } = await client.query<{ taken: number }>(
        'SELECT pg_try_advisory_lock($1) AS taken',
        [key],
      );
      if (rows[0]?.taken !== 1) return undefined;
      return {
        lost: lost.signal,
        async free() {
          if (lost.signal.aborted) return;
          await client.query('SELECT pg_advisory_unlock($1)', [key]).catch(() => undefined);
        },
      };
    } catch (error) {
      if (isClosed) throw closedError();
      if (isConnectionLoss(error)) return undefined;
      throw toStorageError(error, server);
    }
  }

  return {
    async lock(name, options = {}) {
      const queue = queues.get(name) ?? new Mutex();
      queues.set(name, queue);
      const key = lockKey(target.schema, name);
      return acquireLock(queue, name, options, async (signal) => {
        const taken = await poll(() => tryTake(key), { timeoutMs: Infinity, signal });
        if (taken) return taken;
        throw new StorageError('lock-timeout', `the lock '${name}' cannot be had`);
      });
    },
    async close() {
      isClosed = true;
      const current = await session?.catch(() => undefined);
      await current?.client.end();
    },
  };
}

/** A signed 64-bit integer, as text. */
function lockKey(schema: string, name: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([schema, name]))
    .digest();
  return digest.readBigInt64BE(0).toString();
}
