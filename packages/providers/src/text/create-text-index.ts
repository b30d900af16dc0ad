import type { Database } from '../storage/database.ts';
import { postgresTextIndex } from './postgres-text-index.ts';
import { sqliteTextIndex } from './sqlite-text-index.ts';
import type { TextIndex, TextIndexOptions } from './text-index.ts';
import { wordAnalyzer } from '../analysis/word-analyzer.ts';
import { checkOptions, checkArgument } from '../input/check-input.ts';
import { NONEMPTY, OBJECT, optional, type Kinds } from '../input/kinds.ts';
import { ANALYZER, DATABASE } from '../input/part-kinds.ts';

const KINDS: Kinds<TextIndexOptions> = {
  name: NONEMPTY,
  fields: OBJECT,
  table: NONEMPTY,
  key: NONEMPTY,
  analyzer: optional(ANALYZER),
};

/**
 * Opens a full text index over the rows of a table, making it when missing: FTS5 on SQLite,
 * segments of postings in plain rows on PostgreSQL. Both find the same rows; they may rank them differently.
 *
 * @throws StorageError with the code `misuse` if a name is not a plain SQL name.
 *
 * @example
 * ```ts
 * const index = await createTextIndex(database, {
 *   name: 'note_text', table: 'note', key: 'id', fields: { title: 2, body: 1 },
 * });
 * if (index.isStale) await index.rebuild(allNotes());
 *
 * await database.batch([
 *   { sql: 'INSERT INTO note VALUES (?, ?, ?)', params: [1, '認証', 'JWTを使用する'] },
 *   ...index.put({ id: 1, fields: { title: '認証', body: 'JWTを使用する' } }),
 * ]);
 * const [hit] = await index.search('JWT 認証');
 * ```
 */
export async function createTextIndex(
  database: Database,
  options: TextIndexOptions,
): Promise<TextIndex> {
  checkArgument('the database of createTextIndex', database, DATABASE);
  checkOptions('createTextIndex', options, KINDS);
  const driver = database.dialect === 'sqlite' ? sqliteTextIndex : postgresTextIndex;
  return driver(database, { ...options, analyzer: options.analyzer ?? wordAnalyzer() });
}
