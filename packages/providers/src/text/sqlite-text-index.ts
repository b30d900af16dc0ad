import type { Database, SqlParameter, Statement } from '../storage/database.ts';
import { buildTextIndex } from './build-text-index.ts';
import {
  indexTables,
  MAX_REPORTED,
  numberOf,
  numbersFor,
  numbersOf,
  rowTerms,
  tagTerm,
} from './index-tables.ts';
import type { ListRequest } from './list-groups.ts';
import type { QueryGroup } from './parse-query.ts';
import type { RankRequest, TextEngine } from './search-plan.ts';
import type {
  NewRow,
  NewRows,
  PutRow,
  TextHit,
  TextIndex,
  CompleteTextIndexOptions,
  TextIndexReport,
} from './text-index.ts';
import { placeholders } from '../storage/sql-statements.ts';

/** How many bytes of terms are gathered before they are written. */
const TERM_BYTES = 8 << 20;

/** How much an extra term, such as a part of an identifier, counts next to a whole one. */
const EXTRA_WEIGHT = 0.5;

/**
 * Returns the index on SQLite: a contentless FTS5 table that is given terms, not text. Its tokenizer `ascii`
 * leaves terms as they are: it cuts at ASCII punctuation and spaces, of which they have none.
 *
 * Source: https://www.sqlite.org/fts5.html, sections 4.3.2, 4.4.2 and 5.1.1.
 */
export async function sqliteTextIndex(
  database: Database,
  options: CompleteTextIndexOptions,
): Promise<TextIndex> {
  const { fields, table, key, analyzer } = options;
  const names = Object.keys(fields);
  const columns = [...names.map((_, index) => `f${index}`), 'extra'];
  const weights = [...Object.values(fields), EXTRA_WEIGHT].join(', ');
  const tables = await indexTables(database, options, (derived) => [
    `CREATE VIRTUAL TABLE ${derived} USING fts5(
      ${columns.join(', ')}, content='', contentless_delete=1, tokenize='ascii'
    )`,
    // A search looks a term up in every segment: with half as many of each size it reads fewer pages, and
    // merging them earlier takes no longer (section 6.1 of the source).
    `INSERT INTO ${derived} (${derived}, rank) VALUES ('automerge', 2)`,
    // A transaction gathers its terms in memory, and writes a segment whenever they take this many bytes: with
    // a few large ones there is less to merge (fts5_config.c of SQLite; the default is 1 MiB).
    `INSERT INTO ${derived} (${derived}, rank) VALUES ('hashsize', ${TERM_BYTES})`,
  ]);
  const { derived } = tables;
  const marks = placeholders(columns.length);
  const into = `INTO ${derived} (rowid, ${columns.join(', ')}) VALUES`;
  /** The statement for the last kind of row: the same text is found among the prepared ones fastest. */
  let last = { insert: '', row: '', sql: '' };
  const insertAt = (insert: 'INSERT' | 'INSERT OR REPLACE', row: string): string => {
    if (last.row !== row || last.insert !== insert) {
      last = { insert, row, sql: `${insert} ${into} (${row}, ${marks})` };
    }
    return last.sql;
  };

  /** Returns the texts of the columns of a row. */
  function textsOf(given: NewRow): readonly string[] {
    const extra = (given.tags ?? []).map(tagTerm);
    const lines = names.map((name) => {
      const terms = rowTerms(analyzer, given, name);
      for (const term of terms.extra) extra.push(term);
      return terms.line.join(' ');
    });
    return [...lines, extra.join(' ')];
  }

  function put(given: PutRow): readonly Statement[] {
    const row = numberOf(given.id);
    return [
      {
        sql: insertAt(given.isNew === true ? 'INSERT' : 'INSERT OR REPLACE', row.sql),
        params: [...row.params, ...textsOf(given)],
      },
    ];
  }

  /** With a number that is missing, FTS5 would choose one: so a row of a place that is missing selects none. */
  function putNew({ ids, rows }: NewRows): readonly Statement[] {
    const sql = `INSERT INTO ${derived} (rowid, ${columns.join(', ')})
      SELECT id, ${marks} FROM (${ids.sql}) WHERE place = ?`;
    return rows.map((row, at) => ({
      sql,
      params: [...textsOf(row), ...(ids.params ?? []), at + 1],
    }));
  }

  /** @param limit - The best are returned, this many: to make objects of all of them takes as long as to rank them. */
  async function rankBy(
    expression: string,
    { where, isNarrow, cap }: RankRequest,
    limit: number,
  ): Promise<TextHit[]> {
    // The `+` keeps SQLite from running the query again for each row of the list.
    const filter = isNarrow
      ? `AND +${derived}.rowid IN (SELECT ${key} FROM ${table} WHERE (${where?.sql}))`
      : `AND EXISTS (SELECT 1 FROM ${table} WHERE ${key} = ${derived}.rowid AND (${where?.sql}))`;
    const params: SqlParameter[] = [expression, ...(where?.params ?? []), cap, limit];
    return database.query<{ id: number; score: number }>(
      `SELECT id, score FROM (
         SELECT ${derived}.rowid AS id, -bm25(${derived}, ${weights}) AS score
         FROM ${derived} WHERE ${derived} MATCH ? ${where ? filter : ''}
         ORDER BY ${derived}.rowid DESC LIMIT ?
       ) ORDER BY score DESC, id DESC LIMIT ?`,
      params,
    );
  }

  async function rank(request: RankRequest): Promise<readonly TextHit[]> {
    const { required, scored, match, cap, limit } = request;
    const chosen = expressionOf(required, match === 'all' ? 'AND' : 'OR');
    const others = scored.length > required.length && match === 'any';
    if (!others) return rankBy(chosen, request, Math.min(cap, limit));
    const base = await rankBy(chosen, request, cap);
    // The phrases of `required` occur twice in this expression and count twice: once too often.
    const all = await rankBy(`(${chosen}) AND (${expressionOf(scored, 'OR')})`, request, cap);
    const both = new Map(all.map(({ id, score }) => [id, score]));
    return base.map(({ id, score }) => ({ id, score: (both.get(id) ?? 2 * score) - score }));
  }

  async function probe(group: QueryGroup, cap: number): ReturnType<TextEngine['probe']> {
    const [row] = await database.query<{ count: number; oldest: number | null }>(
      `SELECT count(*) AS count, min(id) AS oldest FROM (
         SELECT rowid AS id FROM ${derived} WHERE ${derived} MATCH ? ORDER BY rowid DESC LIMIT ?
       )`,
      [expressionOf([group], 'OR'), cap],
    );
    return { count: row?.count ?? 0, oldest: row?.oldest ?? 0 };
  }

  async function list(request: ListRequest): Promise<readonly number[]> {
    const { clauses, without, where, cap, order } = request;
    const newestFirst = order === 'any' ? '' : 'ORDER BY rowid DESC';
    const all = clauses.map((clause) => `(${expressionOf(clause, 'OR')})`).join(' AND ');
    const filter = where
      ? `AND EXISTS (SELECT 1 FROM ${table} WHERE ${key} = ${derived}.rowid AND (${where.sql}))`
      : '';
    // The limit is in the text: SQLite would prepare the statement again for each that is bound.
    const [row] = await database.query<{ ids: string | null }>(
      `SELECT group_concat(id) AS ids FROM (
         SELECT rowid AS id FROM ${derived} WHERE ${derived} MATCH ? ${filter}
         ${cap === undefined ? '' : `${newestFirst} LIMIT ${Math.trunc(cap)}`}
       )`,
      [without ? `(${all}) NOT ${expressionOf([without], 'OR')}` : all, ...(where?.params ?? [])],
    );
    const ids = numbersOf(row?.ids ?? '');
    // FTS5 gives the oldest first; of rows that count the same the newest are wanted, and the best are found soonest
    // where those come first.
    return order === 'any' ? ids.toReversed() : ids;
  }

  async function lists(requests: readonly ListRequest[]): Promise<readonly (readonly number[])[]> {
    const found: (readonly number[])[] = [];
    for (const request of requests) found.push(await list(request));
    return found;
  }

  async function newest(): Promise<number> {
    const sql = `SELECT max(${key}) AS newest FROM ${table}`;
    const [row] = await database.query<{ newest: number | null }>(sql);
    return row?.newest ?? 0;
  }

  async function check(): Promise<TextIndexReport> {
    const without = async (own: string, from: string, other: string, where: string) => {
      const rows = await database.query<{ id: number }>(
        `SELECT DISTINCT ${own} AS id FROM ${from}
         WHERE ${own} NOT IN (SELECT ${other} FROM ${where}) ORDER BY id LIMIT ${MAX_REPORTED}`,
      );
      return rows.map(({ id }) => id);
    };
    return {
      missing: await without(key, table, 'rowid', derived),
      extra: await without('rowid', derived, key, table),
    };
  }

  return buildTextIndex(options, tables, {
    put,
    putNew,
    remove(id) {
      const rows = numbersFor(id);
      return [{ sql: `DELETE FROM ${derived} WHERE rowid IN (${rows.sql})`, params: rows.params }];
    },
    // Merging all segments into one drops what was deleted: section 6.7 of the source.
    optimize: async () =>
      void (await database.execute(`INSERT INTO ${derived} (${derived}) VALUES ('optimize')`)),
    // FTS5 merges its segments automatically.
    settle: async () => {},
    check,
    query: (_groups, _isRanked, run) => run({ newest, probe, rank, lists }),
  });
}

/** Returns an FTS5 expression: each group is a phrase. */
function expressionOf(groups: readonly QueryGroup[], operator: 'AND' | 'OR'): string {
  return groups
    .map(({ terms }) => {
      const phrase = terms.map(({ text }) => text.replaceAll('"', '""')).join(' ');
      return `"${phrase}"${terms.at(-1)?.isPrefix ? ' *' : ''}`;
    })
    .join(` ${operator} `);
}
