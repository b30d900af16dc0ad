import type { Database, Statement } from '../storage/database.ts';
import { DERIVED_PREFIX, DERIVED_TEXT_INDEX } from '../storage/derived.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { TextIndex, TextIndexOptions, TextRow, TextSearchOptions } from './text-index.ts';

/** Changes when the tables of an index change their form. */
const FORM = 1;
/** How many rows a transaction of a rebuild holds. */
const REBUILD_BATCH = 500;

/** What the indexes of all dialects have in common. */
export interface IndexTables {
  /** The name of the table of terms. */
  readonly derived: string;
  isStale(): boolean;
  rebuild(rows: AsyncIterable<TextRow> | Iterable<TextRow>, put: TextIndex['put']): Promise<void>;
  countRows(where: NonNullable<TextSearchOptions['where']>, limit: number): Promise<number>;
}

/**
 * Makes the tables of an index where they are missing. If they were made for other fields or another
 * analyser, they wait for a rebuild.
 *
 * @param create - The statements that make the table of this name.
 */
export async function indexTables(
  database: Database,
  options: Required<TextIndexOptions>,
  create: (derived: string) => readonly string[],
): Promise<IndexTables> {
  const { name, fields, table, key, analyzer } = options;
  for (const identifier of [name, table, key]) assertIdentifier(identifier);
  const derived = DERIVED_PREFIX + name;
  const signature = JSON.stringify([FORM, analyzer.id, Object.keys(fields)]);

  await database.migrate('text_index', [
    {
      version: 1,
      name: 'signatures',
      up: async (tx) =>
        void (await tx.execute(
          `CREATE TABLE ${DERIVED_TEXT_INDEX} (name TEXT PRIMARY KEY, signature TEXT NOT NULL)`,
        )),
    },
  ]);
  await database.migrate(`text_${name}`, [
    {
      version: 1,
      name: 'terms',
      async up(tx) {
        for (const sql of create(derived)) await tx.execute(sql);
      },
    },
  ]);

  const [known] = await database.query<{ signature: string }>(
    `SELECT signature FROM ${DERIVED_TEXT_INDEX} WHERE name = ?`,
    [name],
  );
  let isStale = known?.signature !== signature;

  return {
    derived,
    isStale: () => isStale,
    async rebuild(rows, put) {
      isStale = true;
      await database.transaction(async (tx) => {
        await tx.execute(`DELETE FROM ${DERIVED_TEXT_INDEX} WHERE name = ?`, [name]);
        await tx.execute(`DROP TABLE IF EXISTS ${derived}`);
        for (const sql of create(derived)) await tx.execute(sql);
      });
      let batch: Statement[] = [];
      let size = 0;
      for await (const row of rows) {
        batch.push(...put(row));
        size++;
        if (size % REBUILD_BATCH !== 0) continue;
        await database.batch(batch);
        batch = [];
      }
      batch.push({
        // Another process may have rebuilt it at the same time.
        sql: `INSERT INTO ${DERIVED_TEXT_INDEX} VALUES (?, ?)
          ON CONFLICT (name) DO UPDATE SET signature = excluded.signature`,
        params: [name, signature],
      });
      await database.batch(batch);
      isStale = false;
    },
    async countRows({ sql, params = [] }, limit) {
      const [row] = await database.query<{ count: number }>(
        `SELECT count(*) AS count FROM (SELECT 1 FROM ${table} WHERE (${sql}) LIMIT ?) AS found`,
        [...params, limit],
      );
      return row?.count ?? 0;
    },
  };
}

function assertIdentifier(identifier: string): void {
  if (/^[a-z][a-z0-9_]{0,40}$/.test(identifier)) return;
  throw new StorageError(
    'misuse',
    `'${identifier}' is no name for an index, a table or a column: use small letters, digits, '_'`,
  );
}
