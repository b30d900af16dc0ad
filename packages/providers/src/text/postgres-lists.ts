import type { Statement } from '../storage/database.ts';
import type { ListRequest } from './list-groups.ts';
import type { QueryGroup } from './parse-query.ts';

/**
 * The newest rows are looked through in windows of this many, before all others. A word that is not frequent in them has few
 * rows, which the index finds. Without windows the server would sort all rows of a frequent word, or pass over all newer
 * rows to find the first of a word that only old ones have.
 */
const WINDOWS = [4096, 65_536] as const;
/** A window is worth its own look where there are this many times as many rows. */
const LEAST_TIMES = 8;

/**
 * A filter of more parameters is written once and all its rows are read, as a statement has 65,535 parameters at most. A
 * shorter one is repeated in each window, which looks only for its own rows.
 */
const LONG_FILTER = 7500;

/** The tables of an index. */
interface ListTables {
  readonly derived: string;
  /** The table whose rows are indexed, and the column with their numbers. */
  readonly table: string;
  readonly key: string;
}

/**
 * Returns the statement that lists rows as one text `ids`, in any order: all of the newest as far as the cap, and maybe
 * some more.
 */
export function listStatement(
  { derived, table, key }: ListTables,
  { clauses, without, where, cap, order, newest }: ListRequest,
): Required<Statement> {
  const alternatives = clauses.map((clause) => clause.map(queryOf).join(' | '));
  const whole = [
    ...alternatives.map((query) => `(${query})`),
    ...(without ? [`!${queryOf(without)}`] : []),
  ].join(' & ');
  const inScope = where ? `SELECT ${key} FROM ${table} WHERE (${where.sql})` : undefined;
  const given = where?.params ?? [];
  const isOnce = given.length > LONG_FILTER;
  const filter = inScope ? `AND id IN (${isOnce ? `SELECT ${key} FROM scope` : inScope})` : '';
  const filtered = isOnce ? [] : given;
  const limit = cap === undefined ? '' : `LIMIT ${Math.trunc(cap)}`;
  // A long text has several parts, and each word may be in another one.
  const long = `SELECT id FROM ${derived} WHERE part = 1`;
  const part = `SELECT 1 FROM ${derived} AS part WHERE part.id = long.id AND terms @@ ?::tsquery`;
  const inParts = alternatives.map(() => `EXISTS (${part})`);
  if (without) inParts.push(`NOT EXISTS (${part})`);
  const pieces: Required<Statement>[] = [
    {
      sql: `SELECT id FROM (${long}) AS long WHERE ${inParts.join(' AND ')} ${filter}
        ORDER BY id DESC ${limit}`,
      params: [...alternatives, ...(without ? [queryOf(without)] : []), ...filtered],
    },
  ];
  const isWhole = `part = 0 AND terms @@ ?::tsquery AND id NOT IN (${long})`;
  const short = `SELECT id FROM ${derived} WHERE ${isWhole}`;
  if (cap === undefined || order === 'any') {
    pieces.push({ sql: `${short} ${filter} ${limit}`, params: [whole, ...filtered] });
  } else {
    let high: number | undefined;
    for (let at = 0; at === 0 || high !== undefined; at++) {
      const size = WINDOWS[at];
      const rest = high ?? newest;
      const isWorth = size !== undefined && size * LEAST_TIMES < rest;
      const low = isWorth ? rest - size : undefined;
      const bounds = [
        ...(low === undefined ? [] : [{ sql: 'AND id > ?', bound: low }]),
        ...(high === undefined ? [] : [{ sql: 'AND id <= ?', bound: high }]),
      ];
      const found = pieces.slice(1).map((_, no) => `(SELECT count(*) FROM list${no + 1})`);
      const isNeeded = found.length === 0 ? '' : `AND ${found.join(' + ')} < ${Math.trunc(cap)}`;
      // By an expression, so that the server does not look for the first one in the order of the numbers.
      const by = at === 0 && low !== undefined ? 'id' : 'id + 0';
      pieces.push({
        sql: `${short} ${bounds.map(({ sql }) => sql).join(' ')} ${isNeeded} ${filter}
          ORDER BY ${by} DESC ${limit}`,
        params: [whole, ...bounds.map(({ bound }) => bound), ...filtered],
      });
      high = low;
    }
  }
  const lists = pieces.map(({ sql }, at) => `list${at} AS MATERIALIZED (${sql})`);
  if (isOnce) lists.unshift(`scope AS MATERIALIZED (${inScope})`);
  const all = pieces.map((_, at) => `SELECT id FROM list${at}`).join(' UNION ALL ');
  return {
    sql: `WITH ${lists.join(', ')}
      SELECT string_agg(CAST(id AS TEXT), ',') AS ids FROM (${all}) AS listed`,
    params: [...(isOnce ? given : []), ...pieces.flatMap(({ params }) => params)],
  };
}

/** Returns a group as a piece of a `tsquery`. */
export function queryOf({ terms }: QueryGroup): string {
  const phrase = terms.map(({ text, isPrefix }) => quote(text) + (isPrefix ? ':*' : ''));
  return `(${phrase.join(' <-> ')})`;
}

/** Returns a lexeme as text of a `tsquery` or `tsvector`. */
export function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '$&$&')}'`;
}
