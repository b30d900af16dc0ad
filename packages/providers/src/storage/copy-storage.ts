import type { Database, Migration, SqlExecutor, SqlValue } from './database.ts';
import type { FileChange } from './file-store.ts';
import { MIGRATIONS_TABLE } from './migrations.ts';
import { StorageError } from './storage-error.ts';
import type { Storage } from './storage.ts';
import {
  DERIVED_PREFIX,
  DERIVED_TEXT_INDEX,
  quoteName,
  readTables,
  type TableInfo,
} from './table-info.ts';
import { checkOptions, checkArgument } from '../input/check-input.ts';
import { ARRAY, FUNCTION, SIGNAL, optional, type Kinds } from '../input/kinds.ts';
import { STORAGE } from '../input/part-kinds.ts';
import { placeholders } from './sql-statements.ts';

/** Options of {@link copyStorage}. */
export interface CopyStorageOptions {
  /**
   * The components whose tables are copied, with the migrations that they open a database with.
   * Default: none, for a storage in which only files are used.
   */
  readonly components?:
    | readonly {
        readonly name: string;
        readonly migrations: readonly Migration[];
      }[]
    | undefined;
  /** Stops the copying. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each step with the progress. */
  readonly onProgress?: ((report: CopyReport) => void) | undefined;
}

/** How much was copied. */
export interface CopyReport {
  readonly files: number;
  readonly rows: number;
}

const MAX_BATCH_FILES = 500;
const MAX_BATCH_BYTES = 16_000_000;
const PAGE = 500;

const KINDS: Kinds<CopyStorageOptions> = {
  components: optional(ARRAY),
  signal: optional(SIGNAL),
  onProgress: optional(FUNCTION),
};

/**
 * Copies files and database rows into another storage, of whatever kind. Caches and text indexes
 * are rebuilt at the target. Nothing should write to either storage meanwhile; copying again is
 * safe for files, while tables must be empty at the target.
 *
 * @throws StorageError with the code `unsupported` if a table of the source belongs to none of the
 * components, or `conflict` if a table of the target holds rows. Then no row was copied.
 *
 * @example
 * ```ts
 * await copyStorage(await openStorage('./data'), await postgresStorage({ ... }));
 * ```
 */
export async function copyStorage(
  from: Storage,
  to: Storage,
  options: CopyStorageOptions = {},
): Promise<CopyReport> {
  checkArgument('the first argument of copyStorage', from, STORAGE);
  checkArgument('the second argument of copyStorage', to, STORAGE);
  checkOptions('copyStorage', options, KINDS);
  const { components = [], signal, onProgress } = options;
  let report: CopyReport = { files: 0, rows: 0 };
  const add = (files: number, rows: number): void => {
    signal?.throwIfAborted();
    report = { files: report.files + files, rows: report.rows + rows };
    onProgress?.(report);
  };
  for (const { name, migrations } of components) await to.database.migrate(name, migrations);
  const tables = await matchTables(from.database, to.database);
  await copyFiles(from, to, (count) => add(count, 0));
  await copyRows(from.database, to.database, tables, (count) => add(0, count));
  return report;
}

async function copyFiles(
  from: Storage,
  to: Storage,
  onCopied: (count: number) => void,
): Promise<void> {
  let batch: FileChange[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    await to.files.writeMany(batch);
    onCopied(batch.length);
    batch = [];
    bytes = 0;
  };
  for await (const { key } of from.files.list('')) {
    const file = await from.files.read(key);
    if (!file) continue;
    batch.push({ key, content: file.data });
    bytes += file.data.length;
    if (batch.length >= MAX_BATCH_FILES || bytes >= MAX_BATCH_BYTES) await flush();
  }
  await flush();
}

/** Returns the tables to copy, as the source has them. */
async function matchTables(from: Database, to: Database): Promise<readonly TableInfo[]> {
  const targets = new Map(
    (await readTables(to, to.dialect)).map((table) => [table.name, table.columns]),
  );
  const tables = (await readTables(from, from.dialect)).filter(({ name }) => !isOwn(name));
  for (const { name, columns } of tables) {
    const target = targets.get(name);
    const missing = columns.find((column) => !target?.includes(column));
    if (missing === undefined) continue;
    throw new StorageError(
      'unsupported',
      target
        ? `the table '${name}' has no column '${missing}' at the target`
        : `the table '${name}' belongs to no component: pass its migrations as 'components'`,
      { context: { table: name } },
    );
  }
  return tables;
}

/** Tables that each storage keeps for itself. */
function isOwn(name: string): boolean {
  return name === MIGRATIONS_TABLE || name.startsWith(DERIVED_PREFIX) || name.startsWith('files_');
}

async function copyRows(
  from: Database,
  to: Database,
  tables: readonly TableInfo[],
  onCopied: (count: number) => void,
): Promise<void> {
  if (tables.length === 0) return;
  await to.transaction(async (tx) => {
    const restoreKeys = await suspendForeignKeys(tx, to.dialect);
    for (const table of tables) {
      await assertEmpty(tx, table.name);
      for await (const rows of pagesOf(from, table)) {
        const sql = insertSql(table);
        for (const row of rows) {
          await tx.execute(
            sql,
            table.columns.map((column) => row[column] ?? null),
          );
        }
        onCopied(rows.length);
      }
      if (to.dialect === 'postgres') await advanceSequences(tx, table);
    }
    await restoreKeys();
    const hasIndexes = (await readTables(tx, to.dialect)).some(
      ({ name }) => name === DERIVED_TEXT_INDEX,
    );
    if (hasIndexes) await tx.execute(`DELETE FROM ${DERIVED_TEXT_INDEX}`);
  });
}

async function assertEmpty(tx: SqlExecutor, table: string): Promise<void> {
  const rows = await tx.query(`SELECT 1 FROM ${quoteName(table)} LIMIT 1`);
  if (rows.length === 0) return;
  throw new StorageError('conflict', `the table '${table}' holds rows at the target`, {
    context: { table },
  });
}

function insertSql({ name, columns }: TableInfo): string {
  const list = columns.map(quoteName).join(', ');
  return `INSERT INTO ${quoteName(name)} (${list}) VALUES (${placeholders(columns.length)})`;
}

/** All rows of a table, in the order of its primary key. */
async function* pagesOf(
  database: Database,
  { name, primaryKey }: TableInfo,
): AsyncGenerator<Record<string, SqlValue>[]> {
  const keys = primaryKey.map(quoteName).join(', ');
  const order = primaryKey.length > 0 ? `ORDER BY ${keys} LIMIT ${PAGE}` : '';
  const after = `WHERE (${keys}) > (${placeholders(primaryKey.length)})`;
  let last: SqlValue[] | undefined;
  for (;;) {
    const rows = await database.query<Record<string, SqlValue>>(
      `SELECT * FROM ${quoteName(name)} ${last ? after : ''} ${order}`,
      last ?? [],
    );
    if (rows.length > 0) yield rows;
    const row = rows.at(-1);
    if (!row || order === '' || rows.length < PAGE) return;
    last = primaryKey.map((column) => row[column] ?? null);
  }
}

/** Lets rows come before those they refer to; the function that is given back ends that. */
async function suspendForeignKeys(
  tx: SqlExecutor,
  dialect: Database['dialect'],
): Promise<() => Promise<void>> {
  if (dialect === 'sqlite') {
    await tx.execute('PRAGMA defer_foreign_keys = ON');
    return async () => {};
  }
  const keys = await tx.query<{ tbl: string; name: string; def: string }>(
    `SELECT r.relname AS tbl, c.conname AS name, pg_get_constraintdef(c.oid) AS def
     FROM pg_constraint AS c JOIN pg_class AS r ON r.oid = c.conrelid
     WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace`,
  );
  for (const { tbl, name } of keys) {
    await tx.execute(`ALTER TABLE ${quoteName(tbl)} DROP CONSTRAINT ${quoteName(name)}`);
  }
  return async () => {
    for (const { tbl, name, def } of keys) {
      await tx.execute(`ALTER TABLE ${quoteName(tbl)} ADD CONSTRAINT ${quoteName(name)} ${def}`);
    }
  };
}

/** Lets the counters of PostgreSQL continue after the numbers that were copied. */
async function advanceSequences(tx: SqlExecutor, { name, columns }: TableInfo): Promise<void> {
  for (const column of columns) {
    await tx.query(
      `SELECT setval(sequence, (SELECT max(${quoteName(column)})::bigint FROM ${quoteName(name)}))
       FROM pg_get_serial_sequence(?, ?) AS sequence WHERE sequence IS NOT NULL`,
      [quoteName(name), column],
    );
  }
}
