import type { Dialect, SqlExecutor } from '@vizprompt/providers';

/** The columns of a table; none where there is no such table. */
export async function columnNames(
  database: Pick<SqlExecutor, 'query'>,
  dialect: Dialect,
  table: string,
): Promise<ReadonlySet<string>> {
  const known = await database.query<{ name: string }>(
    dialect === 'sqlite'
      ? 'SELECT name FROM pragma_table_info(?)'
      : `SELECT column_name AS name FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = ?`,
    [table],
  );
  return new Set(known.map(({ name }) => name));
}
