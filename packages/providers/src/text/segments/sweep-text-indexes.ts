import type { Database } from '../../storage/database.ts';
import { DERIVED_PREFIX } from '../../storage/table-info.ts';
import { backlogOf, sweepSegments } from './maintain-segments.ts';
import { FRESH_SUFFIX, segmentTables } from './segment-tables.ts';

/** Writes the segments of all text indexes of a database again that hold terms of rows which are gone. */
export async function sweepTextIndexes(database: Database): Promise<void> {
  const rows = await database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()
     AND left(tablename, ${DERIVED_PREFIX.length}) = ? ORDER BY tablename`,
    [DERIVED_PREFIX],
  );
  const names = new Set(rows.map(({ name }) => name));
  for (const name of names) {
    if (!name.endsWith(FRESH_SUFFIX)) continue;
    const tables = segmentTables(name.slice(0, -FRESH_SUFFIX.length));
    const { segment, page, block, gone } = tables;
    if (![segment, page, block, gone].every((table) => names.has(table))) continue;
    if ((await backlogOf(database, tables)).gone > 0) await sweepSegments(database, tables);
  }
}
