import type { Database, SqlExecutor } from '../../storage/database.ts';

/** The names of the tables of a text index on PostgreSQL. */
export interface SegmentTables {
  /** Rows with their terms as text, until they are in a segment. */
  readonly fresh: string;
  /** A row for each segment. */
  readonly segment: string;
  /** The postings of rare terms of segments, many terms a row. */
  readonly page: string;
  /** The postings of frequent terms of segments, up to `BLOCK` of them a row. */
  readonly block: string;
  /** Rows that were removed from segments up to one. */
  readonly gone: string;
  /** Merges that are in progress. */
  readonly merge: string;
  /** The sequence of the numbers of segments and fresh rows. */
  readonly numbers: string;
}

/** Ends the name of the table of fresh rows. No table is named `derived` alone: processes of former versions write to it. */
export const FRESH_SUFFIX = '__fresh';

/** Returns the names of tables that begin with `derived`; an index `note_page` next to one `note` has others. */
export function segmentTables(derived: string): SegmentTables {
  return {
    fresh: derived + FRESH_SUFFIX,
    segment: `${derived}__segment`,
    page: `${derived}__page`,
    block: `${derived}__block`,
    gone: `${derived}__gone`,
    merge: `${derived}__merge`,
    numbers: `${derived}__numbers`,
  };
}

/**
 * Returns the statements that create the tables again. Terms are compared by their bytes. Postings are not compressed, as
 * they hardly get smaller, nor are texts, as few of them stay for long.
 *
 * A segment has a number of its own, and its age: the number of the newest that it was merged from.
 */
export function createSegmentTables(derived: string): readonly string[] {
  const { fresh, segment, page, block, gone, merge, numbers } = segmentTables(derived);
  const term = 'term TEXT COLLATE "C" NOT NULL';
  return [
    ...[fresh, segment, page, block, gone, merge].map((table) => `DROP TABLE IF EXISTS ${table}`),
    // The sequence stays when the tables are created again, as other processes know rows by their numbers.
    `CREATE SEQUENCE IF NOT EXISTS ${numbers}`,
    // Rights on tables do not include it. Only roles that may use the schema reach it.
    `GRANT USAGE, SELECT ON SEQUENCE ${numbers} TO PUBLIC`,
    // Uses up the first number: a new sequence has it as its last value before any segment has it.
    `SELECT nextval('${numbers}')`,
    `CREATE TABLE ${fresh} (
      no BIGINT NOT NULL DEFAULT nextval('${numbers}'), id BIGINT NOT NULL, terms TEXT NOT NULL
    )`,
    `CREATE UNIQUE INDEX ${fresh}__id ON ${fresh} (id)`,
    `ALTER TABLE ${fresh} ALTER terms SET STORAGE EXTERNAL`,
    `CREATE TABLE ${segment} (
      no BIGINT PRIMARY KEY, age BIGINT NOT NULL, base BIGINT NOT NULL,
      docs BIGINT NOT NULL, words BIGINT NOT NULL
    )`,
    `CREATE TABLE ${page} (
      segment BIGINT NOT NULL, ${term}, data BYTEA NOT NULL, PRIMARY KEY (segment, term)
    )`,
    `CREATE TABLE ${block} (
      ${term}, segment BIGINT NOT NULL, first BIGINT NOT NULL, part BIGINT NOT NULL, n BIGINT NOT NULL,
      data BYTEA NOT NULL, places BYTEA NOT NULL, PRIMARY KEY (term, segment, part)
    )`,
    ...[page, block].map((table) => `ALTER TABLE ${table} ALTER data SET STORAGE EXTERNAL`),
    `ALTER TABLE ${block} ALTER places SET STORAGE EXTERNAL`,
    `CREATE INDEX ${block}__no ON ${block} (segment, term, part)`,
    `CREATE TABLE ${gone} (id BIGINT NOT NULL, age BIGINT NOT NULL)`,
    createMergeTable(derived),
  ];
}

/** Returns the statement that creates the table of merges in progress where it does not exist. */
function createMergeTable(derived: string): string {
  return `CREATE TABLE IF NOT EXISTS ${segmentTables(derived).merge} (
    no BIGINT PRIMARY KEY, segments TEXT NOT NULL, last TEXT, docs BIGINT NOT NULL, words BIGINT NOT NULL
  )`;
}

/**
 * Adds the table of merges in progress to an index of a former version, with the rights of the table of segments. It is
 * not a migration: a role that may not add it, and a process of that version, work with the other tables as before.
 */
export async function addMergeTable(database: Database, derived: string): Promise<void> {
  const tables = segmentTables(derived);
  if (!(await mayAdd(database, tables))) return;
  await database.transaction(
    async (tx) => {
      // No other process adds it or creates all tables again meanwhile.
      await tx.execute(`LOCK TABLE ${tables.segment} IN SHARE UPDATE EXCLUSIVE MODE`);
      if (!(await mayAdd(tx, tables))) return;
      await tx.execute(createMergeTable(derived));
      for (const { sql } of await grantsOf(tx, tables)) await tx.execute(sql);
    },
    { isolation: 'read-committed' },
  );
}

/** Checks whether the table is missing and this role owns the other ones. */
async function mayAdd(executor: SqlExecutor, { segment, merge }: SegmentTables): Promise<boolean> {
  const found = await executor.query(
    `SELECT 1 AS found FROM pg_class
     WHERE oid = to_regclass('${segment}') AND to_regclass('${merge}') IS NULL
       AND pg_get_userbyid(relowner) = current_user AND has_schema_privilege(current_schema(), 'CREATE')
       AND current_setting('transaction_read_only') = 'off'`,
  );
  return found.length > 0;
}

/** Returns statements that give roles the rights that they have on the table of segments. */
function grantsOf(
  tx: SqlExecutor,
  { segment, merge }: SegmentTables,
): Promise<readonly { readonly sql: string }[]> {
  return tx.query<{ sql: string }>(
    `SELECT format('GRANT %s ON ${merge} TO %s%s', privilege_type,
       CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END,
       CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) AS sql
     FROM pg_class CROSS JOIN LATERAL aclexplode(relacl) WHERE oid = to_regclass('${segment}')`,
  );
}

/** Checks whether the table of merges in progress exists and this role may read and write it. */
export async function mayStep(tx: SqlExecutor, { merge }: SegmentTables): Promise<boolean> {
  const rights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'].map(
    (right) => `has_table_privilege(to_regclass('${merge}'), '${right}')`,
  );
  const [row] = await tx.query<{ may: number | null }>(`SELECT ${rights.join(' AND ')} AS may`);
  return row?.may === 1;
}
