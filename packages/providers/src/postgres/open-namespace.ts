import type Pg from 'pg';
import { messageOf, isError } from '../errors.ts';
import { StorageError } from '../storage/storage-error.ts';
import { toStorageError } from './pg-error.ts';
import type { PgPool } from './pg-pool.ts';
import { runStatement } from './pg-statement.ts';
import { LOCK_TABLE } from './postgres-locks.ts';

/** The mode in which the server gives access to a namespace. */
export interface NamespaceMode {
  /** True if the server is a replica: it is read-only, and has no serializable transactions. */
  readonly isReplica: boolean;
}

interface Found {
  readonly isReplica: number;
  readonly role: string;
  readonly encoding: string;
  readonly missing: string | null;
  readonly hasLocks: number;
}

/**
 * Creates the missing parts of a namespace and checks that statements reach each of its schemas. Existing parts are not
 * created again, so a role that may create nothing, and a replica, open what is there.
 *
 * @throws StorageError with the code `unsupported` if the server or a pooler in front of it cannot keep namespaces
 * apart, or only reads while something is missing.
 */
export async function openNamespace(pools: readonly PgPool[]): Promise<NamespaceMode> {
  const [main] = pools;
  if (!main) return { isReplica: false };
  const schemas = pools.map(({ schema }) => schema);
  try {
    const mode = await main.withClient((client) => createMissing(client, schemas));
    await Promise.all(pools.map(assertSchema));
    return mode;
  } catch (error) {
    throw toStorageError(error, main.server);
  }
}

async function createMissing(
  client: Pg.PoolClient,
  schemas: readonly string[],
): Promise<NamespaceMode> {
  // In a transaction, which a pooler of single statements refuses here and not in the middle of the work.
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    const before = await look(client, schemas);
    assertEncoding(before.encoding);
    const isComplete = before.missing === null && before.hasLocks === 1;
    if (!isComplete && before.isReplica === 0) {
      // One at a time: IF NOT EXISTS does not keep two sessions from creating the same schema.
      await client.query("SELECT pg_advisory_xact_lock(hashtext('vizprompt schemas'))");
      await create(client, schemas);
    } else if (!isComplete) {
      throw new StorageError(
        'unsupported',
        `the replica has no complete namespace '${schemas[0]}': open it once on the primary`,
        { context: { namespace: schemas[0] } },
      );
    }
    await client.query('COMMIT');
    return { isReplica: before.isReplica === 1 };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function look(client: Pg.PoolClient, schemas: readonly string[]): Promise<Found> {
  const { rows } = await client.query<Found>(
    `SELECT pg_is_in_recovery() AS "isReplica", current_user AS role,
       current_setting('client_encoding') AS encoding,
       (SELECT string_agg(wanted, ', ') FROM unnest($1::text[]) AS wanted
        WHERE wanted NOT IN (SELECT nspname FROM pg_namespace)) AS missing,
       EXISTS (SELECT 1 FROM pg_class JOIN pg_namespace AS space ON space.oid = relnamespace
               WHERE nspname = $2 AND relname = $3) AS "hasLocks"`,
    [schemas, schemas[0], LOCK_TABLE],
  );
  const [found] = rows;
  if (!found) throw new StorageError('sql', 'the server answered nothing about its schemas');
  return found;
}

async function create(client: Pg.PoolClient, schemas: readonly string[]): Promise<void> {
  const { missing, hasLocks, role } = await look(client, schemas);
  const absent = new Set(missing?.split(', '));
  try {
    for (const schema of schemas) {
      if (absent.has(schema)) await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    }
    if (hasLocks === 1) return;
    // Names are compared by their bytes, whatever the language of the server.
    await client.query(
      `CREATE TABLE IF NOT EXISTS "${schemas[0]}".${LOCK_TABLE}
         (name TEXT COLLATE "C" PRIMARY KEY, owner BIGINT NOT NULL)`,
    );
  } catch (cause) {
    if (!(isError(cause) && 'code' in cause && cause.code === '42501')) throw cause;
    const commands = schemas.map((schema) => `CREATE SCHEMA "${schema}" AUTHORIZATION "${role}"`);
    throw new StorageError(
      'sql',
      `cannot create the namespace '${schemas[0]}': ${messageOf(cause)}. Let an administrator run ` +
        `${commands.join('; ')}, or open the namespace once with a role that may create it`,
      { cause, context: { namespace: schemas[0], role } },
    );
  }
}

/** Text of another encoding would be altered on its way. */
function assertEncoding(encoding: string): void {
  if (encoding === 'UTF8') return;
  throw new StorageError(
    'unsupported',
    `the connection has the client_encoding ${encoding}, and text is sent as UTF8: remove client_encoding from the ` +
      'connection string',
    { context: { encoding } },
  );
}

/** Proves that a setting reaches the statement that follows it, whatever is between here and the server. */
async function assertSchema(pool: PgPool): Promise<void> {
  const { schema, settings } = pool;
  const { rows } = await pool.withClient((client) =>
    runStatement(client, 'SELECT current_schema() AS schema', [], settings),
  );
  const [row] = rows;
  const found = row && 'schema' in row ? row.schema : undefined;
  if (found === schema) return;
  const reason =
    found === 'pg_catalog'
      ? `cannot use the schema "${schema}": let its owner run GRANT USAGE ON SCHEMA "${schema}" TO the role`
      : `statements for the schema "${schema}" reach "${String(found)}": something between here and the server drops ` +
        'settings of a transaction, connect to the server itself';
  throw new StorageError('unsupported', `PostgreSQL at ${pool.server}: ${reason}`, {
    context: { schema, found },
  });
}
