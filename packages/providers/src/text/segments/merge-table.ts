import type { Database, SqlExecutor } from '../../storage/database.ts';
import { createMergeTable, type SegmentTables, segmentTables } from './segment-tables.ts';

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
