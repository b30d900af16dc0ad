import type { SqlExecutor } from '../storage/database.ts';

/**
 * Returns the names of the tables of a SQLite database of another program, without views and text indexes: these run
 * what the author of the file wrote, which need not end.
 *
 * @throws StorageError if the database cannot be read.
 */
export async function plainTables(database: SqlExecutor): Promise<readonly string[]> {
  const tables = await database.query<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
  );
  return tables.map(({ name }) => name);
}
