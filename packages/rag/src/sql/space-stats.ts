import type { BackendStats, DocumentRef } from '../contract/search-backend.ts';
import type { SpacePlace } from './space-reader.ts';
import { fromSql, keyOf } from './sql-text.ts';
import { analyzerOf } from './sql-tables.ts';

/**
 * Counts what a space holds. Its bytes are those of its contents: other spaces share the tables.
 *
 * @param terms - How many terms of texts it has.
 */
export async function spaceStats(place: SpacePlace, terms: number): Promise<BackendStats> {
  const { executor, tables, name, space } = place;
  const bytesOf = (table: string, column = 'data'): string =>
    `(SELECT coalesce(sum(length(${column})), 0) FROM ${table} WHERE space = ?)`;
  const [row] = await executor.query<Omit<BackendStats, 'terms'>>(
    `SELECT
       (SELECT coalesce(sum(n), 0) FROM ${tables.text} WHERE space = ?) AS chunks,
       (SELECT count(*) FROM ${tables.document} WHERE space = ? AND length(facts) > 0) AS documents,
       ${bytesOf(tables.text)} + ${bytesOf(tables.block)} + ${bytesOf(tables.signature)}
         + ${bytesOf(tables.document, 'facts')} + ${bytesOf(tables.sketch)}
         + ${bytesOf(tables.vocabulary)} AS bytes,
       (SELECT analyzer FROM ${tables.space} WHERE name = ? AND is_current = 1) AS analyzer`,
    [...Array.from({ length: 8 }, () => space), keyOf(name)],
  );
  const none = { chunks: 0, documents: 0, terms: 0, bytes: 0, analyzer: '' };
  return row ? { ...row, terms, analyzer: analyzerOf(fromSql(row.analyzer)) } : none;
}

/** Reads which documents have chunks, and what is stored of their versions. */
export async function storedDocuments({
  executor,
  tables,
  space,
}: SpacePlace): Promise<readonly (DocumentRef & { readonly stamp: string | undefined })[]> {
  const rows = await executor.query<{ novel: string; path: string; stamp: string | null }>(
    `SELECT novel, path, stamp FROM ${tables.document} WHERE space = ? AND length(facts) > 0`,
    [space],
  );
  return rows.map(({ novel, path, stamp }) => {
    return {
      novelId: fromSql(novel),
      filePath: fromSql(path),
      stamp: stamp === null ? undefined : stamp,
    };
  });
}
