import type { Statement } from '../storage/database.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { IndexTables } from './index-tables.ts';
import { FrequentGroups } from './list-groups.ts';
import { runMatch, type MatchEngine } from './match-plan.ts';
import { parseQuery, type QueryGroup, withAlternatives } from './parse-query.ts';
import { runSearch, tagGroup, type TextEngine } from './search-plan.ts';
import { snippetOfGroups, SNIPPET_OPTIONS } from './snippet.ts';
import type {
  NewRow,
  NewRows,
  PutRow,
  TextIndex,
  CompleteTextIndexOptions,
  TextMatchOptions,
  TextSearchOptions,
} from './text-index.ts';
import { checkArgument, checkOptions } from '../input/check-input.ts';
import {
  ARRAY,
  either,
  objectOf,
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

/** The operations of a dialect that one query needs. */
type DialectEngine = Pick<TextEngine, 'newest' | 'probe' | 'rank'> & Pick<MatchEngine, 'lists'>;

/** The part of the index that each dialect implements. */
export interface DialectIndex extends Pick<
  TextIndex,
  'put' | 'putNew' | 'remove' | 'optimize' | 'settle' | 'check'
> {
  /**
   * Runs a query.
   *
   * @param groups - All that it may ask for.
   * @param isRanked - True if it calls `rank`.
   */
  query<Result>(
    groups: readonly QueryGroup[],
    isRanked: boolean,
    run: (engine: DialectEngine) => Promise<Result>,
  ): Promise<Result>;
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
const NEW_ROWS = having('{ ids, rows }', 'ids', 'rows');
const IDS = having('a statement', 'sql');
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
  alternatives: optional(listOf('{ of, words }', objectOf({ of: TEXT, words: TEXTS }))),
  signal: optional(SIGNAL),
};

/** Returns an index from its tables and what the dialect does. */
export function buildTextIndex(
  options: CompleteTextIndexOptions,
  tables: IndexTables,
  { put, putNew, remove, optimize, settle, check, query: runQuery }: DialectIndex,
): TextIndex {
  const { name, fields, analyzer } = options;

  function putKnown(row: PutRow): readonly Statement[] {
    checkArgument('the row of put', row, ROW);
    checkArgument("the 'id' of the row of put", row.id, ROW_NUMBER);
    checkArgument("the 'fields' of the row of put", row.fields, OBJECT);
    assertKnown(row);
    return put(row);
  }

  function putAll(given: NewRows): readonly Statement[] {
    checkArgument('the rows of putNew', given, NEW_ROWS);
    checkArgument("the 'ids' of putNew", given.ids, IDS);
    checkArgument("the 'rows' of putNew", given.rows, ARRAY);
    for (const row of given.rows) {
      checkArgument("the 'fields' of a row of putNew", row.fields, OBJECT);
      assertKnown(row);
    }
    return given.rows.length === 0 ? [] : putNew(given);
  }

  function assertKnown(row: NewRow): void {
    const given = [...Object.keys(row.fields), ...Object.keys(row.terms ?? {})];
    const unknown = given.filter((field) => !Object.hasOwn(fields, field));
    if (unknown.length === 0) return;
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

  /** The last query: what is matched is mostly ranked, and then snippets are cut for it. */
  let parsed: { readonly query: string; readonly groups: readonly QueryGroup[] } | undefined;
  const groupsOf = (query: string): readonly QueryGroup[] => {
    if (query !== parsed?.query) parsed = { query, groups: parseQuery(query, analyzer) };
    return parsed.groups;
  };

  const known = new FrequentGroups();
  return {
    analyzer,
    get isStale() {
      return tables.isStale();
    },
    put: putKnown,
    putNew: putAll,
    remove(id) {
      checkArgument('the row of remove', id, ROW_NUMBER);
      return remove(id);
    },
    optimize,
    settle,
    check,
    async rebuild(rows) {
      checkArgument('the rows of rebuild', rows, ASYNC_ITERABLE);
      await tables.rebuild(rows, putKnown, settle);
    },
    async search(query, search = {}) {
      checkArgument('the query of search', query, TEXT);
      checkOptions('search', search, SEARCH);
      assertBuilt();
      const groups = groupsOf(query);
      return runQuery(groups, true, (engine) => {
        return runSearch({ ...partsOf(engine), countRows: tables.countRows }, groups, search);
      });
    },
    async match(query, match = {}) {
      checkArgument('the query of match', query, TEXT);
      checkOptions('match', match, MATCH);
      assertBuilt();
      const { tags = [], last, alternatives: lists = [] } = match;
      const { groups, alternatives } = withAlternatives(groupsOf(query), lists, analyzer);
      const asked = [...tags.flat(), ...(last === undefined ? [] : [last])].map(tagGroup);
      const listed = alternatives.flatMap(({ group, others }) => [group, ...others]);
      return runQuery([...groups, ...listed, ...asked], false, (engine) => {
        return runMatch({ ...partsOf(engine), known }, { groups, alternatives }, match);
      });
    },
    snippet(text, query, settings = {}) {
      checkArgument('the text of snippet', text, TEXT);
      checkArgument('the query of snippet', query, TEXT);
      checkOptions('snippet', settings, SNIPPET_OPTIONS);
      return snippetOfGroups(text, groupsOf(query), analyzer, settings);
    },
  };
}

/** An engine may be an object of a class, whose methods are not copied by a spread. */
function partsOf(engine: DialectEngine): DialectEngine {
  return {
    newest: () => engine.newest(),
    probe: (group, cap) => engine.probe(group, cap),
    rank: (request) => engine.rank(request),
    lists: (requests) => engine.lists(requests),
  };
}
