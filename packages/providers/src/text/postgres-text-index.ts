import type { Database } from '../storage/database.ts';
import { sqlArray } from '../storage/sql-statements.ts';
import { buildTextIndex } from './build-text-index.ts';
import { indexTables, MAX_REPORTED } from './index-tables.ts';
import { IndexSegments } from './segments/index-segments.ts';
import { EVERY } from './segments/segment-session.ts';
import { addMergeTable, createSegmentTables, segmentTables } from './segments/segment-tables.ts';
import type { TextIndex, CompleteTextIndexOptions, TextIndexReport } from './text-index.ts';

/**
 * Returns the index on PostgreSQL: postings in segments, which are plain rows that the application decodes. Values of
 * `tsvector` under a GIN index were an order of magnitude slower, as each list of a frequent word read all its rows.
 */
export async function postgresTextIndex(
  database: Database,
  options: CompleteTextIndexOptions,
): Promise<TextIndex> {
  const tables = await indexTables(database, options, createSegmentTables);
  await addMergeTable(database, tables.derived);
  const segments = new IndexSegments(database, options, segmentTables(tables.derived));

  async function optimize(): Promise<void> {
    await segments.sweep();
    // VACUUM is not part of a transaction, so it needs the schema by name.
    const { fresh, segment, page, block, gone, merge } = segmentTables(tables.derived);
    // An index of a former version has no table of merges before its owner opens it.
    const found = await database.query<{ name: string }>(
      `SELECT quote_ident(schemaname) || '.' || tablename AS name FROM pg_tables
       WHERE schemaname = current_schema() AND tablename = ANY(CAST(? AS TEXT[]))`,
      [sqlArray([fresh, segment, page, block, gone, merge])],
    );
    for (const { name } of found) await database.execute(`VACUUM ${name}`);
  }

  async function check(): Promise<TextIndexReport> {
    const { table, key } = options;
    const rows = await database.query<{ id: number }>(`SELECT ${key} AS id FROM ${table}`);
    const indexed = await segments.rows();
    const stored = new Set(rows.map(({ id }) => id));
    const missing = without(stored, indexed);
    const extra = without(indexed, stored);
    // Other transactions may have written or removed rows between the statements.
    const found = await database.query<{ id: number }>(
      `SELECT ${key} AS id FROM ${table} WHERE ${key} = ANY(CAST(? AS BIGINT[]))`,
      [sqlArray([...missing, ...extra])],
    );
    const still = new Set(found.map(({ id }) => id));
    return {
      missing: missing.filter((id) => still.has(id)).slice(0, MAX_REPORTED),
      extra: extra.filter((id) => !still.has(id)).slice(0, MAX_REPORTED),
    };
  }

  return buildTextIndex(options, tables, {
    put: (row) => segments.put(row),
    putNew: (rows) => segments.putNew(rows),
    remove: (id) => segments.remove(id),
    optimize,
    settle: () => segments.settle(),
    check,
    query: (groups, isRanked, run) => {
      return segments.withSession(isRanked ? [...groups, EVERY] : groups, isRanked, run);
    },
  });
}

function without(rows: ReadonlySet<number>, others: ReadonlySet<number>): readonly number[] {
  return [...rows].filter((row) => !others.has(row)).toSorted((a, b) => a - b);
}
