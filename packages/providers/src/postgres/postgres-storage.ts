import { sqlFileStore } from '../storage/sql-file-store.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { Storage } from '../storage/storage.ts';
import { openNamespace } from './open-namespace.ts';
import { badConnectionString } from './pg-error.ts';
import { pgPool, type PgTarget } from './pg-pool.ts';
import { postgresDatabase } from './postgres-database.ts';
import { postgresLocks } from './postgres-locks.ts';
import { checkOptions } from '../input/check-input.ts';
import { AMOUNT, POSITIVE, TEXT, optional, type Kinds } from '../input/kinds.ts';

/** Options of {@link postgresStorage}. */
export interface PostgresStorageOptions {
  /** Such as `postgres://user:password@localhost:5432/app`. */
  readonly connectionString: string;
  /**
   * Storages with different namespaces never see each other: each has two schemas of its own, one
   * of this name and one for the cache. Small letters, digits and `_`, at most 40, beginning with a
   * letter.
   */
  readonly namespace: string;
  /** The most connections for the database; the cache and the locks add up to 6. Default: 10. */
  readonly maxConnections?: number | undefined;
  /** How long to wait for a server that is away, in milliseconds. Default: 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /**
   * How long a transaction may do nothing before the server ends it, in milliseconds: a process that hangs in the
   * middle of one keeps others from its rows no longer. Default: as the server is set.
   */
  readonly idleTransactionTimeoutMs?: number | undefined;
}

const KINDS: Kinds<PostgresStorageOptions> = {
  connectionString: TEXT,
  namespace: TEXT,
  maxConnections: optional(POSITIVE),
  connectTimeoutMs: optional(AMOUNT),
  idleTransactionTimeoutMs: optional(AMOUNT),
};

/**
 * Opens a storage on a PostgreSQL server, which many processes and machines can share. Files are
 * rows, locks are rows whose owner is alive; the cache gives up durability for speed.
 *
 * Works through poolers that support transactions, with any `search_path`, as a role that may not create schemas if
 * they exist, and on a replica for reading: see the guide to PostgreSQL.
 *
 * @throws StorageError with the code `connection` if the server cannot be reached, or `unsupported` if it, or a
 * pooler in front of it, cannot keep namespaces apart.
 * @throws PeerError if the package `pg` is not installed.
 *
 * @example
 * ```ts
 * await using storage = await postgresStorage({
 *   connectionString: process.env.DATABASE_URL,
 *   namespace: 'my_app',
 * });
 * ```
 */
export async function postgresStorage(options: PostgresStorageOptions): Promise<Storage> {
  checkOptions('postgresStorage', options, KINDS);
  const { connectionString, namespace, maxConnections = 10, connectTimeoutMs = 10_000 } = options;
  const { idleTransactionTimeoutMs } = options;
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(namespace)) {
    throw new StorageError(
      'invalid-key',
      `'${namespace}' is no valid namespace: use small letters, digits and '_', at most 40`,
      { context: { namespace } },
    );
  }
  if (!/^(?:postgres(?:ql)?:\/\/|socket:|\/)/.test(connectionString)) throw badConnectionString();
  const shared = { connectionString, connectTimeoutMs, idleTransactionTimeoutMs };
  const main: PgTarget = { ...shared, schema: namespace, maxConnections, isDurable: true };
  const side: PgTarget = {
    ...shared,
    schema: `${namespace}.cache`,
    maxConnections: 4,
    isDurable: false,
  };
  const pools = [pgPool(main), pgPool(side)] as const;
  const locks = postgresLocks(main);
  const close = async (): Promise<void> => {
    await Promise.all([...pools.map((pool) => pool.close()), locks.close()]);
  };

  try {
    const mode = await openNamespace(pools);
    const database = postgresDatabase(pools[0], main, mode);
    const cache = postgresDatabase(pools[1], side, mode);
    const files = await sqlFileStore(database, locks.lock);
    return { specVersion: 1, files, database, cache, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
