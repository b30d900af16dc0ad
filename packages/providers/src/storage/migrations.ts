import type { Database, Migration, SqlExecutor } from './database.ts';
import { StorageError } from './storage-error.ts';

/** The table in which every database keeps which steps it has seen. */
export const MIGRATIONS_TABLE = 'vizprompt_migrations';

/** The differences between databases when a schema changes. */
export interface MigrationHooks {
  /** Runs before a schema with data in it changes. */
  backup?(component: string, version: number): Promise<void>;
}

/** Applies all pending steps in one transaction: the `migrate` of every database. */
export async function applyMigrations(
  database: Pick<Database, 'query' | 'transaction' | 'dialect'>,
  component: string,
  migrations: readonly Migration[],
  hooks: MigrationHooks = {},
): Promise<void> {
  checkSteps(component, migrations);
  // A schema that is up to date needs no lock, which another process may hold, and writes nothing.
  if ((await peekVersion(database, component)) === migrations.length) return;
  const current = await database.transaction((tx) => readVersion(tx, component));
  refuseNewer(component, current, migrations.length);
  if (current === migrations.length) return;
  if (current > 0) await hooks.backup?.(component, current);

  await database.transaction(async (tx) => {
    const applied = await readVersion(tx, component);
    refuseNewer(component, applied, migrations.length);
    for (const migration of migrations.slice(applied)) {
      await migration.up(tx, database.dialect);
      await tx.execute(`INSERT INTO ${MIGRATIONS_TABLE} VALUES (?, ?, ?, ?)`, [
        component,
        migration.version,
        migration.name,
        new Date().toISOString(),
      ]);
    }
  });
}

function checkSteps(component: string, migrations: readonly Migration[]): void {
  if (!/^[a-z][a-z0-9_]{0,40}$/.test(component)) {
    throw new StorageError(
      'misuse',
      `'${component}' is no component name: use small letters, digits and '_'`,
    );
  }
  const wrong = migrations.findIndex((migration, index) => migration.version !== index + 1);
  if (wrong < 0) return;
  throw new StorageError(
    'misuse',
    `the migrations of '${component}' must count 1, 2, 3 ...: number ${wrong + 1} has the version ` +
      `${migrations[wrong]?.version}`,
  );
}

/** Returns the version as far as it can be read; the table of versions may not be there yet. */
async function peekVersion(
  database: Pick<Database, 'query'>,
  component: string,
): Promise<number | undefined> {
  try {
    return await selectVersion(database, component);
  } catch {
    // Anything else surfaces as an error of the transaction.
    return undefined;
  }
}

async function readVersion(tx: SqlExecutor, component: string): Promise<number> {
  await tx.execute(
    `CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE} (
      component TEXT NOT NULL,
      version BIGINT NOT NULL,
      name TEXT NOT NULL,
      applied_at TEXT NOT NULL,
      PRIMARY KEY (component, version)
    )`,
  );
  return selectVersion(tx, component);
}

async function selectVersion(tx: Pick<SqlExecutor, 'query'>, component: string): Promise<number> {
  const [row] = await tx.query<{ version: number | null }>(
    `SELECT max(version) AS version FROM ${MIGRATIONS_TABLE} WHERE component = ?`,
    [component],
  );
  return row?.version ?? 0;
}

function refuseNewer(component: string, found: number, known: number): void {
  if (found <= known) return;
  throw new StorageError(
    'newer-schema',
    `the data of '${component}' has schema version ${found}, this package knows ${known}: ` +
      'update the package, or open a backup made before',
    { context: { component, found, known } },
  );
}
