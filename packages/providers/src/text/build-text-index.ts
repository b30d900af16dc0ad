import type { Database } from '../storage/database.ts';
import type { IndexTables } from './index-tables.ts';
import { parseQuery } from './parse-query.ts';
import { runSearch, type TextEngine } from './search-plan.ts';
import { snippetOf } from './snippet.ts';
import type { TextIndex, TextIndexOptions } from './text-index.ts';

/** What each dialect does in its own way. */
export interface DialectIndex
  extends Pick<TextIndex, 'put' | 'remove'>, Pick<TextEngine, 'probe' | 'rank'> {}

/** An index from its tables and what the dialect does. */
export function buildTextIndex(
  database: Database,
  options: Required<TextIndexOptions>,
  tables: IndexTables,
  { put, remove, probe, rank }: DialectIndex,
): TextIndex {
  const { table, key, analyzer } = options;
  const engine: TextEngine = {
    async newest() {
      const sql = `SELECT max(${key}) AS newest FROM ${table}`;
      const [row] = await database.query<{ newest: number | null }>(sql);
      return row?.newest ?? 0;
    },
    countRows: tables.countRows,
    probe,
    rank,
  };
  return {
    analyzer,
    get isStale() {
      return tables.isStale();
    },
    put,
    remove,
    rebuild: (rows) => tables.rebuild(rows, put),
    search: (query, search = {}) => runSearch(engine, parseQuery(query, analyzer), search),
    snippet: (text, query, settings) => snippetOf(text, query, analyzer, settings),
  };
}
