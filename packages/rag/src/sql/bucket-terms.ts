import type { Dialect } from '@vizprompt/providers/internal';
import type { SqlPiece } from './given-rows.ts';
import type { SqlTables } from './sql-tables.ts';

/** Where the buckets of a space are. */
interface BucketPlace {
  readonly dialect: Dialect;
  readonly tables: SqlTables;
  readonly space: number;
}

/**
 * Returns a table `t` of the terms of buckets, with the `no` and the `text` of the row of `given` that asked for each. The order
 * is fixed: PostgreSQL could otherwise read all terms and look for those of the buckets.
 */
export function termsOfBuckets(
  { dialect, tables, space }: BucketPlace,
  kind: number,
  given: SqlPiece,
): SqlPiece {
  const isPostgres = dialect === 'postgres';
  const [lists, term] = isPostgres
    ? ['LATERAL unnest(l.terms) AS u(term)', 'u.term']
    : ['json_each(l.terms) u', 'u.value'];
  const fixed = isPostgres ? ' OFFSET 0' : '';
  const lateral = isPostgres ? 'LATERAL ' : '';
  const asked = `SELECT given.no, given.text, ${term} AS term FROM ${given.sql} CROSS JOIN ${tables.bucket} l
      CROSS JOIN ${lists}
    WHERE l.space = ? AND l.kind = ${kind} AND l.bucket = given.bucket${fixed}`;
  const params = [...given.params, space];
  const columns = 't.id, t.chunks, coalesce(t.whole, t.key) AS key';
  if (!isPostgres) {
    return {
      sql: `(SELECT c.no, c.text, ${columns} FROM (${asked}) c CROSS JOIN ${tables.term} t
        WHERE t.space = ? AND t.id = c.term AND t.chunks > 0) t`,
      params: [...params, space],
    };
  }
  return {
    sql: `(SELECT c.no, c.text, t.id, t.chunks, t.key FROM (${asked}) c CROSS JOIN ${lateral}(
        SELECT ${columns} FROM ${tables.term} t
        WHERE t.space = ? AND t.id = c.term AND t.chunks > 0${fixed}) t) t`,
    params: [...params, space],
  };
}
