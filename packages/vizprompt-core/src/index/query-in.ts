import type { SqlExecutor, SqlParameter } from '@vizprompt/providers';

/** Databases take some hundred parameters at once; SQLite took 999 for a long time. */
const PAGE = 500;

/**
 * Runs a query whose last condition is `IN`, for any number of values.
 *
 * @param sql - Up to and with the word `IN`.
 */
export async function queryIn<R extends object>(
  executor: SqlExecutor,
  sql: string,
  values: readonly SqlParameter[],
): Promise<R[]> {
  const rows: R[] = [];
  for (let at = 0; at < values.length; at += PAGE) {
    const page = values.slice(at, at + PAGE);
    rows.push(...(await executor.query<R>(`${sql} (${page.map(() => '?').join(', ')})`, page)));
  }
  return rows;
}
