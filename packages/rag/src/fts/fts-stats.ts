import type { SqlExecutor } from '@vizprompt/providers';
import type { BackendStats } from '../contract/search-backend.ts';
import { TITLE_PREFIX } from '../search/chunk-index.ts';
import type { FtsTables } from './fts-tables.ts';
import { toSql } from './sql-text.ts';

/** What an index holds. Its bytes are those of its contents: other tables share the file. */
export async function ftsStats(executor: SqlExecutor, tables: FtsTables): Promise<BackendStats> {
  const { chunk, document, term, text, fts, state } = tables;
  const [row] = await executor.query<BackendStats>(
    `SELECT
       (SELECT count(*) FROM ${chunk}) AS chunks,
       (SELECT count(*) FROM ${document}) AS documents,
       (SELECT count(*) FROM ${term} WHERE substr(key, 1, ?) <> ?) AS terms,
       (SELECT coalesce(sum(length(block)), 0) FROM ${fts}_data)
         + (SELECT coalesce(sum(length(CAST(chunk AS BLOB)) + length(words)), 0) FROM ${text})
         + (SELECT coalesce(sum(length(CAST(key AS BLOB)) * 2), 0) FROM ${term}) AS bytes,
       (SELECT analyzer FROM ${state}) AS analyzer`,
    [toSql(TITLE_PREFIX).length, toSql(TITLE_PREFIX)],
  );
  return row ?? { chunks: 0, documents: 0, terms: 0, bytes: 0, analyzer: '' };
}
