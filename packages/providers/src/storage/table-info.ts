import type { Dialect, SqlExecutor } from './database.ts';

/** A table as the catalogue of its database describes it. */
export interface TableInfo {
  readonly name: string;
  readonly columns: readonly string[];
  /** Empty if the table has none. */
  readonly primaryKey: readonly string[];
}

/** Returns the tables of a database, in the order of their names. */
export async function readTables(
  database: SqlExecutor,
  dialect: Dialect,
): Promise<readonly TableInfo[]> {
  const rows = await database.query<{ name: string; column_name: string; key_place: number }>(
    dialect === 'sqlite' ? SQLITE_COLUMNS : POSTGRES_COLUMNS,
  );
  const tables = new Map<string, { columns: string[]; keys: [number, string][] }>();
  for (const { name, column_name: column, key_place: place } of rows) {
    const table = tables.get(name) ?? { columns: [], keys: [] };
    table.columns.push(column);
    if (place > 0) table.keys.push([place, column]);
    tables.set(name, table);
  }
  return [...tables].map(([name, { columns, keys }]) => ({
    name,
    columns,
    primaryKey: keys.toSorted(([a], [b]) => a - b).map(([, column]) => column),
  }));
}

const SQLITE_COLUMNS = `
  SELECT m.name AS name, c.name AS column_name, c.pk AS key_place
  FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
  WHERE m.type = 'table' AND substr(m.name, 1, 7) <> 'sqlite_'
    -- To look at them the extension would have to be loaded; their data is in other tables.
    AND m.sql NOT LIKE 'CREATE VIRTUAL TABLE % USING vec0%'
  ORDER BY m.name, c.cid`;

const POSTGRES_COLUMNS = `
  SELECT t.relname AS name, a.attname AS column_name,
    COALESCE(array_position(i.indkey::int2[], a.attnum) + 1, 0) AS key_place
  FROM pg_class AS t
  JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_index AS i ON i.indrelid = t.oid AND i.indisprimary
  WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind = 'r'
  ORDER BY t.relname, a.attnum`;

/** Returns a name as SQL text. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Tables whose names begin so hold nothing that is not also elsewhere; copies of a database leave
 * them out.
 */
export const DERIVED_PREFIX = 'derived_';

/** The table that knows which text indexes are complete. */
export const DERIVED_TEXT_INDEX: string = `${DERIVED_PREFIX}text_index`;
