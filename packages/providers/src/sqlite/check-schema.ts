import type { SqlExecutor } from '../storage/database.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { DriverConnection } from './sqlite-driver.ts';

/**
 * The names of all tables that the packages create, but those of an index of rag that the application named. A test of
 * the command lines makes a store of each package, and tries all its tables.
 */
const OUR_TABLE =
  /^(?:(?:vizprompt|core|derived|memory|conversation|workflow|dispatch|files|langgraph|rag)_|chunks_(?:space|document|sketch|vocabulary|text|term|lookup|bucket|block|signature)$)/i;

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

/**
 * Reads the schema of a database that may come from elsewhere, which finds most of what is damaged, and refuses code in
 * it: a view in place of a table, or a trigger, runs whatever its author wrote in each statement, without an end if they
 * wish. The packages create neither. Views and triggers on tables of the application stay.
 *
 * @throws StorageError with the code `corrupt`.
 */
export function checkSchema(connection: DriverConnection, path: string): void {
  const statement = connection.prepare(
    `SELECT type, name, tbl_name AS "table", COALESCE(sql, '') AS sql FROM sqlite_master
     WHERE type IN ('view', 'trigger') OR sql LIKE 'CREATE VIRTUAL TABLE%'`,
  );
  const rows: SchemaRow[] = statement.all([]).map((row) => ({
    type: String(row['type']),
    name: String(row['name']),
    table: String(row['table']),
    sql: String(row['sql']).toLowerCase(),
  }));
  // A text index may read its texts from a view.
  const indexes = rows.filter(({ type, name }) => type === 'table' && OUR_TABLE.test(name));
  const foreign = rows.find(
    ({ type, name, table }) =>
      type !== 'table' &&
      (OUR_TABLE.test(table) ||
        (type === 'view' && indexes.some(({ sql }) => sql.includes(name.toLowerCase())))),
  );
  if (!foreign) return;
  const { type, name } = foreign;
  throw new StorageError(
    'corrupt',
    `cannot open ${path}: it has the ${type} '${name}', which the SDK never creates and which would run with each ` +
      `statement. If it is yours, remove it (DROP ${type.toUpperCase()}); else delete the file`,
    { context: { path, [type]: name } },
  );
}

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
