import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import type Pg from 'pg';
import { poll } from '../concurrency/poll.ts';
import { renameOver } from '../files/durable.ts';
import { isMissing } from '../storage/file-error.ts';
import { assertNewFile } from '../storage/backup-target.ts';
import type { Database, SqlParameter, Statement } from '../storage/database.ts';
import type { FileStore } from '../storage/file-store.ts';
import { applyMigrations } from '../storage/migrations.ts';
import { toSqlValues } from '../storage/sql-values.ts';
import { StorageError } from '../storage/storage-error.ts';
import { refuseTransactionControl } from '../storage/transaction-control.ts';
import {
  executorOf,
  rowsOf,
  TransactionScope,
  type RunStatement,
  type StatementResult,
} from '../storage/transaction-scope.ts';
import { isConflict, isConnectionLoss, toStorageError } from './pg-error.ts';
import type { PgPool, PgTarget } from './pg-pool.ts';
import { numberPlaceholders } from './pg-types.ts';
import { rewriteTables } from './purge-postgres.ts';

/** How long a transaction is run again when it loses against others, in milliseconds. */
const CONFLICT_TIMEOUT_MS = 10_000;

/** The commands whose count is one of changed rows. */
const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

const runProgram = promisify(execFile);

/** A {@link Database} in one schema of a PostgreSQL server. */
export function postgresDatabase(
  pool: PgPool,
  target: PgTarget,
  lock: FileStore['lock'],
): Database {
  const scope = new TransactionScope();
  const numbered = new Map<string, string>();

  function translate(sql: string): string {
    const known = numbered.get(sql);
    if (known !== undefined) return known;
    const translated = numberPlaceholders(sql);
    if (numbered.size < 1000) numbered.set(sql, translated);
    return translated;
  }

  async function runOn(
    client: Pg.PoolClient,
    sql: string,
    params: readonly SqlParameter[] = [],
  ): Promise<StatementResult> {
    refuseTransactionControl(sql);
    const values = toSqlValues(sql, params);
    // This mode takes one statement at a time, as SQLite does.
    const query = { text: translate(sql), values, queryMode: 'extended' };
    const { rows, rowCount, command } = await client.query<object>(query);
    return { rows, changes: CHANGES.has(command) ? (rowCount ?? 0) : 0 };
  }

  const run: RunStatement = async (sql, params) => {
    scope.assertOutside();
    const runOnce = (): Promise<StatementResult> =>
      pool.withClient((client) => runOn(client, sql, params));
    try {
      return await runOnce().catch((error: unknown) => {
        // A connection can be dead without having said so; reading again does no harm.
        if (isConnectionLoss(error) && /^\s*select\b/i.test(sql)) return runOnce();
        throw error;
      });
    } catch (error) {
      throw toStorageError(error, pool.server, sql);
    }
  };

  /** One transaction; `undefined` if it lost against another and may be run again. */
  async function attempt<T>(
    begin: string,
    work: (client: Pg.PoolClient) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<{ readonly value: T } | undefined> {
    let hasBegun = false;
    try {
      return await pool.withClient(async (client) => {
        await client.query(begin);
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
    begin: string,
    work: (client: Pg.PoolClient) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    scope.assertOutside();
    const result = await poll(() => attempt(begin, work, signal), {
      timeoutMs: CONFLICT_TIMEOUT_MS,
      signal,
    });
    if (result) return result.value;
    throw new StorageError(
      'busy',
      `PostgreSQL at ${pool.server}: a transaction lost against others for ${CONFLICT_TIMEOUT_MS} ms`,
    );
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
    transact('BEGIN', async (client) => {
      const results: StatementResult[] = [];
      for (const { sql, params } of statements) results.push(await named(client)(sql, params));
      return results;
    });

  const database: Database = {
    specVersion: 1,
    dialect: 'postgres',
    ...executorOf(run),

    batch: async (statements) => (await runAll(statements)).map(({ changes }) => changes),
    batchRows: async (statements) => (await runAll(statements)).map(rowsOf),

    transaction: (work, { signal } = {}) =>
      transact(
        'BEGIN ISOLATION LEVEL SERIALIZABLE',
        (client) => scope.run(named(client), work),
        signal,
      ),

    async migrate(component, migrations) {
      const held = await lock('vizprompt-migrate', { timeoutMs: 60_000 });
      try {
        await applyMigrations(database, component, migrations);
      } finally {
        await held.release();
      }
    },

    async backup(path) {
      pool.assertOpen();
      assertNewFile(path);
      await dump(target, pool.server, path);
    },

    async purge() {
      scope.assertOutside();
      try {
        await pool.withClient((client) => rewriteTables(client, pool.server));
      } catch (error) {
        throw toStorageError(error, pool.server);
      }
    },
  };
  return database;
}

/** Writes an archive of the schema with PostgreSQL's own program. */
async function dump(target: PgTarget, server: string, path: string): Promise<void> {
  const url = new URL(target.connectionString);
  const password = decodeURIComponent(url.password);
  url.password = '';
  const partial = `${path}.partial`;
  const options = ['--format=custom', '--no-owner', `--schema="${target.schema}"`];
  try {
    await runProgram('pg_dump', [...options, `--file=${partial}`, `--dbname=${url.href}`], {
      env: { ...process.env, ...(password ? { PGPASSWORD: password } : {}) },
    });
    await renameOver(partial, path);
  } catch (cause) {
    await rm(partial, { force: true });
    const hasNoProgram = isMissing(cause);
    const stderr = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : '';
    throw new StorageError(
      hasNoProgram ? 'unsupported' : 'io',
      hasNoProgram
        ? "a backup of PostgreSQL needs the program 'pg_dump' of the server's version or newer"
        : `pg_dump of ${server} failed: ${stderr}`,
      { context: { server } },
    );
  }
}
