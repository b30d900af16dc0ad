import type { Database, Statement } from '../storage/database.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { IndexTables } from './index-tables.ts';
import { FrequentGroups } from './frequent-groups.ts';
import { runMatch, type MatchEngine } from './match-plan.ts';
import { parseQuery, type QueryGroup } from './parse-query.ts';
import { runSearch, type TextEngine } from './search-plan.ts';
import { snippetOfGroups, SNIPPET_OPTIONS } from './snippet.ts';
import type {
  PutRow,
  TextIndex,
  CompleteTextIndexOptions,
  TextIndexReport,
  TextMatchOptions,
  TextSearchOptions,
} from './text-index.ts';
import { checkArgument, checkOptions } from '../input/check-input.ts';
import {
  either,
  oneOf,
  optional,
  COUNT,
  NUMBER,
  OBJECT,
  SIGNAL,
  TEXT,
  type Kind,
  type Kinds,
  having,
  listOf,
  TEXTS,
} from '../input/kinds.ts';
import { ASYNC_ITERABLE } from '../input/part-kinds.ts';

/** The part of the index that each dialect implements. */
export interface DialectIndex
  extends
    Pick<TextIndex, 'put' | 'remove' | 'optimize'>,
    Pick<TextEngine, 'probe' | 'rank'>,
    Pick<MatchEngine, 'lists'> {
  /** The column of the table of terms that holds the number of the row. */
  readonly number: string;
}

/** How many rows, or all. */
const CAP: Kind<number> = {
  ...COUNT,
  accepts: (value) => value === Infinity || COUNT.accepts(value),
};
const ROW_NUMBER = either<number, never>(
  NUMBER,
  having('a statement that gives the number', 'sql'),
);
const ROW = having('a row { id, fields }', 'id', 'fields');
const WHERE = optional(having('{ sql, params }', 'sql'));
const SEARCH: Kinds<TextSearchOptions> = {
  limit: optional(COUNT),
  match: optional(oneOf('any', 'all')),
  where: WHERE,
  cap: optional(CAP),
};
const MATCH: Kinds<TextMatchOptions> = {
  where: WHERE,
  tags: optional(listOf('lists of tags', TEXTS)),
  cap: optional(CAP),
  last: optional(TEXT),
  signal: optional(SIGNAL),
};

/** Returns an index from its tables and what the dialect does. */
export function buildTextIndex(
  database: Database,
  options: CompleteTextIndexOptions,
  tables: IndexTables,
  { put, remove, optimize, number, probe, rank, lists }: DialectIndex,
): TextIndex {
  const { name, fields, table, key, analyzer } = options;

  function putKnown(row: PutRow): readonly Statement[] {
    checkArgument('the row of put', row, ROW);
    checkArgument("the 'id' of the row of put", row.id, ROW_NUMBER);
    checkArgument("the 'fields' of the row of put", row.fields, OBJECT);
    const given = [...Object.keys(row.fields), ...Object.keys(row.terms ?? {})];
    const unknown = given.filter((field) => !Object.hasOwn(fields, field));
    if (unknown.length === 0) return put(row);
    throw new StorageError(
      'misuse',
      `the text index '${name}' has no field '${unknown.join("', '")}': it has ` +
        `'${Object.keys(fields).join("', '")}'`,
      { context: { index: name, unknown } },
    );
  }

  function assertBuilt(): void {
    if (!tables.isStale()) return;
    throw new StorageError(
      'misuse',
      `the text index '${name}' is new, was made in another way, or was not rebuilt to the end: ` +
        'rebuild() it before searching',
      { context: { index: name } },
    );
  }

  async function check(): Promise<TextIndexReport> {
    const { derived } = tables;
    const without = async (own: string, from: string, other: string, where: string) => {
      const rows = await database.query<{ id: number }>(
        `SELECT DISTINCT ${own} AS id FROM ${from}
         WHERE ${own} NOT IN (SELECT ${other} FROM ${where}) ORDER BY id LIMIT 100`,
      );
      return rows.map(({ id }) => id);
    };
    return {
      missing: await without(key, table, number, derived),
      extra: await without(number, derived, key, table),
    };
  }

  /** The last query: what is matched is mostly ranked, and then snippets are cut for it. */
  let parsed: { readonly query: string; readonly groups: readonly QueryGroup[] } | undefined;
  const groupsOf = (query: string): readonly QueryGroup[] => {
    if (query !== parsed?.query) parsed = { query, groups: parseQuery(query, analyzer) };
    return parsed.groups;
  };

  const known = new FrequentGroups();
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
    put: putKnown,
    remove(id) {
      checkArgument('the row of remove', id, ROW_NUMBER);
      return remove(id);
    },
    optimize,
    check,
    async rebuild(rows) {
      checkArgument('the rows of rebuild', rows, ASYNC_ITERABLE);
      await tables.rebuild(rows, putKnown);
    },
    async search(query, search = {}) {
      checkArgument('the query of search', query, TEXT);
      checkOptions('search', search, SEARCH);
      assertBuilt();
      return runSearch(engine, groupsOf(query), search);
    },
    async match(query, match = {}) {
      checkArgument('the query of match', query, TEXT);
      checkOptions('match', match, MATCH);
      assertBuilt();
      return runMatch({ newest: engine.newest, known, lists }, groupsOf(query), match);
    },
    snippet(text, query, settings = {}) {
      checkArgument('the text of snippet', text, TEXT);
      checkArgument('the query of snippet', query, TEXT);
      checkOptions('snippet', settings, SNIPPET_OPTIONS);
      return snippetOfGroups(text, groupsOf(query), analyzer, settings);
    },
  };
}
