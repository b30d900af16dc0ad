import type Pg from 'pg';
import { StorageError } from '../storage/storage-error.ts';
import { quoteName } from '../storage/table-info.ts';
import { poll } from '../concurrency/backoff.ts';
import type { PgPool } from './pg-pool.ts';

/** How long others are waited for, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** The SQLSTATE of the notice about a table that was skipped. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Rewrites all tables of the schema without dead rows, and their indexes. A plain `VACUUM` only marks their space as
 * free; `VACUUM FULL` writes new files. `ANALYZE` replaces the sample values of the planner.
 *
 * Source: https://www.postgresql.org/docs/current/sql-vacuum.html.
 */
export async function rewriteTables(
  client: Pg.PoolClient,
  { server, schema }: PgPool,
): Promise<void> {
  await waitForSnapshots(client, server);
  const { rows } = await client.query<{ tablename: string }>(
    'SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY tablename',
    [schema],
  );
  for (const { tablename } of rows)
    await rewriteTable(client, server, `${quoteName(schema)}.${quoteName(tablename)}`);
}

/**
 * Rewrites one table as soon as it is free. `VACUUM` is not part of a transaction, and a `lock_timeout` of the session
 * would not reach it through a pooler: it skips a table that is in use, which the server reports as a notice.
 */
async function rewriteTable(client: Pg.PoolClient, server: string, table: string): Promise<void> {
  let isSkipped = false;
  const onNotice = ({ code }: { readonly code?: string | undefined }): void => {
    if (code === LOCK_NOT_AVAILABLE) isSkipped = true;
  };
  client.on('notice', onNotice);
  try {
    const isRewritten = await poll(
      async () => {
        isSkipped = false;
        await client.query(`VACUUM (FULL, ANALYZE, SKIP_LOCKED) ${table}`);
        return isSkipped ? undefined : true;
      },
      { timeoutMs: TIMEOUT_MS },
    );
    if (isRewritten) return;
  } finally {
    client.off('notice', onNotice);
  }
  throw new StorageError(
    'busy',
    `cannot purge ${table} of ${server}: it has been in use for more than ${TIMEOUT_MS} ms. Purge again`,
    { context: { server, table } },
  );
}

/**
 * Waits until no older transaction may see what was deleted, as `VACUUM` keeps that for it: one that reads, and one that
 * has written and waits for its program. An autovacuum counts only while it analyzes.
 *
 * Source: `ComputeXidHorizons` in https://github.com/postgres/postgres/blob/master/src/backend/storage/ipc/procarray.c.
 */
async function waitForSnapshots(client: Pg.PoolClient, server: string): Promise<void> {
  const { rows } = await client.query<{ now: string }>('SELECT txid_current() AS now');
  const now = rows[0]?.now ?? '0';
  const isOver = await poll(
    async () => {
      const older = await client.query(
        `SELECT 1 FROM pg_stat_activity, LATERAL (VALUES (backend_xmin), (backend_xid)) AS oldest (xid)
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND xid IS NOT NULL
          AND (backend_type = 'client backend' OR query LIKE 'autovacuum:%ANALYZE%')
          AND age(xid) > age(CAST(CAST(CAST($1 AS BIGINT) % 4294967296 AS TEXT) AS xid)) LIMIT 1`,
        [now],
      );
      return older.rows.length === 0 ? true : undefined;
    },
    { timeoutMs: TIMEOUT_MS },
  );
  if (isOver) return;
  throw new StorageError(
    'busy',
    `cannot purge the tables of ${server}: a transaction has been open for more than ${TIMEOUT_MS} ms and may still ` +
      'read what was deleted. End it, then purge again',
    { context: { server } },
  );
}
