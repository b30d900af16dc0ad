import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import type Pg from 'pg';
import { poll } from '../concurrency/backoff.ts';
import { isError } from '../errors.ts';
import { renameOver } from '../files/durable.ts';
import { programOnPath } from '../program-on-path.ts';
import { assertNewFile } from '../storage/backup-target.ts';
import type { Database, SqlParameter, Statement, TransactionOptions } from '../storage/database.ts';
import { isMissing } from '../storage/file-error.ts';
import { applyMigrations } from '../storage/migrations.ts';
import {
  executorOf,
  MAX_VALUE_BYTES,
  refuseTransactionControl,
  rowsOf,
  type RunStatement,
  type StatementResult,
  toSqlValues,
  TransactionScope,
} from '../storage/sql-statements.ts';
import { StorageError } from '../storage/storage-error.ts';
import { quoteName } from '../storage/table-info.ts';
import { sweepTextIndexes } from '../text/segments/maintain-segments.ts';
import type { NamespaceMode } from './open-namespace.ts';
import { isConflict, isConnectionLoss, needsNoTransaction, toStorageError } from './pg-error.ts';
import type { PgPool, PgTarget } from './pg-pool.ts';
import {
  numberPlaceholders,
  type PgResult,
  type PgStatement,
  runStatement,
  runStatements,
} from './pg-statement.ts';

/** Maximum time to wait while another process changes the schema, in milliseconds. */
const MIGRATION_TIMEOUT_MS = 60_000;

/** Statements of a batch that are sent before their results are awaited. */
const STATEMENTS_AT_ONCE = 100;

/** Maximum time to retry a transaction after conflicts with others, in milliseconds. */
const CONFLICT_TIMEOUT_MS = 10_000;

/** The commands whose count is one of changed rows. */
const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** A replica knows no serializable transactions; what it reads stays the same all the same. */
type Isolation = 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';

function levelOf(
  isolation: NonNullable<TransactionOptions['isolation']>,
  { isReplica }: NamespaceMode,
): Isolation {
  if (isolation === 'read-committed') return 'READ COMMITTED';
  return isReplica ? 'REPEATABLE READ' : 'SERIALIZABLE';
}

const runProgram = promisify(execFile);

/**
 * Creates a {@link Database} in one schema of a PostgreSQL server.
 *
 * @param mode - The mode of the server when the namespace was opened.
 */
export function postgresDatabase(pool: PgPool, target: PgTarget, mode: NamespaceMode): Database {
  const scope = new TransactionScope();
  const numbered = new Map<string, string>();

  function translate(sql: string): string {
    const known = numbered.get(sql);
    if (known !== undefined) return known;
    const translated = numberPlaceholders(sql);
    if (numbered.size < 1000) numbered.set(sql, translated);
    return translated;
  }

  /** Runs a statement, which has its own transaction unless `client` is in one. */
  async function runOn(
    client: Pg.PoolClient,
    sql: string,
    params: readonly SqlParameter[] = [],
    settings = '',
  ): Promise<StatementResult> {
    const { text, values } = statementOf(sql, params);
    return resultOf(await runStatement(client, text, values, settings));
  }

  function statementOf(sql: string, params: readonly SqlParameter[] = []): PgStatement {
    refuseTransactionControl(sql);
    return { text: translate(sql), values: toSqlValues(sql, params, MAX_VALUE_BYTES.postgres) };
  }

  /** Runs the statements of a batch, many of them in one round trip. */
  async function runInTurns(
    client: Pg.PoolClient,
    statements: readonly Statement[],
  ): Promise<readonly StatementResult[]> {
    const results: PgResult[] = [];
    try {
      while (results.length < statements.length) {
        const next = statements.slice(results.length, results.length + STATEMENTS_AT_ONCE);
        const some = next.map(({ sql, params }) => statementOf(sql, params));
        await runStatements(client, some, results);
      }
    } catch (error) {
      throw toStorageError(error, pool.server, statements[results.length]?.sql);
    }
    return results.map(resultOf);
  }

  const run: RunStatement = async (sql, params) => {
    scope.assertOutside();
    let attempts = 0;
    const runOnce = async (): Promise<StatementResult | undefined> => {
      try {
        attempts += 1;
        return await pool.withClient((client) => runOn(client, sql, params, pool.settings));
      } catch (error) {
        if (isConflict(error)) return undefined;
        if (needsNoTransaction(error)) return runOutside(sql, params);
        // A connection can be dead without having said so; reading again does no harm.
        if (attempts === 1 && isConnectionLoss(error) && /^\s*select\b/i.test(sql))
          return undefined;
        throw toStorageError(error, pool.server, sql);
      }
    };
    const result = await poll(runOnce, { timeoutMs: CONFLICT_TIMEOUT_MS });
    if (result) return result;
    throw conflictError();
  };

  /** Runs what cannot be part of a transaction, and so has no settings: it must name the schema. */
  async function runOutside(
    sql: string,
    params: readonly SqlParameter[] | undefined,
  ): Promise<StatementResult> {
    const schema = quoteName(target.schema);
    if (sql.includes(`${schema}.`) || sql.includes(`${target.schema}.`)) {
      return pool.withClient((client) => runOn(client, sql, params));
    }
    throw new StorageError(
      'unsupported',
      `PostgreSQL runs "${sql}" outside of transactions only, where the schema of the storage is not set: name each ` +
        `table with its schema, as in ${schema}.${quoteName('table')}`,
      { context: { sql } },
    );
  }

  function conflictError(): StorageError {
    return new StorageError(
      'busy',
      `PostgreSQL at ${pool.server}: a transaction lost against others for ${CONFLICT_TIMEOUT_MS} ms`,
    );
  }

  /** One transaction; `undefined` if it lost against another and may be run again. */
  async function attempt<T>(
    isolation: Isolation,
    work: (client: Pg.PoolClient) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<{ readonly value: T } | undefined> {
    let hasBegun = false;
    try {
      return await pool.withClient(async (client) => {
        await client.query(`BEGIN ISOLATION LEVEL ${isolation}; ${pool.settings}`);
        hasBegun = true;
        try {
          const value = await work(client);
          await client.query('COMMIT');
          return { value };
        } catch (error) {
          await client.query('ROLLBACK').catch(() => undefined);
          throw error;
        }
      }, signal);
    } catch (error) {
      const isLost = isConflict(error instanceof StorageError ? error.cause : error);
      if (isLost || (!hasBegun && isConnectionLoss(error))) return undefined;
      throw toStorageError(error, pool.server);
    }
  }

  async function transact<T>(
    isolation: Isolation,
    work: (client: Pg.PoolClient) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    scope.assertOutside();
    const result = await poll(() => attempt(isolation, work, signal), {
      timeoutMs: CONFLICT_TIMEOUT_MS,
      signal,
    });
    if (result) return result.value;
    throw conflictError();
  }

  const named =
    (client: Pg.PoolClient): RunStatement =>
    async (sql, params) => {
      try {
        return await runOn(client, sql, params);
      } catch (error) {
        throw toStorageError(error, pool.server, sql);
      }
    };

  const runAll = (statements: readonly Statement[]): Promise<readonly StatementResult[]> =>
    transact('READ COMMITTED', (client) => runInTurns(client, statements));

  /** Runs a migration while no other process does. Each of its statements sees what others committed before. */
  const exclusively: Database['transaction'] = (work) =>
    transact('READ COMMITTED', async (client) => {
      const key = `vizprompt migrations of ${target.schema}`;
      const isAlone = await poll(
        async () => {
          const { rows } = await client.query<{ taken: number }>(
            'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS taken',
            [key],
          );
          return rows[0]?.taken === 1 ? true : undefined;
        },
        { timeoutMs: MIGRATION_TIMEOUT_MS },
      );
      if (isAlone) return scope.run(named(client), work);
      throw new StorageError(
        'lock-timeout',
        `PostgreSQL at ${pool.server}: another process has been changing the schema "${target.schema}" for more ` +
          `than ${MIGRATION_TIMEOUT_MS} ms`,
      );
    });

  const database: Database = {
    specVersion: 1,
    dialect: 'postgres',
    ...executorOf(run),

    batch: async (statements) => (await runAll(statements)).map(({ changes }) => changes),
    batchRows: async (statements) => (await runAll(statements)).map(rowsOf),

    transaction: (work, { signal, isolation = 'serializable' } = {}) =>
      transact(levelOf(isolation, mode), (client) => scope.run(named(client), work), signal),

    migrate: (component, migrations) =>
      applyMigrations({ ...database, transaction: exclusively }, component, migrations),

    async backup(path) {
      pool.assertOpen();
      assertNewFile(path);
      await dump(target, pool.server, path);
    },

    async purge() {
      scope.assertOutside();
      await sweepTextIndexes(database);
      try {
        await pool.withClient((client) => rewriteTables(client, pool));
      } catch (error) {
        throw toStorageError(error, pool.server);
      }
    },
  };
  return database;
}

function resultOf({ rows, count, command }: PgResult): StatementResult {
  return { rows, changes: CHANGES.has(command) ? count : 0 };
}

/** Writes an archive of the schema with PostgreSQL's own program. */
async function dump(target: PgTarget, server: string, path: string): Promise<void> {
  const url = new URL(target.connectionString);
  const password = decodeURIComponent(url.password);
  url.password = '';
  const partial = `${path}.partial`;
  const options = ['--format=custom', '--no-owner', `--schema="${target.schema}"`];
  try {
    await runProgram(
      programOnPath('pg_dump'),
      [...options, `--file=${partial}`, `--dbname=${url.href}`],
      {
        env: { ...process.env, ...(password ? { PGPASSWORD: password } : {}) },
      },
    );
    await renameOver(partial, path);
  } catch (cause) {
    await rm(partial, { force: true });
    const hasNoProgram = isMissing(cause);
    const stderr = isError(cause) && 'stderr' in cause ? String(cause.stderr).trim() : '';
    throw new StorageError(
      hasNoProgram ? 'unsupported' : 'io',
      hasNoProgram
        ? "a backup of PostgreSQL needs the program 'pg_dump' of the server's version or newer"
        : `pg_dump of ${server} failed: ${stderr}`,
      { context: { server } },
    );
  }
}

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
async function rewriteTables(client: Pg.PoolClient, { server, schema }: PgPool): Promise<void> {
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
