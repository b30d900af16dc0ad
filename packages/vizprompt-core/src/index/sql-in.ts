import type { SqlExecutor, SqlParameter } from '@vizprompt/providers';
import { inParts, isStorable, placeholders } from '@vizprompt/providers/internal';

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
  for (const page of inParts(known, PAGE)) {
    rows.push(...(await executor.query<R>(`${sql} (${placeholders(page.length)})`, page)));
  }
  return rows;
}

/** Numbered files in their order, then those with names of their own; on every database the same. */
export const FILE_ORDER = 'ORDER BY folder IS NULL, folder, number, file';
