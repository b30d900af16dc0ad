import type { SqlExecutor, SqlParameter } from '@vizprompt/providers';
import { isStorable } from '@vizprompt/providers/internal';

/** Databases take some hundred parameters at once; SQLite took 999 for a long time. */
const PAGE = 500;

/**
 * Runs a query whose last condition is `IN`, for any number of values. No row has a text that no
 * database holds.
 *
 * @param sql - Up to and with the word `IN`.
 */
export async function sqlIn<R extends object>(
  executor: SqlExecutor,
  sql: string,
  values: readonly SqlParameter[],
): Promise<R[]> {
  const rows: R[] = [];
  const known = values.filter((value) => typeof value !== 'string' || isStorable(value));
  for (let at = 0; at < known.length; at += PAGE) {
    const page = known.slice(at, at + PAGE);
    rows.push(...(await executor.query<R>(`${sql} (${page.map(() => '?').join(', ')})`, page)));
  }
  return rows;
}

/** Numbered files in their order, then those with names of their own; on every database the same. */
export const FILE_ORDER = 'ORDER BY folder IS NULL, folder, number, file';
